"""The tasks that count features of a few bits, written a second time.

A feature is a function from rows of bits [rows, N] to 0 or 1 for each row. Features that no text gives are drawn from the stream of
`instance`: draws 0..N-1 order the places, of which the first k are taken, and the following ones are fair bits.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.counter import Words
from separatrix.checker.fields import exactly, within
from separatrix.checker.seal import Refused

if TYPE_CHECKING:
    from separatrix.checker.oracles import Case

Bits = npt.NDArray[np.int64]
Feature = Callable[[Bits], Bits]

LONGEST, MOST = 10**5, 10**7  # bits of one input, and of all inputs that are held at a time or enumerated
BEGINNING = 2


class Intersects:
    """Two sets of N/2 elements as bits; the answer, at the last one, is 1 where they share an element."""

    def __init__(self, parameters: Any) -> None:
        self.parameters = exactly(parameters, "task_parameters", length=int)
        self.h = within(parameters["length"], 2, LONGEST, "length") // 2
        if parameters["length"] % 2:
            raise Refused(f"length: expected an even number, found {parameters['length']}")
        self.vocabulary, self.targets = 2, 2

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """`random` (each element in one set or in none), `fair-bits`, `complement` (each element in one set) or `all`."""
        if kind == "all":
            yield from map(self._asked, _all_bits(2 * self.h, count))
            return
        for j in range(count):
            words = Words("intersects", self.parameters, seed, j)
            if kind == "random":
                element = words.many_below(2, self.h, 3)
                first, second = element // 2, element % 2
            elif kind in ("fair-bits", "complement"):
                bits = words.many_below(2, 2 * self.h, 2)
                first, second = bits[: self.h], bits[self.h :] if kind == "fair-bits" else 1 - bits[: self.h]
            else:
                raise Refused(f"intersects has no cases {kind!r}")
            if kind != "fair-bits" and words.below(0, 2):
                first[words.below(1, self.h)] = second[words.below(1, self.h)] = 1
            yield self._asked(np.concatenate([first, second]))

    def _asked(self, bits: Bits) -> Case:
        return bits, {2 * self.h - 1: int(any(x and y for x, y in zip(bits[: self.h], bits[self.h :], strict=True)))}


class SparseThreshold:
    """The beginning and N bits; the answer, at the last one, is 1 where more than b features hold."""

    name = "sparse-threshold"
    fields: tuple[tuple[str, Any], ...] = (("features", str), ("threshold", (int, type(None))))

    def __init__(self, parameters: Any) -> None:
        self.parameters = exactly(parameters, "task_parameters", length=int, k=int, instance=int, **dict(self.fields))
        self.N, self.k = within(parameters["length"], 1, LONGEST, "length"), within(parameters["k"], 1, 12, "k")
        within(parameters["instance"], 0, 1 << 62, "instance")
        self.vocabulary, self.targets = 3, 2
        self.features: list[Feature] = []
        self.b = self.read()

    def read(self) -> int:
        """Make the features; the bound b."""
        text, given = self.parameters["features"], self.parameters["threshold"]
        if text.strip():
            written = [entry.partition(":") for entry in text.split(";")]
            tables = [([int(place) for place in places.split(",")], [int(v) for v in values.strip()]) for places, _, values in written]
        else:
            tables = [(places, words.many_below(self.N, 2 ** len(places), 2).tolist()) for places, words in self.drawn(self.N)]
        for places, values in tables:
            if len(values) != 2 ** len(places) or not {*values} <= {0, 1} or len({*places}) < len(places):
                raise Refused(f"features: expected different places and 2^{len(places)} values, found {places}")
            self.add(places, table_feature(places, values))
        return len(self.features) // 2 if given is None else int(given)

    def drawn(self, count: int) -> Iterator[tuple[list[int], Words]]:
        """Places of drawn features, and the words that the rest comes from."""
        within(count * self.N, 1, MOST, "features times length")
        parameters = {"length": self.N, "k": self.k, "features": count}
        for f in range(count):
            words = Words(f"{self.name} instance", parameters, self.parameters["instance"], f)
            order = np.argsort(words.many(0, self.N), kind="stable")
            yield sorted(int(place) + 1 for place in order[: self.k]), words

    def add(self, places: Sequence[int], feature: Feature) -> None:
        """One more feature: at most N, each over at most k of the bits."""
        if len(self.features) >= self.N or len({*places}) > self.k or not all(1 <= place <= self.N for place in places):
            raise Refused(f"features: at most N = {self.N} over at most k = {self.k} of N bits, found one over {list(places)}")
        self.features.append(feature)

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """`random`, `edge` (about b features hold, or b + 1) or `all`."""
        if kind == "all":
            yield from map(self._asked, _all_bits(self.N, count))
        elif kind == "random":
            for j in range(count):
                yield self._asked(Words(self.name, self.parameters, seed, j).many_below(0, self.N, 2))
        elif kind == "edge":
            yield from map(self._asked, self._edge(seed, count))
        else:
            raise Refused(f"{self.name} has no cases {kind!r}")

    def _edge(self, seed: int, count: int) -> Bits:
        """Flips of one drawn bit at a time that do not lead away from b (even rows) or b + 1 (odd rows), until the row is there."""
        within(5 * self.N * count, 0, 10 * MOST, "bits of all cases")
        drawn = [Words(self.name, self.parameters, seed, j) for j in range(count)]
        bits = np.array([words.many_below(0, self.N, 2) for words in drawn]).reshape(count, self.N)
        places = np.array([words.many_below(self.N, 4 * self.N, self.N) for words in drawn]).reshape(count, 4 * self.N)
        rows, wanted = np.arange(count), self.b + np.arange(count) % 2
        away = np.abs(self.held(bits) - wanted)
        for t in range(4 * self.N):
            if (away == 0).all():
                break
            flipped = bits.copy()
            flipped[rows, places[:, t]] = 1 - bits[rows, places[:, t]]
            after = np.abs(self.held(flipped) - wanted)
            bits = np.where(((away > 0) & (after <= away))[:, None], flipped, bits)
            away = np.minimum(away, after)
        return bits

    def held(self, bits: Bits) -> Bits:
        """How many features hold on each row."""
        return np.asarray(np.sum([feature(bits) for feature in self.features], axis=0, dtype=np.int64))

    def _asked(self, bits: Bits) -> Case:
        return np.concatenate([[BEGINNING], bits]), {self.N: int(self.held(bits[None, :])[0] > self.b)}


class KDnf(SparseThreshold):
    """Some term holds: all its literals do."""

    name = "k-dnf"
    fields = (("formula", str), ("terms", (int, type(None))))
    inner, outer = "&", "|"

    def read(self) -> int:
        text, terms = self.parameters["formula"], self.parameters["terms"]
        if text.strip():
            for part in text.split(self.outer):
                bare = part.strip()
                bare = bare[1:-1] if bare.startswith("(") and bare.endswith(")") else bare
                self.add_literals([literal(word) for word in bare.split(self.inner)])
        else:
            about_half = max(1, (7 * 2**self.k + 5) // 10)
            count = min(self.N, about_half) if terms is None else within(terms, 1, self.N, "terms")
            for places, words in self.drawn(count):
                self.add_literals([*zip(places, words.many_below(self.N, len(places), 2).tolist(), strict=True)])
        return self.bound()

    def add_literals(self, literals: list[tuple[int, int]]) -> None:
        """A part: places with the bits that they want."""
        self.add([place for place, _ in literals], literals_feature(literals, np.all if self.inner == "&" else np.any))

    def bound(self) -> int:
        """More than none."""
        return 0


class KCnf(KDnf):
    """Every clause holds: some of its literals does."""

    name = "k-cnf"
    inner, outer = "|", "&"

    def bound(self) -> int:
        """More than all but one."""
        return len(self.features) - 1


def table_feature(places: Sequence[int], values: Sequence[int]) -> Feature:
    """The entry that the bits at these places spell, the first being the most significant."""
    table = np.array(values, dtype=np.int64)

    def feature(bits: Bits) -> Bits:
        spelled = np.zeros(len(bits), dtype=np.int64)
        for place in places:
            spelled = 2 * spelled + bits[:, place - 1]
        return np.asarray(table[spelled])

    return feature


def literals_feature(literals: Sequence[tuple[int, int]], joined: Any) -> Feature:
    """All or any of the bits at these places being what they should be."""
    where, want = np.array([place - 1 for place, _ in literals]), np.array([bit for _, bit in literals])
    return lambda bits: np.asarray(joined(bits[:, where] == want, axis=1)).astype(np.int64)


def literal(word: str) -> tuple[int, int]:
    """x3 as (3, 1) and !x3 as (3, 0)."""
    plain = word.strip()
    name = plain[1:].strip() if plain.startswith("!") else plain
    if not (name.startswith("x") and name[1:].isdecimal()):
        raise Refused(f"formula: expected a literal such as x3 or !x3, found {word!r}")
    return int(name[1:]), int(not plain.startswith("!"))


def _all_bits(N: int, count: int) -> Iterator[Bits]:
    if N > 60 or count != 1 << N or count > MOST:
        raise Refused(f"all inputs are 2^N = 2^{N}, the certificate says {count}")
    for bits in itertools.product((0, 1), repeat=N):
        yield np.array(bits, dtype=np.int64)
