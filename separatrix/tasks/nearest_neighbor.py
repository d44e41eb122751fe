"""Nearest neighbour: labelled unit vectors, then one without a label; say the label of the vector nearest to it.

[bhattamishra2024 Task 5] [bhattamishra2024 Assumption 1] [bhattamishra2024 Assumption 2]

    x5 y0 x2 y1 x3  ->  y1        x_1 y_1 .. x_(k-1) y_(k-1) x_k, and the inner product of x_2 and x_k leads by gamma at least

The vectors lie on an integer grid, so that no rounding ever decides a label: key s is the vector (+-w_1, .., +-w_d) / sqrt(R) with a minus
at i where bit i - 1 of s is set, and R = w_1^2 + .. + w_d^2. With w = 1 everywhere these are the normalised binary codes of the paper.
Our w = 1, 1, 1, 2, 2, 3, 4, 6, 8, 11, .. are as large as they can be while the sums of squares over subsets leave no gap: so from every
vector each inner product 1 - 2 c / R, c = 0..R, is met (c is the cost: the sum of w_i^2 over the signs that differ).

Ids: key s is s, label y is 2^d + y; the target is y. Draws: 0 the number k, 1 the query, 2 its nearest among the vectors that leave room
for the margin, 3 the place of the nearest, 4.. the others (high half) among the vectors at least gamma behind, and the labels (low half).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.alternating import Alternating
from separatrix.tasks.drawing.counter import below, integers, words
from separatrix.tasks.task import Batch, Integers, need_examples, pad_after, read_at_end, sized


@dataclass(frozen=True)
class NearestNeighbor(Alternating):
    """k = N vectors with the query in evaluation; in training k is drawn from N/2 < k <= N."""

    dimension: int = 12
    gamma: float = 0.1
    distribution: Literal["evaluation", "training"] = "evaluation"

    name = "nearest-neighbor"
    title = "Nearest neighbour"
    cites = "bhattamishra2024 Theorem 7"
    tokens = "2 N - 1"
    length_means = "vectors, the query included"
    least_length = 2
    labels = 2
    families = ("gamma-below", "far", "exact-match")
    drawn_at = sized(length=5, dimension=5, gamma=0.3)
    counted_at = sized(length=5, dimension=2, gamma=1.0)
    enumerated_at = sized(length=3, dimension=2, gamma=1.0)
    sampled_at = (sized(length=12, dimension=14, gamma=0.001), sized(length=12, dimension=5, gamma=0.9))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.dimension <= 20:
            raise BadInput(f"nearest-neighbor: dimension must lie in 1..20, found {self.dimension}")
        if not 0 < self.gamma <= 2:
            raise BadInput(f"nearest-neighbor: the margin gamma between unit vectors must lie in (0, 2], found {self.gamma}")
        if exact(self.gamma) < Fraction(2, self.norm):
            least = next((d for d in range(1, 21) if exact(self.gamma) >= Fraction(2, sum(w * w for w in grid_weights(d)))), None)
            hint = f"dimension {least} is fine enough" if least else "no dimension up to 20 is fine enough"
            raise BadInput(f"nearest-neighbor: gamma = {self.gamma} is finer than the grid's step {2 / self.norm:.2g}; {hint}")

    @property
    def token_count(self) -> int:
        return 2 * self.length - 1

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def keys(self) -> int:
        return 1 << self.dimension

    @property
    def weights(self) -> tuple[int, ...]:
        """w_1 .. w_d, the weights of the coordinates."""
        return grid_weights(self.dimension)

    @property
    def norm(self) -> int:
        """R, the squared norm that all vectors share before they are normalised."""
        return sum(w * w for w in self.weights)

    @property
    def vectors(self) -> Integers:
        """The integer vector of every key, [2^d, d]; divide by sqrt(R) for unit norm."""
        minus = np.arange(self.keys)[:, None] >> np.arange(self.dimension) & 1
        signed: Integers = (1 - 2 * minus) * np.array(self.weights)
        return signed

    @property
    def steps(self) -> int:
        """The least difference in cost between the nearest and any other vector: the margin in steps of 2 / R."""
        return math.ceil(exact(self.gamma) * self.norm / 2)

    @property
    def margin(self) -> Fraction:
        """The least margin on the grid that is at least gamma."""
        return Fraction(2 * self.steps, self.norm)

    def answer(self, tokens: Sequence[int]) -> int | None:
        split = self.split(tokens)
        if split is None or len(split[0]) < 2:
            return None
        (*keys, query), labels = split
        products = [self._product(key, query) for key in keys]
        nearest = products.index(max(products))
        behind = (product for i, product in enumerate(products) if i != nearest)
        return labels[nearest] if all(products[nearest] - product >= 2 * self.steps for product in behind) else None

    def _product(self, s: int, t: int) -> int:
        """The inner product of two integer vectors."""
        return sum(-w * w if (s ^ t) >> i & 1 else w * w for i, w in enumerate(self.weights))

    def second(self, tokens: Sequence[int]) -> int:
        """The smallest Euclidean distance between the vectors, written out."""

        def vector(key: int) -> list[int]:
            signs = reversed(f"{key:0{self.dimension}b}")
            return [-w if sign == "1" else w for sign, w in zip(signs, self.weights, strict=True)]

        query = vector(tokens[-1])
        distance = {i: math.dist(vector(tokens[i]), query) for i in range(0, len(tokens) - 1, 2)}
        return tokens[min(distance, key=lambda i: distance[i]) + 1] - self.keys

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._drawn("random", seed, np.arange(start, start + count))

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return self.stream(self.length)

    @property
    def input_count(self) -> int:
        """Counts the choices: a query, the place and cost of its nearest, the others at least the margin behind, and all labels."""
        N, cheaper = self.length, costs(self.dimension)[2].tolist()
        if N > 20:
            return 0
        behind = [self.keys - cheaper[min(c + self.steps, self.norm + 1)] for c in range(self.norm + 1)]
        ways = sum((cheaper[c + 1] - cheaper[c]) * behind[c] ** (N - 2) for c in range(self.norm + 1))
        return int(self.keys * (N - 1) * ways * 2 ** (N - 1))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        """All others exactly the margin behind, the nearest at -1 + margin (the others are opposite the query), or equal to the query.

        In these families only the nearest has its label.
        """
        return self._drawn(kind, seed, np.arange(count))

    def _drawn(self, kind: str, seed: int, j: Integers) -> Batch:
        N, R, key, rows = self.length, self.norm, self.key(seed), np.arange(len(j))
        cost, order, cheaper = costs(self.dimension)
        head, drawn = words(key, j, range(4)), words(key, j, np.arange(4, N + 3))
        fewest = N // 2 + 1 if self.distribution == "training" and kind == "random" else N
        k = fewest + below(head[:, 0], N - fewest + 1)
        query, place = below(head[:, 1], self.keys), below(head[:, 3], k - 1)
        room = cheaper[R - self.steps + 1]  # the number of keys with cost at most R - steps, which leaves room for vectors that far behind
        first, after = {"far": (cheaper[R - self.steps], room), "exact-match": (0, 1)}.get(kind, (0, room))
        nearest = order[first + below(head[:, 2], after - first)]
        behind = cost[nearest] + self.steps
        first, after = cheaper[behind], cheaper[behind + 1] if kind == "gamma-below" else np.full(len(j), self.keys)
        signs = order[first[:, None] + below(drawn, (after - first)[:, None])]
        labels = (drawn >> np.uint64(31) & np.uint64(1)).view(np.int64)
        signs[rows, place], answers = nearest, labels[rows, place]
        if kind != "random":
            labels = answers[:, None] ^ (np.arange(N - 1) != place[:, None])
        tokens = np.empty((len(j), 2 * N - 1), dtype=np.int64)
        tokens[:, :-1:2], tokens[:, 1::2] = query[:, None] ^ signs, self.keys + labels
        tokens[rows, 2 * k - 2] = query
        tokens = tokens[:, : 2 * int(k.max(initial=1)) - 1]
        pad_after(tokens, 2 * k - 1)
        return read_at_end(tokens, 2 * k - 1, answers)

    def one_pass(self, seed: int, count: int, start: int = 0) -> Batch:
        """Vectors and labels drawn freely; scored at every x_k with k > N/2 whose nearest leads by the margin. For causal models."""
        need_examples(seed, count, start)
        N, key, j = self.length, self.key(seed), np.arange(start, start + count)
        x, y = integers(key, j, np.arange(4, N + 4), self.keys), integers(key, j, np.arange(N + 4, 2 * N + 4), 2)
        tokens, targets = np.zeros((2, count, 2 * N - 1), dtype=np.int64)
        tokens[:, ::2], tokens[:, 1::2] = x, self.keys + y[:, :-1]
        mask = np.zeros(tokens.shape, dtype=bool)
        for k in range(max(N // 2, 1) + 1, N + 1):
            cost = costs(self.dimension)[0][x[:, : k - 1] ^ x[:, k - 1 : k]]
            nearest = cost.argmin(axis=1)
            leads = (cost >= cost.min(axis=1, keepdims=True) + self.steps).sum(axis=1) == k - 2
            mask[:, 2 * k - 2], targets[:, 2 * k - 2] = leads, np.where(leads, y[np.arange(count), nearest], 0)
        return Batch(tokens, targets, mask, np.full(count, 2 * N - 1))


def exact(gamma: float) -> Fraction:
    """The exact decimal value as written: 0.1 is one tenth."""
    return Fraction(repr(gamma))


@functools.lru_cache(maxsize=32)
def grid_weights(dimension: int) -> tuple[int, ...]:
    """Positive integers w, each as large as can be while subset sums of their squares reach every number up to the sum of all."""
    weights: list[int] = []
    for _ in range(dimension):
        weights.append(math.isqrt(1 + sum(w * w for w in weights)))
    return tuple(weights)


@functools.lru_cache(maxsize=4)
def costs(dimension: int) -> tuple[Integers, Integers, Integers]:
    """For sets of signs (bit masks): the cost of each, all sets in the order of their costs, and how many cost less than c = 0..R + 1."""
    cost = np.zeros(1, dtype=np.int64)
    for w in grid_weights(dimension):
        cost = np.concatenate((cost, cost + w * w))
    order = np.argsort(cost, kind="stable")
    cheaper = np.searchsorted(cost[order], np.arange(cost[-1] + 2))
    for table in (cost, order, cheaper):
        table.flags.writeable = False
    return cost, order, cheaper
