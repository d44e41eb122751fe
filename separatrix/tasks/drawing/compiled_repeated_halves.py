"""`repeated_halves`, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from separatrix.tasks.drawing.compiled_counter import below, stream, word
from separatrix.tasks.drawing.repeated_halves import AFRESH, ONE_CHANGE, REPEATED

Integers = npt.NDArray[np.int64]


@njit(cache=True)
def draw_halves(
    key: np.uint64, first: int, shortest: int, longest: int, symbols: int, gap: int, other: int, tokens: Integers
) -> tuple[Integers, Integers]:
    """Fill the rows with two halves; return how many symbols each has and whether its halves agree."""
    lengths, equal = np.empty(len(tokens), dtype=np.int64), np.ones(len(tokens), dtype=np.int64)
    for r in range(len(tokens)):
        start, row = stream(key, first + r), tokens[r]
        half = shortest // 2 + below(word(start, 0), (longest - shortest) // 2 + 1)
        second, kind = half + gap, other if below(word(start, 1), 2) else REPEATED
        for t in range(half):
            row[t] = row[second + t] = below(word(start, 4 + t), symbols)
        row[half:second] = symbols
        if kind == AFRESH:
            for t in range(half):
                row[second + t] = below(word(start, 4 + longest // 2 + t), symbols)
            equal[r] = np.array_equal(row[:half], row[second : second + half])
        elif kind == ONE_CHANGE:
            place, move = below(word(start, 2), half), 1 + below(word(start, 3), symbols - 1)
            row[second + place] = (row[place] + move) % symbols
            equal[r] = 0
        lengths[r] = 2 * half
    return lengths, equal
