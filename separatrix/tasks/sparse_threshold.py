"""Thresholds of sparse features: say whether more than b of at most N features hold, each of which reads at most k of the N bits.

[bhattamishra2024 Task 8]

    ^ 1 0 1 1  ->  1        with the features x1 xor x3, x2 and x4, x4, and b = 0: the third one holds

Features are written as `1,3:0110; 2,4:0001; 4:01`, the places of each and its values for 00, 01, 10, 11, or they are drawn.
Ids: bits are 0 and 1; ^ is 2, the beginning, which stands for a bit 0 where a feature needs fewer than k. The label is read at the end.
Draws: the bits. Features that are drawn come from a stream of their own, whose seed is the parameter `instance`.
"""

from __future__ import annotations

import functools
import itertools
import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import integers, stream_key, words
from separatrix.tasks.task import Batch, Decision, Integers, need_examples, sized

START = 2
WIDEST = 12  # bits that one feature may read: its table has 2^12 entries
MOST_DRAWN = 1 << 26  # places that the features of an instance are drawn from, N for each of N: half a gigabyte


@dataclass(frozen=True)
class Feature:
    """A function of the bits at `places` (from 1); `table` has its values for 0..00, 0..01, .., with the first place on the left."""

    places: tuple[int, ...]
    table: tuple[int, ...]

    def value(self, bits: Sequence[int]) -> int:
        """The value of the feature on x_1 .. x_N, from its table."""
        return self.table[int("0" + "".join(str(bits[i - 1]) for i in self.places), 2)]


