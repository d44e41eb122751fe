"""Cross-entropies on the next-symbol sources of PARITY and 2DYCK, in nats: the best possible, from the last symbol, from no symbol.

[hahn2020 Theorem 6]

    p      the source ends (PARITY, in the even state) or opens a bracket (2DYCK) with this probability
    n      symbols read so far; everything is conditional on the string being that long
    h(p)   -p ln p - (1 - p) ln(1 - p)

PARITY: P(even) = 1/2 at every n >= 1, but survival makes the last symbol tell: from n = 2 on P(even | 0) = (1 - p)/(2 - p) and
P(even | 1) = 1/(2 - p); a single symbol tells everything.
A Transformer can read its own last symbol, so the last-symbol level is its floor; the paper's unigram level is above it.
2DYCK: the height is a walk that stays at or above 0. It is counted exactly by the ballot numbers, and in the limit by the law
(height + 1) r^height with r^2 = s = p/(1 - p), on the heights of the parity of n.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass

LN2 = math.log(2)


@dataclass(frozen=True)
class CrossEntropies:
    """Nats per prediction of three predictors that know p and n: one that knows the state, the last symbol only, nothing."""

    optimal: float
    last_symbol: float
    unigram: float


def binary_entropy(p: float) -> float:
    """h(p) in nats."""
    return sum(-q * math.log(q) for q in (p, 1 - p) if q > 0)


def parity(p: float, n: int) -> CrossEntropies:
    """PARITY after n >= 1 symbols: the two-state source that stops with probability p in the even state, else gives a fair bit."""

    def after(stop: float) -> float:  # the end with this probability, else a fair bit
        return binary_entropy(stop) + (1 - stop) * LN2

    stops = (p * (1 - p) / (2 - p), p / (2 - p)) if n > 1 else (p, 0.0)  # after a 0, after a 1; both are equally likely
    return CrossEntropies((after(p) + LN2) / 2, sum(map(after, stops)) / 2, after(p / 2))


@dataclass(frozen=True)
class Survivors:
    """Of the 2DYCK prefixes of one length: how many are balanced, and how many end with a closing bracket but are not."""

    balanced: float
    closed: float  # P0 of the paper


def survivors(p: float, n: int) -> Survivors:
    """The exact shares at length n, by the ballot numbers.

    [hahn2020 Footnote 4]
    """
    closed = sum(share * (1 - last_step_up(n, h)) for h, share in height_law(p, n))
    balanced = dict(height_law(p, n)).get(0, 0.0)
    return Survivors(balanced, closed - balanced)


def survivors_limit(p: float, odd: bool) -> Survivors:
    """The limits over odd or even lengths: P0 -> (3 - s)/4 or s(2 - s)/(1 + s), with s = p/(1 - p).

    [hahn2020 Footnote 4]
    """
    s = p / (1 - p)
    return Survivors(0.0, (3 - s) / 4) if odd else Survivors((1 - s) ** 2 / (1 + s), s * (2 - s) / (1 + s))


def dyck(p: float, among: Survivors) -> CrossEntropies:
    """2DYCK: after an opening bracket its own type is all there is to know; after a closing one the type, and whether it was the last."""
    optimal = binary_entropy(p) + p * LN2

    def closing(balanced: float) -> float:  # the end with this probability, else one of two closing brackets
        return binary_entropy(balanced) + (1 - balanced) * LN2

    closed = among.closed + among.balanced
    blind = closed * closing(among.balanced / closed) if closed else 0.0
    return CrossEntropies(optimal, optimal + (1 - p) * blind, optimal + (1 - p) * closing(among.balanced))


@functools.lru_cache(maxsize=64)
def height_law(p: float, n: int) -> tuple[tuple[int, float], ...]:
    """(height, share) of the walks of n steps that stay at or above 0, a step up having probability p.

    A walk to height h has (n + h)/2 steps up, and (h + 1) C(n + 1, (n - h)/2) / (n + 1) walks lead there.
    Ratios of neighbours need no large numbers, and only + * /, so that every machine gets the same shares.
    """
    heights = range(n % 2, n + 1, 2)
    weights = [1.0]
    for h in heights[:-1]:
        weights.append(weights[-1] * ((h + 3) / (h + 1)) * ((n - h) / (n + h + 4)) * (p / (1 - p)))
    total = list(itertools.accumulate(weights))[-1]  # sum() rounds differently since Python 3.12
    return tuple((h, weight / total) for h, weight in zip(heights, weights, strict=True))


def last_step_up(n: int, h: int) -> float:
    """Of the walks of n steps from 0 to h that stay at or above 0, the share whose last step goes up."""
    return h * ((n + h) // 2 + 1) / (n * (h + 1))
