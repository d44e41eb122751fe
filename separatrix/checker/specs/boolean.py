"""Thresholds of sparse features: the beginning 2 and N bits; the answer, at the last one, is 1 where more than b features hold.

A feature reads few places. Features without a text are drawn from the stream of `instance`: of each feature, draws 0..N-1 order the
places, of which the first k are taken, and the following ones are fair bits. This is what the task is, not which cases are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from separatrix.checker.fields import within
from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.specs.counts import strings
from separatrix.checker.specs.forms.local import TABULATED, Count, Part, Parts
from separatrix.checker.specs.parameters import Field, Integer, Text
from separatrix.checker.specs.spec import Choices, Spec, Task
from separatrix.checker.specs.words import Words

Row = Any  # the beginning and the bits: place i is row[i]
Holds = Callable[[Row], int]
Literals = list[tuple[int, int]]  # places, and the bit that each asks for

DRAWN = 10**7  # words of all drawn features
BEGINNING = 2
FEATURE = re.compile(r"\s*([0-9]{1,7}(?:\s*,\s*[0-9]{1,7}){0,11})\s*:\s*([01]{2,4096})\s*")
LITERAL = re.compile(r"\s*(!\s*)?x([0-9]{1,7})\s*")  # no two blanks beside each other, so that a match takes no more than one pass


@dataclass
class Features:
    """At most N features, each over at most k of N bits."""

    name: str
    N: int
    k: int
    instance: int
    holds: list[Holds] = field(default_factory=list)
    places: list[tuple[int, ...]] = field(default_factory=list)  # of each, in rising order
    seeing: dict[int, list[Holds]] = field(default_factory=dict)  # by the place that they read

    def add(self, places: Sequence[int], holds: Holds) -> None:
        """One more."""
        different = {*places}
        if len(self.holds) >= self.N or len(different) > self.k or not all(1 <= place <= self.N for place in different):
            raise Refused(f"features: at most N = {self.N} over at most k = {self.k} of N bits, found one over {list(places)[:20]}")
        self.holds.append(holds)
        self.places.append(tuple(sorted(different)))
        for place in different:
            self.seeing.setdefault(place, []).append(holds)

    def drawn(self, count: int) -> Iterator[tuple[list[int], Words]]:
        """Places of drawn features, and the random words for the rest."""
        within(count * (self.N + 2**self.k), 1, DRAWN, "features times the words of each")
        for f in range(count):
            words = Words(f"{self.name} instance", {"length": self.N, "k": self.k, "features": count}, self.instance, f)
            order = arrays.argsort(words.many(0, self.N), kind="stable")
            yield sorted(int(place) + 1 for place in order[: self.k]), words

    def spec(self, title: str, b: int) -> Spec:
        """More than b of them hold."""
        N, alphabets = self.N, (range(BEGINNING, BEGINNING + 1), *(range(2),) * self.N)

        def edge(choices: Choices) -> list[int]:
            """Bits flip, one chosen place at a time, as long as that does not lead away from b (even cases) or b + 1 (odd ones)."""
            row, wanted = [BEGINNING, *choices.many(N, 2).tolist()], b + choices.number % 2
            held = sum(holds(row) for holds in self.holds)
            for place in (1 + choices.many(4 * N, N)).tolist():
                if held == wanted:
                    break
                before = sum(holds(row) for holds in self.seeing.get(place, ()))
                row[place] ^= 1
                after = held + sum(holds(row) for holds in self.seeing.get(place, ())) - before
                if abs(after - wanted) <= abs(held - wanted):
                    held = after
                else:
                    row[place] ^= 1
            return row

        return Spec(
            title=title,
            alphabets=alphabets,
            vocabulary=3,
            targets=2,
            truth=lambda tokens: int(sum(holds(tokens) for holds in self.holds) > b),
            input_count=strings(2, N),
            form=lambda: self._form(alphabets, b),
            answering=2000,
            drawing=1 << 13,
            families={"edge": edge},
        )

    def _form(self, alphabets: tuple[range, ...], b: int) -> Count | None:
        """Features as tables; equal tables are one, so that what is shown of one need not be shown again."""
        if sum(2 ** len(places) for places in self.places) > TABULATED:
            return None
        known: dict[bytes, arrays.Truths] = {}

        def table(places: tuple[int, ...], holds: Holds) -> arrays.Truths:
            values = [bool(holds(dict(zip(places, bits, strict=True)))) for bits in product((0, 1), repeat=len(places))]
            entries = arrays.array(values).reshape((2,) * len(places))
            return known.setdefault(bytes([len(places)]) + entries.tobytes(), entries)

        every = Parts(alphabets, tuple(Part(places, table(places, holds)) for places, holds in zip(self.places, self.holds, strict=True)))
        return Count(range(self.N + 1, self.N + 2), lambda _: every, lambda _: b, few=0, many=1)


def sparse_threshold(length: int, k: int, instance: int, features: str, threshold: int | None) -> Spec:
    """Features given by tables: `1,3:0110; 2,4:0001`, the places of each and its values for 00, 01, 10, 11; or N drawn ones.

    The bound defaults to half their number.
    """
    those = Features("sparse-threshold", length, k, instance)

    def add(places: list[int], values: list[int]) -> None:
        if len(values) != 2 ** len(places) or len({*places}) < len(places):
            raise Refused(f"features: expected different places and 2^{len(places)} values, found {places}")
        those.add(places, _tabled(places, values))

    for entry in features.split(";") if features.strip() else ():
        match = FEATURE.fullmatch(entry)
        if match is None:
            raise Refused(f"features: expected places and values such as 1,3:0110, found {entry.strip()!r:.80}")
        add([int(place) for place in match[1].split(",")], [int(value) for value in match[2]])
    for places, words in those.drawn(length) if not features.strip() else ():
        add(places, words.many_below(length, 2 ** len(places), 2).tolist())
    count = len(those.holds)
    b = count // 2 if threshold is None else threshold
    return those.spec(f"more than {b} of {count} features of at most {k} bits, N = {length}", b)


def formula_of(name: str, inner: str, outer: str, length: int, k: int, instance: int, formula: str, terms: int | None) -> Spec:
    """Literals such as x3 and !x3 joined into parts by the inner sign, and parts by the outer one; or drawn, k literals in every part."""
    those = Features(name, length, k, instance)
    for part in formula.split(outer) if formula.strip() else ():
        bare = part.strip()
        bare = bare[1:-1] if bare.startswith("(") and bare.endswith(")") else bare
        literals = [_literal(word) for word in bare.split(inner)]
        those.add([place for place, _ in literals], _joined(literals, inner))
    if not formula.strip():
        about_half = max(1, (7 * 2**k + 5) // 10)
        for places, words in those.drawn(min(length, about_half) if terms is None else within(terms, 1, length, "terms")):
            those.add(places, _joined([*zip(places, words.many_below(length, len(places), 2).tolist(), strict=True)], inner))
    count = len(those.holds)
    parts = "terms" if outer == "|" else "clauses"
    return those.spec(f"{k}-{name.removeprefix('k-').upper()} of {count} {parts}, N = {length}", 0 if outer == "|" else count - 1)


def _tabled(places: Sequence[int], values: Sequence[int]) -> Holds:
    """The entry indexed by the bits at these places, the first being the most significant."""

    def holds(row: Row) -> int:
        spelled = 0
        for place in places:
            spelled = 2 * spelled + row[place]
        return values[spelled]

    return holds


def _joined(literals: Literals, sign: str) -> Holds:
    """Whether all bits at these places have the required values, or any of them has."""
    if sign == "&":
        return lambda row: 1 if all(row[place] == bit for place, bit in literals) else 0
    return lambda row: 1 if any(row[place] == bit for place, bit in literals) else 0


def _literal(word: str) -> tuple[int, int]:
    """x3 as (3, 1) and !x3 as (3, 0)."""
    match = LITERAL.fullmatch(word)
    if match is None:
        raise Refused(f"formula: expected a literal such as x3 or !x3, found {word!r:.80}")
    return int(match[2]), 0 if match[1] else 1


SPARSE: dict[str, Field] = {"length": Integer(1, 10**5), "k": Integer(1, 12), "instance": Integer(0, 1 << 62)}
FORMULA: dict[str, Field] = {**SPARSE, "formula": Text(1 << 24), "terms": Integer(-(1 << 62), 1 << 62, optional=True)}
TASKS = {
    "sparse-threshold": Task(
        {**SPARSE, "features": Text(1 << 24), "threshold": Integer(-(1 << 62), 1 << 62, optional=True)}, sparse_threshold
    ),
    "k-dnf": Task(FORMULA, partial(formula_of, "k-dnf", "&", "|")),
    "k-cnf": Task(FORMULA, partial(formula_of, "k-cnf", "|", "&")),
}
