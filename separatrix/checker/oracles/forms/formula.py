"""Two-level formulas: literals such as x3 and !x3 joined into parts, and parts joined by the other sign."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Any, ClassVar

from separatrix.checker.fields import within
from separatrix.checker.oracles.forms.features import Features, Holds
from separatrix.checker.seal import Refused

LITERAL = re.compile(r"\s*(!?)\s*x([0-9]{1,7})\s*")


class Formula(Features):
    """A formula is given, or drawn: every part has k literals over different bits."""

    fields: ClassVar[dict[str, Any]] = {"formula": str, "terms": (int, type(None))}
    inner: ClassVar[str]
    outer: ClassVar[str]
    parts: ClassVar[str]

    def read(self) -> int:
        text, terms = self.parameters["formula"], self.parameters["terms"]
        if text.strip():
            for part in text.split(self.outer):
                bare = part.strip()
                bare = bare[1:-1] if bare.startswith("(") and bare.endswith(")") else bare
                self._add([literal(word) for word in bare.split(self.inner)])
        else:
            about_half = max(1, (7 * 2**self.k + 5) // 10)
            count = min(self.N, about_half) if terms is None else within(terms, 1, self.N, "terms")
            for places, words in self.drawn(count):
                self._add([*zip(places, words.many_below(self.N, len(places), 2).tolist(), strict=True)])
        return self.bound()

    def worded(self) -> str:
        form = self.name.removeprefix("k-").upper()
        return f"{self.k}-{form} of {len(self.features)} {self.parts}, N = {self.N}"

    @abstractmethod
    def bound(self) -> int:
        """b: the formula holds if more than b parts do."""

    def _add(self, literals: list[tuple[int, int]]) -> None:
        self.add([place for place, _ in literals], every(literals) if self.inner == "&" else some(literals))


def every(literals: list[tuple[int, int]]) -> Holds:
    """Whether all bits at these places have the required values."""
    return lambda row: 1 if all(row[place] == bit for place, bit in literals) else 0


def some(literals: list[tuple[int, int]]) -> Holds:
    """Whether any of them has."""
    return lambda row: 1 if any(row[place] == bit for place, bit in literals) else 0


def literal(word: str) -> tuple[int, int]:
    """x3 as (3, 1) and !x3 as (3, 0)."""
    match = LITERAL.fullmatch(word)
    if match is None:
        raise Refused(f"formula: expected a literal such as x3 or !x3, found {word!r:.80}")
    return int(match[2]), 0 if match[1] else 1
