"""`key_draws`, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from separatrix.tasks.drawing.compiled_counter import below, below_low, stream, word

Integers = npt.NDArray[np.int64]


@njit(cache=True)
def draw_pairs(key: np.uint64, first: int, symbols: int, labels: int, pairs: int, tokens: Integers) -> None:
    """Fill the rows with `pairs` distinct keys, each followed by its label, and then with queries."""
    deck, order = np.empty(symbols, dtype=np.int64), np.empty(pairs, dtype=np.int64)
    for r in range(len(tokens)):
        start, row = stream(key, first + r), tokens[r]
        deck[:], order[:] = np.arange(symbols), np.arange(pairs)
        for i in range(pairs):
            drawn = word(start, i)
            row[2 * i] = take(deck, i, below(drawn, symbols - i))
            row[2 * i + 1] = symbols + below_low(drawn, labels)
        for i in range(len(row) // 2 - pairs):
            queried = take(order, i, below(word(start, pairs + i), pairs - i))
            row[2 * (pairs + i)] = row[2 * queried]
            row[2 * (pairs + i) + 1] = row[2 * queried + 1]


@njit(cache=True, inline="always")
def take(deck: Integers, taken: int, choice: np.int64) -> np.int64:
    """Draw one more card of a deck; the `taken` cards drawn so far are at its front."""
    card: np.int64 = deck[taken + choice]
    deck[taken + choice] = deck[taken]
    deck[taken] = card
    return card
