"""Thresholds of sparse features: the beginning 2 and N bits; the answer, at the last one, is 1 where more than b features hold.

A feature reads few places. Features without a text are drawn from the stream of `instance`: of each feature, draws 0..N-1 order the
places, of which the first k are taken, and the following ones are fair bits. Draws of a case: the bits, then the places that may flip.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import strings
from separatrix.checker.oracles.forms.local import TABULATED, Count, Part, Parts
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words
from separatrix.checker.seal import Refused

Row = Sequence[int] | Mapping[int, int]  # the beginning and the bits: place i is row[i]
Holds = Callable[[Row], int]

LONGEST, WIDEST, DRAWN = 10**5, 12, 10**7  # bits of an input, places of a feature, words of all drawn features
BEGINNING = 2


class Features(TaskOracle):
    """`edge`: bits flip, one drawn place at a time, as long as that does not lead away from b (even cases) or b + 1 (odd ones)."""

    families = ("random", "edge")
    drawing = 1 << 13
    answering = 2000
    fields: ClassVar[dict[str, Any]]

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, k=int, instance=int, **self.fields)
        self.N, self.k = within(parameters["length"], 1, LONGEST, "length"), within(parameters["k"], 1, WIDEST, "k")
        within(parameters["instance"], 0, 1 << 62, "instance")
        self.vocabulary, self.targets, self.tokens = 3, 2, self.N + 1
        self.features: list[Holds] = []
        self.places_of: list[tuple[int, ...]] = []  # of each feature, in rising order
        self.looking_at: dict[int, list[Holds]] = {}
        self.b = self.read()
        self.title = self.worded()
        self.input_count = strings(2, self.N)

    @abstractmethod
    def read(self) -> int:
        """Read or draw the features; returns the bound b."""

    @abstractmethod
    def worded(self) -> str:
        """The title."""

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(BEGINNING, BEGINNING + 1), *(range(2),) * self.N)

    def truth(self, tokens: Sequence[int]) -> int | None:
        return 1 if self.true_count(tokens) > self.b else 0

    def true_count(self, row: Row) -> int:
        """The number of features that hold."""
        return sum(holds(row) for holds in self.features)

    def form(self) -> Count | None:
        """Features as tables; equal tables are one, so that what is shown of one need not be shown again."""
        if sum(2 ** len(places) for places in self.places_of) > TABULATED:
            return None
        known: dict[bytes, npt.NDArray[np.bool_]] = {}

        def table(places: tuple[int, ...], holds: Holds) -> npt.NDArray[np.bool_]:
            values = [bool(holds(dict(zip(places, bits, strict=True)))) for bits in product((0, 1), repeat=len(places))]
            table_values = np.array(values).reshape((2,) * len(places))
            return known.setdefault(table_values.shape.__repr__().encode() + table_values.tobytes(), table_values)

        parts = tuple(Part(places, table(places, holds)) for places, holds in zip(self.places_of, self.features, strict=True))
        every = Parts(self.alphabets, parts)
        return Count(range(self.tokens, self.tokens + 1), lambda _: every, lambda _: self.b, few=0, many=1)

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        row = [BEGINNING, *words.many_below(0, self.N, 2).tolist()]
        if case.family == "edge":
            self._move(row, self.b + case.number % 2, words.many_below(self.N, 4 * self.N, self.N).tolist())
        return np.array(row, dtype=np.int64)

    def _move(self, row: list[int], wanted: int, places: list[int]) -> None:
        """Flip bits until `wanted` features hold; only features that read a place can change with it."""
        current = self.true_count(row)
        for place in places:
            if current == wanted:
                return
            seeing = self.looking_at.get(place + 1, ())
            before = sum(holds(row) for holds in seeing)
            row[place + 1] ^= 1
            after = current + sum(holds(row) for holds in seeing) - before
            if abs(after - wanted) <= abs(current - wanted):
                current = after
            else:
                row[place + 1] ^= 1

    def drawn(self, count: int) -> Iterator[tuple[list[int], Words]]:
        """Places of drawn features, and the random words for the rest."""
        within(count * self.N, 1, DRAWN, "features times length")
        parameters = {"length": self.N, "k": self.k, "features": count}
        for f in range(count):
            words = Words(f"{self.name} instance", parameters, self.parameters["instance"], f)
            order = np.argsort(words.many(0, self.N), kind="stable")
            yield sorted(int(place) + 1 for place in order[: self.k]), words

    def add(self, places: Sequence[int], holds: Holds) -> None:
        """One more feature: at most N, each over at most k of the bits."""
        different = {*places}
        if len(self.features) >= self.N or len(different) > self.k or not all(1 <= place <= self.N for place in different):
            raise Refused(f"features: at most N = {self.N} over at most k = {self.k} of N bits, found one over {list(places)[:20]}")
        self.features.append(holds)
        self.places_of.append(tuple(sorted(different)))
        for place in different:
            self.looking_at.setdefault(place, []).append(holds)
