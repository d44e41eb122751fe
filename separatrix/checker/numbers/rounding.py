"""The error of floating-point sums, in any order of addition.

A sum of k terms, each a product of numbers of the format, differs from the real one by at most gamma(k) times the sum of magnitudes
[Higham, Accuracy and Stability of Numerical Algorithms, 3.1], with fused multiplication or without, plus what underflows.
If every term is a multiple of 2^g and the magnitudes add up to less than 2^digits 2^g, every partial sum is a number of the format, so
nothing is rounded at all. The magnitudes are added in float64: a sum of 2^53 + 1 units is 2^53 there, one of less than 2^53 is exact.
"""

from __future__ import annotations

import math

import numpy as np

from separatrix.checker.numbers.boxes import Array

SLACK = 1 + 2.0**-20  # bounds are themselves computed in float64; with this they stay bounds for sums of up to 2^30 terms
U64, TINY64 = 2.0**-53, float(np.finfo(np.float64).tiny)
EXP64 = 1 + 2.0**-40  # rounding of exp, sums and quotients in float64, with a wide safety margin
FINEST = {53: -1074, 24: -149}  # digits of a format -> exponent of its smallest number


def gamma(terms: int, u: float) -> float:
    """k u / (1 - k u); infinite if k u >= 1."""
    return terms * u / (1 - terms * u) if terms * u < 0.5 else math.inf


def gammas(terms: Array, u: float) -> Array:
    """`gamma` of each of several sums."""
    most = terms * u
    return np.asarray(np.where(most < 0.5, most / (1 - np.minimum(most, 0.5)), math.inf))


def mass(gaps: Array, counts: Array) -> Array:
    """The sum of exp(-gap), at least that."""
    return np.asarray((np.exp(-gaps) * counts).sum(axis=1) * EXP64)


def grid_of(x: Array) -> int | None:
    """An exponent g, at most 0, such that all entries are multiples of 2^g; None if one is not finite."""
    if x.dtype.kind in "iub" or bool((x == np.rint(x)).all()):
        return 0 if x.dtype.kind in "iub" or bool(np.isfinite(x).all()) else None
    if not bool(np.isfinite(x).all()):
        return None
    fraction, exponent = np.frexp(x[x != 0])
    digits = np.ldexp(fraction, 53).astype(np.int64)
    _, zeros = np.frexp((digits & -digits).astype(np.float64))  # one more than the zeros that the 53 digits end in
    return min(0, int((exponent - 54 + zeros).min()))


def no_rounding(digits: int, largest: float, *grids: int | None) -> bool:
    """Whether sums up to `largest`, as float64 adds them up, of products on these grids, are exact in a format with `digits` digits."""
    grids_known = [g for g in grids if g is not None]
    g = sum(grids_known)
    return len(grids_known) == len(grids) and g >= FINEST[digits] and largest < math.ldexp(1.0, digits + g)
