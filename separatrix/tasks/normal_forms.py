"""Two-level formulas as thresholds of their parts: an OR of ANDs (k-DNF) and an AND of ORs (k-CNF).

[bhattamishra2024 Task 8]

    ^ 1 0 0 1  ->  1        k-dnf with `x1 & !x3 | x2 & x4`: the terms are the features, and one is enough
    ^ 1 0 0 0  ->  0        k-cnf with `(x1 | !x3) & (x2 | x4)`: the clauses are the features, and all are needed

A formula is given, or drawn from the stream of `instance`: every part has k literals over different bits.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from separatrix.errors import BadInput
from separatrix.tasks.sparse_threshold import Feature, Thresholds
from separatrix.tasks.task import Leak, sized


@dataclass(frozen=True)
class Formula(Thresholds):
    """A two-level formula: literals joined by `inner` into parts, parts joined by the other sign."""

    k: int = 3
    formula: str = ""
    terms: int | None = None
    instance: int = 0

    inner: ClassVar[str]

    def second(self, tokens: Sequence[int]) -> int:
        """Evaluate the formula as written: literals, parts, whole."""
        inner, outer = (all, any) if self.inner == "&" else (any, all)
        return int(outer(inner(tokens[place] == value for place, value in part) for part in self._parts()))

    @functools.cached_property
    def sparse_features(self) -> tuple[Feature, ...]:
        return tuple(map(self._part, self._parts()))

    def _parts(self) -> list[list[tuple[int, int]]]:
        """The literals (place, required value) of every part."""
        if self.formula.strip():
            outer = "&|".replace(self.inner, "")
            return [self._literals(part) for part in self.formula.split(outer)]
        about_half = max(1, (7 * 2**self.k + 5) // 10)  # ln 2 * 2^k parts: a random input satisfies about half of the formulas
        drawn = min(self.length, about_half) if self.terms is None else self.terms
        if drawn < 1:
            raise BadInput(f"{self.name}: terms must be at least 1, found {drawn}")
        places, bits = self._draw(drawn, min(self.k, self.length))
        return [[*zip(p.tolist(), b.tolist(), strict=True)] for p, b in zip(places, bits, strict=True)]

    def _literals(self, part: str) -> list[tuple[int, int]]:
        bare = re.sub(r"^\s*\((.*)\)\s*$", r"\1", part)
        literals = [re.fullmatch(r"\s*(!?)\s*x(\d+)\s*", word) for word in bare.split(self.inner)]
        if None in literals:
            raise BadInput(f"{self.name}: expected literals such as x3 or !x3 joined by {self.inner}, found {part.strip()!r}")
        return [(int(literal[2]), 0 if literal[1] else 1) for literal in literals if literal]

    def _part(self, literals: list[tuple[int, int]]) -> Feature:
        places = tuple(sorted({place for place, _ in literals}))
        values = ([bits[places.index(place)] == want for place, want in literals] for bits in itertools.product((0, 1), repeat=len(places)))
        return Feature(places, tuple(int(all(literal_values) if self.inner == "&" else any(literal_values)) for literal_values in values))


@dataclass(frozen=True)
class KDnf(Formula):
    """An OR of terms, each an AND of at most k literals."""

    name = "k-dnf"
    title = "k-DNF"
    inner = "&"
    enumerated_at = sized(length=4, formula="x1 & !x3 | x2 & x4")
    sampled_at = (sized(length=10, formula="x1 & !x4 & x7 | (x2 & x3) | !x8 & !x9 & x10 | x5 & !x5"),)

    @property
    def bound(self) -> int:
        return 0


@dataclass(frozen=True)
class KCnf(Formula):
    """An AND of clauses, each an OR of at most k literals."""

    name = "k-cnf"
    title = "k-CNF"
    inner = "|"
    known_leaks = (Leak("A clause of a formula that was drawn may read the last bits only.", ("last-symbols",)),)
    enumerated_at = sized(length=4, formula="(x1 | !x3) & (x2 | x4)")
    sampled_at = (sized(length=10, formula="(x1 | !x4 | x7) & (x2 | x3) & (!x8 | !x9 | x10) & (x5 | !x5)"),)

    @property
    def bound(self) -> int:
        return len(self.sparse_features) - 1
