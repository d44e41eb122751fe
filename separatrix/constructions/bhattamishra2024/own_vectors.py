"""Nearest neighbour among unit vectors of one's own, any of them: the task and the weights, from a file of points.

[bhattamishra2024 Theorem 7; for given unit vectors in floating point]

    separatrix verify separatrix.constructions.bhattamishra2024.own_vectors:nearest_vectors --length 6 --set points=points.csv

A line of the file is a point, numbers with commas between. Key s is line s, labels follow; the input is x_1 y_1 .. x_k, the answer
is the label of the earlier point with the largest inner product with x_k, if it leads by gamma. Products are compared as fractions,
so nothing is rounded in the answer; the model adds them up in float64, and what this may cost is taken off the margin before eta is chosen
(parts/induction.py). The points of the package's own task lie on a grid instead, where every margin is met exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from separatrix.constructions.forms import Array
from separatrix.constructions.parts.addresses import Address
from separatrix.constructions.parts.induction import Keys, induction_head
from separatrix.errors import BadInput
from separatrix.tasks.alternating import Alternating
from separatrix.tasks.drawing.counter import words
from separatrix.tasks.task import Batch, need_examples, read_at_end

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

UNIT = 1e-6  # how far the length of a point may be from 1
ROUNDING = 1e-9  # of the products that samples are chosen by


@dataclass(frozen=True)
class NearestVectors(Alternating):
    """Draws: 0 the query, 1 its nearest, 2 the place of the nearest, 3.. the others, among points gamma behind, and labels (low bit)."""

    length: int
    points: str
    gamma: float = 0.1

    name: ClassVar[str] = "nearest-vectors"
    title: ClassVar[str] = "Nearest neighbour among given points"
    cites: ClassVar[str] = "bhattamishra2024 Theorem 7"
    tokens: ClassVar[str] = "2 N - 1"
    length_means: ClassVar[str] = "points, the query included"
    least_length: ClassVar[int] = 2
    labels: ClassVar[int] = 2  # type: ignore[misc]

    def __post_init__(self) -> None:
        if self.length < 2:
            raise BadInput(f"{self.name}: expected at least 2 points in an input, found {self.length}")
        if not 0 < self.gamma <= 2:
            raise BadInput(f"{self.name}: the margin gamma between unit vectors must lie in (0, 2], found {self.gamma}")
        object.__setattr__(self, "points", _text(self.points))
        if not any(len(behind) for row in self._behind for behind in row):
            raise BadInput(f"{self.name}: no point is gamma = {self.gamma} nearer to any other than a third one")

    @property
    def keys(self) -> int:
        return len(self.vectors)

    @property
    def token_count(self) -> int:
        return 2 * self.length - 1

    @property
    def scored_at_end(self) -> bool:
        return True

    @cached_property
    def vectors(self) -> Array:
        """The points, [keys, d]."""
        try:
            rows = [[float(number) for number in line.split(",")] for line in self.points.splitlines() if line.strip()]
        except ValueError as error:
            raise BadInput(f"{self.name}: a line of points is numbers with commas in between: {error}") from error
        if len(rows) < 2 or len({len(row) for row in rows}) != 1:
            raise BadInput(f"{self.name}: expected two or more points of the same dimension, found {len(rows)} lines")
        lengths = [math.hypot(*row) for row in rows]
        wrong = [i for i, length in enumerate(lengths, 1) if not abs(length - 1) <= UNIT]
        if wrong:
            raise BadInput(f"{self.name}: points are unit vectors, point {wrong[0]} has length {lengths[wrong[0] - 1]:.6g}")
        return np.array(rows)

    @cached_property
    def _behind(self) -> list[list[list[int]]]:
        """For each query and each point those that are at least gamma further away than it."""
        products = self.vectors @ self.vectors.T
        return [[np.flatnonzero(row <= best - self.gamma - ROUNDING).tolist() for best in row] for row in products]

    def answer(self, tokens: Sequence[int]) -> int | None:
        split = self.split(tokens)
        if split is None or len(split[0]) < 2:
            return None
        (*keys, query), labels = split
        products = [self._product(key, query) for key in keys]
        nearest = products.index(max(products))
        others = [product for i, product in enumerate(products) if i != nearest]
        return labels[nearest] if all(products[nearest] - product >= Fraction(repr(self.gamma)) for product in others) else None

    def _product(self, s: int, t: int) -> Fraction:
        pairs = zip(self.vectors[s].tolist(), self.vectors[t].tolist(), strict=True)
        return sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        drawn = words(self.key(seed), np.arange(start, start + count), np.arange(self.length + 2))
        rows = np.array([self._input([int(word) >> 1 for word in row], [int(word) & 1 for word in row]) for row in drawn])
        answers = np.array([self.answer(row) for row in rows.tolist()], dtype=np.int64)
        return read_at_end(rows, np.full(count, self.token_count), answers)

    def _input(self, draws: list[int], bits: list[int]) -> list[int]:
        asked = [q for q, row in enumerate(self._behind) if any(row)]
        query = asked[draws[0] % len(asked)]
        leading = [r for r, behind in enumerate(self._behind[query]) if behind]
        nearest = leading[draws[1] % len(leading)]
        behind, place = self._behind[query][nearest], draws[2] % (self.length - 1)
        keys = [behind[draw % len(behind)] for draw in draws[3:]]
        keys[place] = nearest
        labelled = [token for key, bit in zip(keys, bits[3:], strict=True) for token in (key, self.keys + bit)]
        return [*labelled, query]


@dataclass(frozen=True, eq=False)
class UnitVectors(Keys):
    """Any vectors: their largest length, and the margin as it is."""

    largest: float = 1.0
    gamma: float = 0.0

    @property
    def magnitudes(self) -> Array:
        return np.zeros(len(self.integers))  # a float holds them as they are

    @property
    def norm(self) -> float:
        return self.largest

    @property
    def margin(self) -> float:
        return self.gamma


def nearest_vectors(length: int, points: str, gamma: float = 0.1, address: Address = "binary", arithmetic: str = "float64") -> Built:
    """Two layers, two heads and then one: the label of the point nearest to the last. `points` is a file, or its text."""
    task = NearestVectors(length, points, gamma)
    if arithmetic not in ("float64", "float32"):
        raise BadInput(f"{task.name}: given points are held by float64 and float32, found {arithmetic}")
    x = task.vectors
    largest = float(np.linalg.norm(x, axis=1).max()) * (1 + ROUNDING)
    rounded = 2 * x.shape[1] * 2.0**-24 if arithmetic == "float32" else 0.0  # two products of coordinates that are rounded when stored
    if gamma <= 2 * rounded:
        raise BadInput(f"{task.name}: a margin of {gamma:.4g} is lost in {arithmetic}, whose rounding may change it by {2 * rounded:.4g}")
    keys = UnitVectors((1,) * x.shape[1], 0, largest, gamma - 2 * rounded)
    net, facts = induction_head(task, keys, x, 2 * length - 1, address, False, arithmetic)
    return net.compile(task, task.name, "", {"address": address}, facts)


def _text(given: str) -> str:
    """The text of a file of points, or the text itself."""
    if "\n" in given or not Path(given).is_file():
        if "," not in given:
            raise BadInput(f"nearest-vectors: expected a file of points, or lines of numbers with commas, found {given!r:.80}")
        return given
    try:
        return Path(given).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"nearest-vectors: {given!r:.80} cannot be read: {error}") from error
