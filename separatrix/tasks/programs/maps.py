"""The maps of a dynamic program as formulas of the state: the next state, the last one, and the positions that a state reads.

[yang2024 Assumption B.1] [yang2024 Assumption B.2]

A program states its order and its dependences in Python (`states`, `needs`), at one size. The formulas are found from the table that
this gives (fitting.py) and hold on every state of it. A map without a formula of this kind has no small network here, and is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.programs.expression import Condition, Constant, Expression, Multiple, Quotient, Value, every, expression, where
from separatrix.tasks.programs.fitting import MOST_DEGREE, MOST_PIECES, Piece, Polynomial, Threshold, fitted, unique_largest
from separatrix.tasks.programs.unrolled import Unrolled


@dataclass(frozen=True, eq=False)
class Case:
    """A formula and the conditions under which it is meant; of the cases of a map exactly one holds."""

    conditions: tuple[Condition, ...]
    formula: Expression


@dataclass(frozen=True, eq=False)
class Maps:
    """Formulas of the coordinates of a state: of the current one, except `positions`, which are of the state that reads."""

    first: tuple[int, ...]
    following: tuple[tuple[Case, ...], ...]  # for each coordinate, its next value; where the state is not the last
    last: Condition
    positions: Mapping[str, tuple[Case, ...]]  # the separator's where there is nothing to read


def maps_of(u: Unrolled, name: str) -> Maps:
    """The formulas of a program at its size."""
    states = u.states.astype(np.int64)
    formulas = Formulas(tuple(map(Value, u.coordinates)))
    following: tuple[tuple[Case, ...], ...] = tuple((Case((), formulas.coordinates[c]),) for c in range(states.shape[1]))
    if len(states) > 1:
        pieces = _found(fitted(states[:-1], states[1:], degree=1), f"{name}: the next state")
        following = tuple(formulas.cases(pieces, c) for c in range(states.shape[1]))
    positions = {
        read: formulas.cases(_found(fitted(states, u.positions[:, [r]].astype(np.int64)), f"{name}: the position of {read!r}"), 0)
        for r, read in enumerate(u.reads)
    }
    return Maps(tuple(map(int, states[0])), following, formulas.reached_by(states, len(states) - 1), positions)


def chosen(cases: Sequence[Case], also: Condition) -> Expression:
    """The formula of the case that holds, where a further condition does; else 0."""
    total: Expression = Constant(0)
    for case in cases:
        flag = every(*case.conditions, also)
        total = total + (Multiple(case.formula.value, (flag,)) if isinstance(case.formula, Constant) else where(flag, case.formula, 0))
    return total


class Formulas:
    """Thresholds and monomials as expressions, each of them once."""

    def __init__(self, coordinates: tuple[Value, ...]) -> None:
        self.coordinates = coordinates
        self.monomials: dict[tuple[int, ...], Expression] = {(c,): value for c, value in enumerate(coordinates)}
        self.thresholds: dict[Threshold, Condition] = {}

    def cases(self, pieces: Sequence[Piece], column: int) -> tuple[Case, ...]:
        """One column of a fitted list: each case excludes those before it."""
        cases, before = [], ()  # type: tuple[list[Case], tuple[Condition, ...]]
        for threshold, polynomials in pieces:
            reached = () if threshold is None else (self.threshold(threshold),)
            cases.append(Case((*before, *reached), self.polynomial(polynomials[column])))
            before = (*before, *(~condition for condition in reached))
        return tuple(cases)

    def threshold(self, threshold: Threshold) -> Condition:
        """The condition a . x >= b on the coordinates, built once."""
        if threshold not in self.thresholds:
            form = self._sum(
                [(coefficient, value) for coefficient, value in zip(threshold.a, self.coordinates, strict=True) if coefficient]
            )
            self.thresholds[threshold] = form >= threshold.b
        return self.thresholds[threshold]

    def polynomial(self, polynomial: Polynomial) -> Expression:
        """Numerators over the common denominator."""
        divisor = lcm(*(coefficient.denominator for _, coefficient in polynomial.terms)) if polynomial.terms else 1
        terms = [(int(Fraction(divisor) * coefficient), self.monomial(m)) for m, coefficient in polynomial.terms]
        total = self._sum(terms)
        return total if divisor == 1 else Quotient(divisor, (total,))

    def monomial(self, m: tuple[int, ...]) -> Expression:
        """A product of coordinates."""
        if not m:
            return Constant(1)
        if m not in self.monomials:
            self.monomials[m] = self.monomial(m[:-1]) * self.coordinates[m[-1]]
        return self.monomials[m]

    def reached_by(self, states: np.ndarray, row: int) -> Condition:
        """Whether the state is that of one row: by one threshold, or coordinate by coordinate."""
        threshold = unique_largest(states, row) if len(states) > 1 else None
        if threshold is not None:
            return self.threshold(threshold)
        return every(*(value == int(number) for value, number in zip(self.coordinates, states[row], strict=True)))

    def _sum(self, terms: Sequence[tuple[int, Expression]]) -> Expression:
        constant = sum(c * e.value for c, e in terms if isinstance(e, Constant))
        rest = [e if c == 1 else Multiple(c, (e,)) for c, e in terms if not isinstance(e, Constant)]
        if not rest:
            return Constant(constant)
        total = rest[0]
        for term in rest[1:]:
            total = total + term
        return total + expression(constant) if constant else total


def _found(pieces: tuple[Piece, ...] | None, what: str) -> tuple[Piece, ...]:
    if pieces is None:
        raise BadInput(
            f"{what} has no small network: no list of at most {MOST_PIECES} polynomials of degree at most {MOST_DEGREE} behind thresholds "
            "gives it; expected maps=table, which keeps it in a table of L rows, outside the theorem's assumptions"
        )
    return pieces
