"""The exponential on a grid, as integers: floor(exp(a / 2^f) 2^f) is the floor of the true real number.

[bhattamishra2024 Appendix B.2; made precise]

The paper asks for an exponential that both parties of a protocol compute identically. The true floor is such a function: any two
correct programs agree on it. Everything here is Python integers, with bounds on both sides that are tightened until
they decide; since exp of a rational number other than 0 is irrational, they always do.
"""

from __future__ import annotations

from functools import cache

from separatrix.errors import BadInput

GUARD = 32  # bits beyond the answer at the first attempt: one in about 2^25 attempts needs a second


def floor_exp(a: int, f: int) -> int:
    """floor(exp(a / 2^f) 2^f) for a <= 0."""
    if a > 0:
        raise BadInput(f"the exponential of an attention logit below the largest: expected a <= 0, found a = {a}")
    if a == 0:
        return 1 << f
    if -a >= f << f:  # x <= -f, so exp(x) 2^f <= (2/e)^f, below 1; for f = 0 any x < 0 will do
        return 0
    guard = GUARD
    while True:
        low, high = exp_bounds(a, f, f + guard)
        if low >> guard == high >> guard:
            return low >> guard
        guard *= 2


def exp_bounds(a: int, f: int, bits: int) -> tuple[int, int]:
    """Integers low <= exp(a / 2^f) 2^bits <= high that lie close together, for a <= 0 and bits >= max(f, 1).

    With x = r - k ln 2, 0 <= r < ln 2 (up to k times the error of ln 2), exp(x) = exp(r) / 2^k.
    """
    if a == 0:
        return 1 << bits, 1 << bits
    if -a >= bits << f:  # x <= -bits
        return 0, 1
    unit = _ln2(bits)
    minus_k, r = divmod(a << (bits - f), unit)
    k = -minus_k  # the true r lies in [r, r + k], for `unit` is short of ln 2 by less than 1
    total, terms = _taylor(r, bits)
    # Each of the terms is short by less than 2 and the dropped tail is below 4 (see _taylor);
    # exp(r) < 2 and exp(k 2^-bits) <= 1 + 2 k 2^-bits, so that r itself adds at most 4 k.
    return total >> k, ((total + 2 * terms + 4 + 4 * k) >> k) + 1


def _taylor(r: int, bits: int) -> tuple[int, int]:
    """(sum of floored terms of exp(r / 2^bits) 2^bits, their number), for 0 <= r < 2^bits.

    The errors obey err_0 = 0, err_i <= err_(i-1) / i + 1, hence err_i < 2. The first term that is 0 is truly below 2,
    and every later one is at most half of the one before: together they stay below 4.
    """
    term = total = 1 << bits
    i = 0
    while term:
        i += 1
        term = (term * r >> bits) // i
        total += term
    return total, i


@cache
def _ln2(bits: int) -> int:
    """floor(2^bits ln 2), from ln 2 = 2 artanh(1/3) = 2 sum 3^-(2i+1) / (2i+1)."""
    guard = GUARD
    while True:
        power, total, i = (1 << (bits + guard)) // 3, 0, 0
        while power:
            total += power // (2 * i + 1)
            power //= 9
            i += 1
        low = 2 * total
        high = low + 6 * (i + 1)  # a power is short by less than 9/8, its term by less than 3, the tail is below 3
        if low >> guard == high >> guard:
            return low >> guard
        guard *= 2