class Thresholds(Decision):
    """I[more than `bound` of the features hold] on the tokens ^ x_1 .. x_N."""

    about = "Boolean functions"

    k: int
    instance: int

    cites = "bhattamishra2024 Theorem 13"
    tokens = "N + 1"
    length_means = "bits"
    total = True
    families = ("edge",)
    drawn_at = sized(length=6, k=2)
    counted_at = sized(length=10)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.k <= WIDEST:
            raise BadInput(f"{self.name}: k must lie in 1..{WIDEST}, found {self.k}")
        if self.instance < 0:
            raise BadInput(f"{self.name}: instance is a seed and must not be negative, found {self.instance}")
        if len(self.sparse_features) > self.length:
            raise BadInput(f"{self.name}: there may be at most N = {self.length} features, found {len(self.sparse_features)}")
        for feature in self.sparse_features:
            if len(feature.places) > self.k:
                raise BadInput(f"{self.name}: a feature may read at most k = {self.k} bits, found one that reads {len(feature.places)}")
            if not all(1 <= i <= self.length for i in feature.places):
                raise BadInput(f"{self.name}: places must lie in 1..N with N = {self.length}, found {list(feature.places)}")

    @property
    @abstractmethod
    def sparse_features(self) -> tuple[Feature, ...]:
        """The features, at most N of them."""

    @property
    @abstractmethod
    def bound(self) -> int:
        """b: the answer is 1 if more than b features hold."""

    @property
    def vocabulary(self) -> int:
        return 3

    @property
    def token_count(self) -> int:
        return self.length + 1

    @property
    def spelling(self) -> tuple[str, ...]:
        return ("0", "1", "^")

    def answer(self, tokens: Sequence[int]) -> int | None:
        start, bits = tokens[:1], tokens[1:]
        if [*start] != [START] or len(bits) != self.length or not all(bit in (0, 1) for bit in bits):
            return None
        return int(sum(feature.value(bits) for feature in self.sparse_features) > self.bound)

    def second(self, tokens: Sequence[int]) -> int:
        """A feature holds iff the bits agree with a row of its table that has the value 1."""

        def holds(places: tuple[int, ...], table: tuple[int, ...]) -> bool:
            rows = itertools.compress(itertools.product((0, 1), repeat=len(places)), table)
            return tuple(tokens[i] for i in places) in rows  # token 0 is the beginning, so place i is token i

        return int(sum(holds(f.places, f.table) for f in self.sparse_features) >= self.bound + 1)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._judged(integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), 2))

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return ((START,), *((0, 1),) * self.length)

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`edge`: flip bits toward exactly b features that hold (even rows) or b + 1 (odd rows), as far as possible."""
        key, rows, N = self.key(seed), np.arange(count), self.length
        bits, goal = integers(key, rows, np.arange(N), 2), self.bound + rows % 2
        away = abs(self.count(bits) - goal)
        for place in integers(key, rows, np.arange(N, 5 * N), N).T:
            if not away.any():
                break
            moves = away > 0  # a row that has arrived no longer changes
            bits[rows, place] ^= moves
            after = abs(self.count(bits) - goal)
            bits[rows, place] ^= moves & (after > away)  # not toward the edge: undo
            away = np.minimum(away, after)
        return self._judged(bits)

    def count(self, bits: Integers) -> Integers:
        """How many features hold, for rows x_1 .. x_N."""
        places, powers, offsets, tables = self._tables
        true_features: Integers = tables[offsets + (np.insert(bits, 0, 0, axis=1)[:, places] * powers).sum(axis=2)].sum(axis=1)
        return true_features

    @functools.cached_property
    def _tables(self) -> tuple[Integers, Integers, Integers, Integers]:
        """For every feature its places (0 where it has fewer than k), their powers of two and the offset of its table; and all tables."""
        features = self.sparse_features
        places, powers = np.zeros((2, len(features), self.k), dtype=np.int64)
        for f, feature in enumerate(features):
            places[f, : len(feature.places)] = feature.places
            powers[f, : len(feature.places)] = 1 << np.arange(len(feature.places))[::-1]
        sizes = np.array([len(feature.table) for feature in features], dtype=np.int64)
        tables = np.array([*itertools.chain.from_iterable(feature.table for feature in features)], dtype=np.int64)
        return places, powers, np.cumsum(sizes) - sizes, tables

    def _judged(self, bits: Integers) -> Batch:
        return self.labelled(np.insert(bits, 0, START, axis=1), self.count(bits) > self.bound)

    def _draw(self, features: int, entries: int) -> tuple[Integers, Integers]:
        """For each of `features` features k distinct places in order, and `entries` fair bits."""
        if features * self.length > MOST_DRAWN:
            raise BadInput(
                f"{self.name}: {features:,} features are drawn from {self.length:,} places each: expected N up to 8,192, or named ones"
            )
        parameters = {"length": self.length, "k": self.k, "features": features}
        key, k = stream_key(f"{self.name} instance", parameters, self.instance), min(self.k, self.length)
        order = np.argsort(words(key, np.arange(features), np.arange(self.length)), axis=1, kind="stable")
        return np.sort(1 + order[:, :k], axis=1), integers(key, np.arange(features), np.arange(self.length, self.length + entries), 2)


@dataclass(frozen=True)
class SparseThreshold(Thresholds):
    """The features listed, or N drawn ones with random tables; the threshold defaults to half their number."""

    k: int = 3
    features: str = ""
    threshold: int | None = None
    instance: int = 0

    name = "sparse-threshold"
    title = "Thresholds of sparse features"
    bounded_up_to = 1 << 12  # N features are drawn, each from N places
    enumerated_at = sized(length=4, features="1,3:0110; 2,4:0001", threshold=0)
    sampled_at = (sized(length=10, features="1,3:0110; 2,4,9:00010111; 4:01; 5,6:0001; 7,8:1001; 9:10; 1,9:1110", threshold=3),)

    @functools.cached_property
    def sparse_features(self) -> tuple[Feature, ...]:
        if self.features.strip():
            return tuple(map(self._feature, self.features.split(";")))
        places, bits = self._draw(self.length, 2 ** min(self.k, self.length))
        return tuple(Feature(tuple(p.tolist()), tuple(b.tolist())) for p, b in zip(places, bits, strict=True))

    @property
    def bound(self) -> int:
        return len(self.sparse_features) // 2 if self.threshold is None else self.threshold

    def _feature(self, text: str) -> Feature:
        written = re.fullmatch(r"\s*(\d+(?:\s*,\s*\d+)*)\s*:\s*([01]+)\s*", text)
        if written is None:
            raise BadInput(f"sparse-threshold: expected features such as 1,3:0110 separated by ;, found {text.strip()!r}")
        places, table = tuple(map(int, written[1].split(","))), tuple(map(int, written[2]))
        if len({*places}) < len(places) or len(table) != 2 ** len(places):
            raise BadInput(f"sparse-threshold: expected {len(places)} different places and 2^{len(places)} values, found {text.strip()!r}")
        return Feature(places, table)
