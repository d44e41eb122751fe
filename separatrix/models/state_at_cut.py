"""What crosses the cut between two tokens, layer by layer, in bits, to compare with bounds on state. No torch here.

A layer says what it carries: numbers of its own, and so many numbers for each earlier token that later ones may still read.
The second part is a function of the vector that the layer has read at that token. So it is worth at most the width of the stream, and
below the first mixer, where that vector is made from the token and its place alone, at most the bits of a token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from separatrix.errors import BadInput

WIDEST = 1 << 30


@dataclass(frozen=True)
class LayerCut:
    """What one layer carries across a cut."""

    numbers: int = 0  # whatever was read
    tokens: int = 0  # earlier tokens that later ones may still read
    numbers_each: int = 0  # for each of these


def bits_by_layer(layers: Sequence[LayerCut], width: int, bits: int, token_bits: int) -> list[int]:
    """Bits at the cut of each layer that mixes, from the first to the last; a number has `bits`, a token `token_bits`."""
    each = [token_bits if depth == 0 else bits * min(width, layer.numbers_each) for depth, layer in enumerate(layers)]
    return [bits * layer.numbers + layer.tokens * worth for layer, worth in zip(layers, each, strict=True)]


def bits_at_cut(layers: Sequence[LayerCut], width: int, bits: int, token_bits: int) -> int:
    """Bits at the cut of a whole model."""
    return sum(bits_by_layer(layers, width, bits, token_bits))


def least_width(cut_of: Callable[[int], Sequence[LayerCut]], needed: float, bits: int, token_bits: int, step: int = 1) -> int | None:
    """The least width, a multiple of `step`, at which the cut has room for `needed` bits; None where no width has.

    `cut_of` gives the layers of a model of some width; their bits must not fall when the width grows.
    """
    if step < 1:
        raise BadInput(f"least width: step must be at least 1, found {step}")

    def holds(multiple: int) -> bool:
        return bits_at_cut(cut_of(multiple * step), multiple * step, bits, token_bits) >= needed

    high = 1
    while not holds(high):
        high *= 2
        if high * step > WIDEST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high * step
