"""The last inputs of a short causal convolution. The cache has a column for each of the k taps; the next step overwrites the oldest."""

from __future__ import annotations

from separatrix.state.part import Cut, Part, all_needed
from separatrix.state.words import Words, figure, least


def columns(channels: Words, taps: Words, bytes_each: Words, cut: Cut) -> Part:
    """k columns from the first token on, filled with zeros from the left; the last k - 1 that hold tokens are read again."""
    needed = channels * least(cut.N, taps - figure(1)) * bytes_each
    held = channels * taps * bytes_each
    return Part("conv", held, needed, held)


def past_columns(channels: Words, columns_held: Words, bytes_each: Words, cut: Cut) -> Part:
    """Only the columns that are read again; those before the first token are zeros."""
    held = channels * columns_held * bytes_each
    return Part("conv", held, channels * least(cut.N, columns_held) * bytes_each, held)


def recurrent(kind: str, numbers: Words, bytes_each: Words) -> Part:
    """A state of fixed size that every token rewrites."""
    return all_needed(kind, numbers * bytes_each)
