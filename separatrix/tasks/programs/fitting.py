"""From a table of integers to a formula: a list of polynomials of small degree, each behind one linear threshold; exact or none.

    if  a_1 . x >= b_1  then  P_1(x)   else if  a_2 . x >= b_2  then  P_2(x)   ..   else  P_m(x)

The coefficients of a threshold are -1, 0 or 1, those of a polynomial fractions with a small denominator. A formula is returned only if
it gives every row of the table.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
PRIME = (1 << 31) - 1  # rows are solved modulo this, and the solution is then compared with every row
DENOMINATORS = (1, 2, 6, 4, 12)  # of binomial coefficients up to degree 3, and of their halves
LARGEST = 1 << 24  # numerators
MOST_PIECES = 6
SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (1, 3), (2, 3), (3, 3))  # pieces and degree, tried in this order
MOST_DEGREE = 3
SAMPLE = 24  # rows that a solution is sought on, before all are compared

Monomial = tuple[int, ...]  # coordinates, with repetition; () is 1


@dataclass(frozen=True)
class Polynomial:
    """The sum of coefficients times monomials of x."""

    terms: tuple[tuple[Monomial, Fraction], ...]


@dataclass(frozen=True)
class Threshold:
    """The condition a . x >= b on coordinates x."""

    a: tuple[int, ...]
    b: int


Piece = tuple[Threshold | None, tuple[Polynomial, ...]]  # the last piece has no threshold


def fitted(x: Integers, ys: Integers, degree: int = MOST_DEGREE) -> tuple[Piece, ...] | None:
    """The first of SHAPES, up to a degree, that gives every column of ys from the rows of x; None if none does."""
    fits = [_Fit(x, ys, [monomials(x.shape[1], d) for d in range(1, most + 1)]) for most in range(1, degree + 1)]
    rows = np.arange(len(x))
    for pieces, most in SHAPES:
        found = _thorough(x, fits[most - 1], rows, pieces) if most <= degree else None
        if found is not None:
            return found
    return next((found for fit in fits if (found := _greedy(x, fit, rows)) is not None), None)


def unique_largest(x: Integers, row: int) -> Threshold | None:
    """A threshold that this row reaches and no other."""
    for a in directions(x.shape[1], x.shape[1]):
        v = x @ np.array(a)
        if (np.delete(v, row) < v[row]).all():
            return Threshold(a, int(v[row]))
    return None


def monomials(coordinates: int, degree: int) -> list[Monomial]:
    """All up to a degree, the simplest first."""
    return [m for d in range(degree + 1) for m in itertools.combinations_with_replacement(range(coordinates), d)]


def directions(coordinates: int, most: int = 2) -> Iterator[tuple[int, ...]]:
    """Vectors of -1, 0 and 1 with at most so many entries that are not 0, the simplest first."""
    every = itertools.product((0, 1, -1), repeat=coordinates)
    yield from sorted((a for a in every if 0 < np.count_nonzero(a) <= most), key=np.count_nonzero)


class _Fit:
    """Polynomials for some rows of a table, by the first basis that serves."""

    def __init__(self, x: Integers, ys: Integers, bases: Sequence[list[Monomial]]) -> None:
        self.ys, self.bases = ys, bases
        widest = bases[-1]
        self.columns = np.stack([np.prod(x[:, list(m)], axis=1, dtype=np.int64) for m in widest], axis=1)

    def __call__(self, rows: Integers) -> tuple[Polynomial, ...] | None:
        found = []
        for y in self.ys.T:
            polynomial = self._one(rows, y)
            if polynomial is None:
                return None
            found.append(polynomial)
        return tuple(found)

    def _one(self, rows: Integers, y: Integers) -> Polynomial | None:
        for basis in self.bases:
            solution = solved(self.columns[rows, : len(basis)], y[rows])
            if solution is not None:
                return Polynomial(tuple((m, c) for m, c in zip(basis, solution, strict=True) if c))
        return None


def solved(columns: Integers, y: Integers) -> list[Fraction] | None:
    """Coefficients c with columns @ c = y on every row, 0 where a column is not needed."""
    N = len(y)
    rows = np.unique(np.linspace(0, N - 1, min(N, SAMPLE)).astype(np.int64))
    for _ in range(8):
        residues = _eliminated(np.concatenate([columns[rows], y[rows, None]], axis=1))
        if residues is None:
            return None
        whole = _whole(residues)
        if whole is None:
            return None
        numerators, denominator = whole
        wrong = np.flatnonzero(columns @ numerators != denominator * y)
        if not len(wrong):
            return [Fraction(int(c), denominator) for c in numerators]
        rows = np.union1d(rows, wrong[np.linspace(0, len(wrong) - 1, min(len(wrong), SAMPLE)).astype(np.int64)])
    return None


def _eliminated(matrix: Integers) -> Integers | None:
    """The solution of the equations modulo a prime, by the first columns that are independent; None if there is none."""
    A, m = matrix % PRIME, matrix.shape[1] - 1
    pivots: list[int] = []
    for column in range(m + 1):
        r = len(pivots)
        below = np.flatnonzero(A[r:, column])
        if not len(below):
            continue
        if column == m:
            return None
        A[[r, r + below[0]]] = A[[r + below[0], r]]
        A[r] = A[r] * pow(int(A[r, column]), -1, PRIME) % PRIME
        factors = A[:, column].copy()
        factors[r] = 0
        A = (A - factors[:, None] * A[r]) % PRIME
        pivots.append(column)
        if len(pivots) == len(A):
            break
    solution = np.zeros(m, dtype=np.int64)
    solution[pivots] = A[: len(pivots), m]
    return solution


def _whole(residues: Integers) -> tuple[Integers, int] | None:
    """The residues as small numerators over one of the denominators."""
    for denominator in DENOMINATORS:
        signed = (residues * denominator + PRIME // 2) % PRIME - PRIME // 2
        if (np.abs(signed) <= LARGEST).all():
            return signed, denominator
    return None


def _thorough(x: Integers, fit: _Fit, rows: Integers, pieces: int) -> tuple[Piece, ...] | None:
    if pieces == 1:
        whole = fit(rows)
        return None if whole is None else ((None, whole),)
    for threshold, polynomials, rest in _splits(x, fit, rows):
        further = _thorough(x, fit, rest, pieces - 1)
        if further is not None:
            return ((threshold, polynomials), *further)
    return None


def _greedy(x: Integers, fit: _Fit, rows: Integers) -> tuple[Piece, ...] | None:
    listed: list[Piece] = []
    for _ in range(MOST_PIECES - 1):
        splits = list(_splits(x, fit, rows))
        if not splits:
            return None
        threshold, polynomials, rows = min(splits, key=lambda split: len(split[2]))
        listed.append((threshold, polynomials))
        whole = fit(rows)
        if whole is not None:
            return (*listed, (None, whole))
    return None


def _splits(x: Integers, fit: _Fit, rows: Integers) -> Iterator[tuple[Threshold, tuple[Polynomial, ...], Integers]]:
    """For each direction the largest set a . x >= b of these rows, but not all of them, that polynomials serve; and the other rows."""
    for a in directions(x.shape[1]):
        v = x[rows] @ np.array(a)
        levels = np.unique(v)[::-1]
        first = _last_true(len(levels) - 1, lambda k, v=v, levels=levels: fit(rows[v >= levels[k]]) is not None)  # type: ignore[misc]
        if first is None:
            continue
        inside = v >= levels[first]
        polynomials = fit(rows[inside])
        assert polynomials is not None
        yield Threshold(a, int(levels[first])), polynomials, rows[~inside]


def _last_true(count: int, holds: Callable[[int], bool]) -> int | None:
    """The last of 0 .. count - 1 where something holds that, once false, stays false; None if it never holds."""
    if count <= 0 or not holds(0):
        return None
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
