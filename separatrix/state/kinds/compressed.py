"""Compressed attention of DeepSeek-V4: a window of shared keys and values, one entry for each R tokens, and an open block.

The open block holds the N mod R tokens that are not compressed yet, each with its gate.
The overlapping scheme projects two series, so its open block is twice as wide, and it keeps one series of the last closed block.
"""

from __future__ import annotations

from separatrix.state.part import Cut, Part
from separatrix.state.words import Words, figure, product, total


def heavy(width: Words, rate: Words, cut: Cut) -> Part:
    """Blocks that do not overlap, without an indexer."""
    held = product(width, cut.N // rate + figure(2) * (cut.N % rate), cut.b)
    return Part("compressed", held, held, total(held, _left_over(width, figure(2), rate, cut)))


def overlapping(width: Words, rate: Words, cut: Cut) -> Part:
    """Blocks that share a series with their neighbour."""
    entries = cut.N // rate + figure(4) * (cut.N % rate)
    if cut.N.value >= rate.value:
        entries = entries + figure(2) * rate
    held = product(width, entries, cut.b)
    return Part("compressed", held, held, total(held, _left_over(width, figure(4), rate, cut)))


def _left_over(width: Words, copies: Words, rate: Words, cut: Cut) -> Words:
    """The open block is a view: the compressed tokens stay in memory behind it."""
    return product(width, copies * (cut.N - cut.N % rate), cut.b)
