"""Norms of weights, bounded from above: decimals that are rounded up, and whose exponents neither overflow nor underflow.

Norms are taken of matrices that are first scaled, by a power of two, to entries of about 1.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context, Decimal, Overflow

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.seal import Refused

UPWARD = Context(prec=40, rounding=ROUND_CEILING, Emin=-(10**9), Emax=10**9, traps=[Overflow])
UP = Decimal(1 + 2.0**-30)  # more than the singular values and sums of float64 are off, relatively
ONE, TWO = Decimal(1), Decimal(2)


def spread(rows: list[Box]) -> tuple[Decimal, Decimal]:
    """Bounds on the vectors of all rows, and on how far two of them, at one place, lie apart."""
    off = max(lengths(row.radius) for row in rows)
    return max(lengths(row.middle) for row in rows) + off, max(lengths(x.middle - y.middle) for x in rows for y in rows) + 2 * off


def norm(matrix: Array) -> Decimal:
    """The largest singular value."""
    a, power = _scaled(matrix)
    return Decimal(float(np.linalg.norm(a, ord=2))) * UP * power


def product_norm(one: Array, other: Array) -> Decimal:
    """The largest singular value of a product, whose entries are off by no more than rounding errors of the factors' own norms."""
    (a, left), (b, right) = _scaled(one), _scaled(other)
    off = Decimal((a.shape[1] + 2) * 2.0**-51 * float(np.linalg.norm(a) * np.linalg.norm(b)))
    return (Decimal(float(np.linalg.norm(a @ b, ord=2))) * UP + off) * left * right


def lengths(vectors: Array) -> Decimal:
    """The length of the longest row."""
    a, power = _scaled(vectors)
    return Decimal(float(np.linalg.norm(a, axis=-1).max())) * UP * power


def length(vector: Array | None) -> Decimal:
    """The length of one vector; 0 if there is none."""
    return Decimal(0) if vector is None else lengths(vector[None])


def _scaled(x: Array) -> tuple[Array, Decimal]:
    """Numbers of at most 1 that are x divided by a power of two, and that power; what underflows beside the largest adds nothing to it."""
    x = x.astype(np.float64)
    most = float(np.abs(x).max(initial=0.0))
    if not math.isfinite(most):
        raise Refused("bound: a number of the model is not finite")
    power = math.frexp(most)[1]
    return np.ldexp(x, -power), TWO**power
