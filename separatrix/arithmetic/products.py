"""Sums of products of integers: exact, and in float64 whenever the magnitudes allow.

First the numbers as they are; then without their common trailing zero bits, which is what a weight of 1 looks like in units
of 2^-f; then in the carrier that the bound calls for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from separatrix.arithmetic.integers import FLOAT64_HOLDS, Integers, carrier, largest, objects, trailing_zeros, without_zeros


@dataclass(frozen=True)
class Scaled:
    """The integers `units` times 2^bits."""

    units: Integers
    bits: int = 0


def matmul(x: Integers, y: Integers, plus: Integers | None = None) -> Scaled:
    """x [..., i, c] times y [..., c, j], plus a vector [j]."""
    plus = None if plus is None or largest(plus) == 0 else plus
    bound, bits = _bound(x, y, plus), 0
    if bound > FLOAT64_HOLDS:
        s, t = trailing_zeros(x), trailing_zeros(y)
        if plus is not None:
            bits = trailing_zeros(plus)
            s, t = min(s, bits), min(t, bits - min(s, bits))
            plus = without_zeros(plus, s + t)
        x, y, bits = without_zeros(x, s), without_zeros(y, t), s + t
        bound = _bound(x, y, plus)
    carry = carrier(bound)
    total = carry(x) @ carry(y)
    return Scaled(total if plus is None else total + carry(plus), bits)


def multiply(x: Integers, y: Integers) -> Scaled:
    """The products of two arrays, element by element."""
    bits = 0
    if largest(x) * largest(y) > FLOAT64_HOLDS:
        s, t = trailing_zeros(x), trailing_zeros(y)
        x, y, bits = without_zeros(x, s), without_zeros(y, t), s + t
    a, b = largest(x), largest(y)
    carry = carrier(max(a, b, a * b))
    return Scaled(carry(x) * carry(y), bits)


def _bound(x: Integers, y: Integers, plus: Integers | None) -> int:
    return product_bound(x, y) + (0 if plus is None else largest(plus))


def product_bound(x: Integers, y: Integers) -> int:
    """At least the sum over c of |x| |y| in every entry of x [..., i, c] times y [..., c, j], and at least max |x| and max |y|.

    The crude bound is tried first. Then the largest magnitudes coordinate by coordinate, which is what keeps (i, i^2)
    against (2p, -1) small; then the largest row of x, which is what keeps attention weights of sum 1 small; then of y.
    """
    a, b = largest(x), largest(y)
    crude = max(a, b, x.shape[-1] * a * b)
    if crude <= FLOAT64_HOLDS:
        return crude
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        u, v = np.abs(x.numpy()), np.abs(y.numpy())
    else:
        u, v = np.abs(objects(x)), np.abs(objects(y))
    by_coordinate = (u.reshape(-1, u.shape[-1]).max(0) * v.swapaxes(-1, -2).reshape(-1, u.shape[-1]).max(0)).sum()
    by_row = u.sum(-1).max() * b
    by_column = v.sum(-2).max() * a
    return max(a, b, min(crude, *map(_rounded_up, (by_coordinate, by_row, by_column))))


def _rounded_up(bound: Any) -> int:
    """An integer at least the true value of a bound computed in float64, whose error is below c 2^-52 for c terms."""
    return bound if isinstance(bound, int) else int(bound * (1 + 2.0**-10)) + 1
