"""Counts as reciprocals: from 1/m to about 1/(m + 1) by two feed-forward parts.

[wen2024 Lemma B.19; in two parts, since a ReGLU unit is a product of two forms]

x - x^2 + x^3 at x = 1/m is 1/(m + 1) + 1/(m^3 (m + 1)), close enough for m >= 4. At 1, 1/2 and 1/3 a correction is subtracted; what is left
there need not be exact either, so the corrections are dyadic: 1/2, 43/1024 for 1/24 and 9/1024 for 1/108. At 0 it stays 0.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import interval, product, threshold
from separatrix.constructions.parts.rules import combined

CORRECTIONS = {1: Fraction(1, 2), 2: Fraction(43, 1024), 3: Fraction(9, 1024)}


def following_of(x: Fraction) -> Fraction:
    """What the construction computes, in exact numbers, at x = 1/m or 0."""
    return x - x**2 + x**3 - (CORRECTIONS.get(x.denominator, Fraction(0)) if x else 0)


@cache
def leading_weight(n: int, gap: float) -> int:
    """The least integer H at which, for every m < n, -H (next - a)^2 is largest at a = 1/(m + 1) among 1/2 .. 1/n, by `gap` and 1 more."""
    least = Fraction(1)
    for m in range(1, n):
        to = following_of(Fraction(1, m))
        beside = [Fraction(1, k) for k in (m, m + 2) if 2 <= k <= n]  # the counts beside it: all others are farther away
        least = min([least, *((to - a) ** 2 - (to - Fraction(1, m + 1)) ** 2 for a in beside)])
    return math.ceil((Fraction(gap) + 1) / least)


def write_square(layer: Layer, into: str, x: Form) -> Form:
    """The first part: x^2."""
    return layer.write(into, product(x, x))


def write_following(layer: Layer, into: str, x: Form, squared: Form, one: Form) -> Form:
    """The second part: about 1/(m + 1), from x = 1/m and x^2."""
    cube = product(x, squared)
    large = threshold(x, 5 / 8, 1 / 16, float(CORRECTIONS[1]) * one)
    half = interval(x, 7 / 16, 9 / 16, 1 / 16, float(CORRECTIONS[2]) * one)
    third = interval(x, 5 / 16, 3 / 8, 1 / 32, float(CORRECTIONS[3]) * one)
    added = layer.write(into, combined("next", 1, [(0, cube)], low=0, high=1))
    taken = layer.write(f"{into} corrected", combined("corrections", 1, [(0, large), (0, half), (0, third)], low=0, high=1))
    return x - squared + added - taken
