"""Draws of strings in two halves, for `equality`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from separatrix.kernels import with_compiled_twin
from separatrix.tasks.drawing.counter import below, integers, streams, word

Integers = npt.NDArray[np.int64]
REPEATED, AFRESH, ONE_CHANGE = range(3)  # how the second half is drawn


@with_compiled_twin("separatrix.tasks.drawing.compiled_repeated_halves")
def draw_halves(
    key: np.uint64, first: int, shortest: int, longest: int, symbols: int, gap: int, other: int, tokens: Integers
) -> tuple[Integers, Integers]:
    """Fill the rows with two halves, `gap` separators between them; return how many symbols each has and whether its halves agree.

    `other` says how the second half is drawn where draw 1 decides that it need not repeat the first.
    """
    count, starts, examples = len(tokens), streams(key, first, len(tokens)), np.arange(first, first + len(tokens))
    half = shortest // 2 + below(word(starts, 0), (longest - shortest) // 2 + 1)
    kind = np.where(below(word(starts, 1), 2) == 1, other, REPEATED)
    one = integers(int(key), examples, np.arange(4, 4 + longest // 2), symbols)
    two, place = one.copy(), below(word(starts, 2), half)
    if other == AFRESH:
        again = integers(int(key), examples, np.arange(4 + longest // 2, 4 + 2 * (longest // 2)), symbols)
        two[kind == AFRESH] = again[kind == AFRESH]
    elif other == ONE_CHANGE:
        at = np.flatnonzero(kind == ONE_CHANGE)
        move = 1 + below(word(starts[at], 3), symbols - 1)
        two[at, place[at]] = (one[at, place[at]] + move) % symbols
    column = np.arange(tokens.shape[1]) - np.zeros((count, 1), dtype=np.int64)
    behind = column - (half + gap)[:, None]
    in_one, in_two = column < half[:, None], (behind >= 0) & (behind < half[:, None])
    used = np.arange(longest // 2) < half[:, None]
    tokens[in_one], tokens[in_two], tokens[(behind < 0) & ~in_one] = one[used], two[used], symbols
    return 2 * half, ((one == two) | ~used).all(axis=1).astype(np.int64)
