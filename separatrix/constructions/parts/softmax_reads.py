"""How much weight a softmax puts on the queried place, in a number format.

The competitors come as counts: A_w of them lie 2 c w below the largest logit, and `extra` keys have logit 0, c k below it.
`share` is the weight on the queried place, `rest` the sum of all others, both as the format computes them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from separatrix.arithmetic import Format
from separatrix.constructions.number_limits import largest_number, mantissa_bits

WIDE = ("float64", "float32")  # sums of these are rounded at every step; shorter floats are added up in float32
FLOAT32_ROUNDOFF = 2.0**-24


@dataclass(frozen=True)
class Reads:
    """The weight on the queried place is at least `share`; the others add up to at most `rest`."""

    share: float
    rest: float


def reads(counts: Mapping[int, int], k: int, extra: int, c: float, N: int, format: Format) -> Reads:
    """Share and rest under the format's softmax."""
    gaps = [(2 * c * w, n) for w, n in counts.items()] + ([(c * k, extra)] if extra else [])
    if format.kind == "fixed":
        over = max(0.0, c * k - largest_number(format))  # fixed point clamps: a largest logit beyond the range loses this much of every gap
        return _floored([(max(gap - over, 0.0), n) for gap, n in gaps], format.fraction)
    if format.kind == "nearest":
        return _nearest(gaps, format.fraction)
    if format.name in WIDE:
        return _wide_float(gaps, k, c, N, roundoff(format))
    return _short_float(gaps, c * k, mantissa_bits(format))


def reads_past(gap: float, others: int, format: Format) -> Reads:
    """Share and rest if each of `others` keys lies at least `gap` below the largest logit."""
    stored = math.floor(gap * 2.0**format.fraction) * 2.0**-format.fraction if format.exact else gap
    return reads({1: others}, 0, 0, stored / 2, others + 1, format)


def vanishing_gap(keys: int, size: float, format: Format) -> int:
    """The least integer gap at which `keys` keys, that far below the largest logit, get no weight.

    The weight on the largest is then stored as 1, and the others change a value of magnitude up to `size` by less than a quarter of its
    last place: integers are read exactly.
    """
    if format.kind == "fixed":
        return math.floor(format.fraction * math.log(2)) + 1  # e^-gap < 2^-f is rounded down to 0
    lost = 2.0 ** -(format.fraction + 2) if format.kind == "nearest" else roundoff(format) / (4 * max(size, 1.0))
    return math.ceil(math.log(max(keys, 1) / lost))


def roundoff(format: Format) -> float:
    """The relative error of one operation: 0 if sums and products of these numbers are exact."""
    return 0.0 if format.exact else 2.0 ** -(mantissa_bits(format) + 1)


def accumulated(format: Format, terms: int) -> float:
    """The error of a weighted sum of `terms` terms relative to the sum of magnitudes, with weights that are off as much.

    Short floats round each weight, the sum and the result; intermediate numbers are wider.
    """
    if format.exact or format.name in WIDE:
        return (terms + 9) * roundoff(format)
    return 4 * roundoff(format) + (terms + 9) * FLOAT32_ROUNDOFF


def _floored(gaps: list[tuple[float, int]], f: int) -> Reads:
    """e = floor of exp at f bits, Z exact, w = floor(e / Z): the competitors together have at most 1 - share."""
    from separatrix.arithmetic.exponential import floor_exp

    one = 1 << f
    Z = one
    for gap, n in gaps:
        Z += n * int(floor_exp(-round(gap * one), f))
    target = Fraction((one * one) // Z, one)
    return Reads(float(target), float(1 - target))


def _nearest(gaps: list[tuple[float, int]], F: int) -> Reads:
    """Exact softmax entries, each rounded to nearest: small ones vanish, or all round up together."""
    scale, guard = 2.0**F, 1 + 2.0**-40
    mass = sum(n * math.exp(-gap) for gap, n in gaps)
    lost = math.floor(mass / (1 + mass) * scale * guard + 0.5) / scale
    rest = sum(n * math.floor(math.exp(-gap) / (1 + mass) * scale * guard + 0.5) / scale for gap, n in gaps)
    return Reads(1 - lost, rest)


def _short_float(gaps: list[tuple[float, int]], largest: float, m: int) -> Reads:
    """Each logit and each weight is rounded to m bits once; wider numbers lie between (for half floats that is torch's float32)."""
    u = 2.0 ** -(m + 1)
    slack = 2 * u * abs(largest)  # two logits, each off by half a unit of the largest
    Z_high = 1 + sum(n * math.exp(-max(gap - slack, 0.0)) for gap, n in gaps)
    Z_low = 1 + sum(n * math.exp(-(gap + slack)) for gap, n in gaps)
    rest = sum(n * math.exp(-max(gap - slack, 0.0)) for gap, n in gaps) / Z_low * (1 + u)
    return Reads((1 / Z_high) * (1 - u), rest)


def _wide_float(gaps: list[tuple[float, int]], k: int, c: float, N: int, u: float) -> Reads:
    """Real arithmetic with an allowance for rounding.

    A logit is a sum of k products and errs by at most (k + 2) u c k; the exponential turns that into a relative error of twice
    as much, and the sums over N + 1 keys, above and below, err by (N + 9) u each. Integer logits (k = 0 here) are exact.
    """
    error = 2 * (k + 2) * u * c * k + 2 * (N + 9) * u
    if error >= 0.5:
        return Reads(0.0, math.inf)
    share = 1 / (1 + sum(n * math.exp(-gap) for gap, n in gaps)) if gaps else 1.0
    low = share * (1 - error) / (1 + error)
    return Reads(low, 1 - low)
