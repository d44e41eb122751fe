"""Small floating point, emulated: `float:e,m`, sign, e exponent bits and m mantissa bits, in the manner of IEEE 754.

Exponent bias 2^(e-1) - 1, subnormal numbers, rounding to nearest with ties to even; the largest exponent field is reserved for
infinity and not-a-number, and overflow gives infinity. So float:5,10 is float16, float:8,7 is bfloat16, float:8,23 is float32.

Each operator is computed in float64 and rounded once more, to the format; weights and biases are rounded first.
When that is the correctly rounded exact result:
    a sum of two numbers or a product   for m <= 24 and e <= 10: a product of two significands of m + 1 bits is exact in float64,
                                        and 53 >= 2 (m + 1) + 2 bits make the second rounding of a sum harmless
    a sum of products                   where the products are multiples of some 2^-s and their magnitudes add up to at most 2^(53-s),
                                        as always in float:4,3 up to 2^19 terms; elsewhere it is float64's own sum, rounded
    softmax                             float64's own softmax, rounded: right unless the real value lies within its error of a tie
"""

from __future__ import annotations

from typing import final

import torch
from torch import Tensor

from separatrix.arithmetic.format import Format, parse_format
from separatrix.arithmetic.native import NativeFloat
from separatrix.arithmetic.operators import Arithmetic, Values


@final
class SmallFloat(Arithmetic):
    """The operators of float64, each followed by one rounding to e exponent and m mantissa bits."""

    def __init__(self, format: Format) -> None:
        self.format = format
        self.m = format.fraction
        self.e = format.bits - 1 - format.fraction
        self.wide = NativeFloat(parse_format("float64"))

    def round(self, x: Tensor) -> Tensor:
        """The nearest numbers of the format."""
        return nearest_float(x, self.e, self.m)

    def enter(self, x: Tensor) -> Values:
        return self.round(x.detach().to(torch.float64))

    def leave(self, x: Values) -> Tensor:
        return x  # type: ignore[no-any-return]

    def on_grid(self, x: Tensor) -> bool:
        return bool((self.enter(x) == x.detach()).all())

    def linear(self, x: Values, weight: Tensor, bias: Tensor | None = None) -> Values:
        return self.round(self.wide.linear(x, self.enter(weight), None if bias is None else self.enter(bias)))

    def logits(self, q: Values, k: Values) -> Values:
        return self.round(self.wide.logits(q, k))

    def softmax(self, a: Values, visible: Tensor | None) -> Values:
        return self.round(self.wide.softmax(a, visible))

    def hard(self, a: Values, visible: Tensor | None) -> Values:
        return self.wide.hard(a, visible)

    def uniform(self, a: Values, visible: Tensor | None) -> Values:
        return self.round(self.wide.uniform(a, visible))

    def mix(self, w: Values, v: Values) -> Values:
        return self.round(self.wide.mix(w, v))

    def add(self, x: Values, y: Values) -> Values:
        return self.round(x + y)

    def product(self, x: Values, y: Values) -> Values:
        return self.round(x * y)

    def relu(self, x: Values) -> Values:
        return self.wide.relu(x)


def nearest_float(x: Tensor, e: int, m: int) -> Tensor:
    """float64 numbers rounded to e exponent and m mantissa bits, ties to even."""
    largest_exponent = 2 ** (e - 1) - 1
    smallest_exponent = 1 - largest_exponent
    y = torch.where(x.abs() < 2.0**smallest_exponent, _multiple_of(x, smallest_exponent - m), _significand(x, m))
    overflow = y.abs() > (2 - 2.0**-m) * 2.0**largest_exponent
    return torch.where(overflow, torch.copysign(torch.full_like(x, torch.inf), x), y)


def _significand(x: Tensor, m: int) -> Tensor:
    """Normal numbers rounded to m + 1 significant bits, in the bits of float64: a carry runs into the exponent as it should."""
    dropped = 52 - m
    if dropped == 0:
        return x
    bits = x.view(torch.int64)
    up = bits + (2 ** (dropped - 1) - 1) + (bits >> dropped & 1)  # half a unit, less one bit where the kept part is even
    return torch.where(x.isfinite(), (up & -(2**dropped)).view(torch.float64), x)


def _multiple_of(x: Tensor, exponent: int) -> Tensor:
    """Numbers rounded to multiples of 2^exponent; 2^-exponent may exceed float64, so it is applied in two halves."""
    first, second = 2.0 ** (-exponent // 2), 2.0 ** (-exponent - -exponent // 2)
    return (x * first * second).round_() / first / second
