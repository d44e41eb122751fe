"""Addresses for attention: how sharply a position must be named so that a softmax reads it.

[bhattamishra2024 Lemma 2; proof B.3]

    L     address bits, 2^L >= N            eta   inverse temperature
    T(i)  the address of position i         share the least attention weight on the position that is asked for

binary      T(i) = the L digits of i as signs.  <T(p), T(i)> = L - 2 hamming(p, i), so the competitors' mass relative to the
            target is (1 + e^(-2 eta))^L - 1 exactly when N = 2^L: near-orthogonality is not needed.
quadratic   <(2p, -1), (i, i^2)> = p^2 - (i - p)^2: the mass is at most 2 sum_j e^(-eta j^2), whatever N is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from separatrix.arithmetic import Format
from separatrix.errors import BadInput

GRID = 1 << 16  # eta is a multiple of 1/GRID: exact in float32 and in float64


@dataclass(frozen=True)
class Lookup:
    """An address that reads position p out of N with at least a given share of the attention."""

    address: str
    dims: int
    bits: int
    eta: float
    share: float  # least weight on the position asked for, over every p, in real arithmetic
    magnitude: float  # largest logit


def address_bits(N: int) -> int:
    """L = ceil(log2 N), at least 1."""
    return max(1, (N - 1).bit_length())


def binary_lookup(N: int, share: float, extra: int = 1) -> Lookup:
    """The smallest eta on the grid for which (1 + e^(-2 eta))^L + extra e^(-eta L) <= 1/share.

    `extra` counts further keys with logit 0, such as the token that asks.
    """
    L = address_bits(N)

    def weight(eta: float) -> float:
        return 1 / (math.exp(L * math.log1p(math.exp(-2 * eta))) + extra * math.exp(-eta * L))

    return _least(N, "binary", L, L, weight, share, lambda eta: eta * L)


def quadratic_lookup(N: int, eta: float = 3.0) -> Lookup:
    """eta = 3 works for every N: the weight is at least 1 / (1 + 2 sum_{j >= 1} e^(-3 j^2)) = 0.909.

    The token that asks has logit 0. At p = 1 there is no position 0, and that token stands in its place; later it weighs less.
    """
    mass = 2 * sum(math.exp(-eta * j * j) for j in range(1, 40))
    return Lookup("quadratic", 2, 0, eta, 1 / (1 + mass), eta * N * N)


def _least(N: int, address: str, dims: int, bits: int, weight: object, share: float, magnitude: object) -> Lookup:
    low, high = 0, 64 * GRID
    assert callable(weight) and callable(magnitude)
    if weight(high / GRID) < share:
        raise BadInput(f"{address} address, N = {N}: no inverse temperature gives attention weight {share}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if weight(middle / GRID) >= share else (middle, high)
    eta = high / GRID
    return Lookup(address, dims, bits, eta, weight(eta), magnitude(eta))


def unit_roundoff(format: Format) -> float:
    """u: the relative error of one operation."""
    return {"float64": 2.0**-53, "float32": 2.0**-24, "bfloat16": 2.0**-8, "float16": 2.0**-11}[format.name]


def share_with_rounding(format: Format, N: int, dims: int, magnitude: float, share: float) -> float:
    """The share to ask for in real arithmetic so that `share` survives floating point.

    A logit is a sum of `dims` products and errs by at most (dims + 2) u magnitude; an exponential turns that into a relative
    error of twice as much, and the sums over N + 1 keys, above and below, err by (N + 9) u each.
    """
    u = unit_roundoff(format)
    error = 2 * (dims + 2) * u * magnitude + 2 * (N + 9) * u
    return share * (1 + error) / (1 - error) if error < 1 else math.inf


def exact_integers(format: Format) -> float:
    """The largest M such that all integers up to M are numbers of the format."""
    return 1 / unit_roundoff(format)
