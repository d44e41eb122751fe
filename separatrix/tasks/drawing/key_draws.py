"""Draws of distinct keys with labels, for the recall tasks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from separatrix.kernels import with_compiled_twin
from separatrix.tasks.drawing.counter import below, below_low, streams, word

Integers = npt.NDArray[np.int64]
CARDS = 1 << 22  # of all decks in memory at a time


@with_compiled_twin("separatrix.tasks.drawing.compiled_key_draws")
def draw_pairs(key: np.uint64, first: int, symbols: int, labels: int, pairs: int, tokens: Integers) -> None:
    """Fill the rows with `pairs` distinct keys, each followed by its label, and then repeat distinct ones of these pairs as queries.

    Draw i: its high half takes the next card of a deck of keys, its low half is the label. Draws pairs + i: the next queried pair.
    """
    block = max(1, CARDS // symbols)
    for at in range(0, len(tokens), block):
        part = tokens[at : at + block]
        rows, starts = np.arange(len(part)), streams(key, first + at, len(part))
        deck, order = np.tile(np.arange(symbols), (len(part), 1)), np.tile(np.arange(pairs), (len(part), 1))
        for i in range(pairs):
            drawn = word(starts, i)
            part[:, 2 * i] = _take(deck, i, below(drawn, symbols - i))
            part[:, 2 * i + 1] = symbols + below_low(drawn, labels)
        for i in range(part.shape[1] // 2 - pairs):
            queried = _take(order, i, below(word(starts, pairs + i), pairs - i))
            part[:, 2 * (pairs + i)] = part[rows, 2 * queried]
            part[:, 2 * (pairs + i) + 1] = part[rows, 2 * queried + 1]


def _take(decks: Integers, taken: int, choice: Integers) -> Integers:
    """Draw one more card of each deck; the `taken` cards drawn so far are at its front."""
    rows = np.arange(len(decks))
    card = decks[rows, taken + choice]
    decks[rows, taken + choice] = decks[:, taken]
    decks[:, taken] = card
    return card
