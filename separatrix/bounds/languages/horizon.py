"""Horizons: up to which length a rotation in rounded arithmetic counts modulo m.

    z <- w z,   w = cos(2 pi / m) + i sin(2 pi / m), each number rounded to the format and so is every product and every sum

A letter turns z or leaves it as it is, bit for bit, so z depends on the number of turns alone, and running k turns decides all inputs with
k of them: the *horizon* is the most turns up to which the nearest of the m points of the circle is always the right one. The first input
beyond it that fails is that many turns and one more. Where z comes back, bit for bit, to a number that it was a multiple of m turns before,
there is no horizon: rounding has caught it on a cycle, and it is right at all lengths. Quarter turns are such cycles of their own. All this
is about this order of operations, without fused ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from separatrix.errors import BadInput

DIGITS = {"bfloat16": 8, "float16": 11, "float32": 24}  # of a significand; exponents do not matter near the circle
ZERO = 1e-15  # what cos and sin of quarter turns are off
MOST = 200_000  # turns that are run


@dataclass(frozen=True)
class Horizon:
    """Up to how many turns every input is right.

    `ends`: the next turn is wrong. `cycle`: it is right for ever, and comes back after so many turns. Neither: nothing more was run.
    """

    modulus: int
    arithmetic: str
    turns: int
    ends: bool
    cycle: int | None = None


def horizon(modulus: int, arithmetic: str, most: int = MOST) -> Horizon:
    """Turn until the nearest point is a wrong one."""
    if modulus < 2:
        raise BadInput(f"horizon: expected a modulus of at least 2, found {modulus}")
    if arithmetic not in DIGITS:
        raise BadInput(f"horizon: expected one of {', '.join(DIGITS)}, found {arithmetic!r:.60}")
    digits = DIGITS[arithmetic]
    turn = 2 * math.pi / modulus
    c, s = (rounded(x if abs(x) > ZERO else 0.0, digits) for x in (math.cos(turn), math.sin(turn)))
    x, y = 1.0, 0.0
    met = {(x, y): 0}
    for k in range(1, most + 1):
        x, y = (
            rounded(rounded(c * x, digits) - rounded(s * y, digits), digits),
            rounded(rounded(s * x, digits) + rounded(c * y, digits), digits),
        )
        if nearest(x, y, modulus) != k % modulus:
            return Horizon(modulus, arithmetic, k - 1, ends=True)
        before = met.setdefault((x, y), k)
        if before < k:  # and k - before is a multiple of m, since both were right
            return Horizon(modulus, arithmetic, k, ends=False, cycle=k - before)
    return Horizon(modulus, arithmetic, most, ends=False)


def rounded(x: float, digits: int) -> float:
    """The nearest number with so many binary digits, ties to even; products of two such numbers are exact before it."""
    significand, exponent = math.frexp(x)
    return math.ldexp(round(math.ldexp(significand, digits)), exponent - digits)


def nearest(x: float, y: float, modulus: int) -> int:
    """The number of the point of the circle in whose direction z lies; -1 where it is 0."""
    return round(math.atan2(y, x) * modulus / (2 * math.pi)) % modulus if x or y else -1
