"""The tasks over streams of keys and labels, x_1 y_1 x_2 y_2 .., written a second time: recall, once or many times, and nearest neighbour.

Key s is the token s, label y is |keys| + y. Distinct keys are cards of a deck: the i-th card taken changes places with the i-th left.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.checker.counter import Words
from separatrix.checker.fields import exactly, within
from separatrix.checker.seal import Refused

if TYPE_CHECKING:
    from separatrix.checker.oracles import Case

LONGEST, MOST = 10**5, 10**7  # pairs of one input, and inputs of one enumeration


class Mqar:
    """N/2 distinct keys with labels, then the same keys in another order; the label is asked at each of the latter."""

    name = "mqar"

    def __init__(self, parameters: Any) -> None:
        self.parameters = exactly(parameters, "task_parameters", length=int, symbols=(int, type(None)), labels=int)
        self.pairs, self.queries = self.sizes(within(parameters["length"], 1, LONGEST, "length"))
        symbols = parameters["symbols"]
        self.keys = 2 * self.pairs if symbols is None else within(symbols, self.pairs, 1 << 24, "symbols")
        self.labels = within(parameters["labels"], 2, 1 << 24, "labels")
        self.vocabulary, self.targets = self.keys + self.labels, self.labels

    def sizes(self, N: int) -> tuple[int, int]:
        """How many pairs and how many queries."""
        if N % 2:
            raise Refused(f"length: expected an even number, found {N}")
        return N // 2, N // 2

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """`random`, or `lone-label`: the j-th case singles out the key of pair j, and the others share another label."""
        if kind not in ("random", "lone-label"):
            raise Refused(f"{self.name} has no cases {kind!r}")
        for j in range(count):
            keys, labels, order = self._drawn(Words(self.name, self.parameters, seed, j))
            if kind == "lone-label":
                lone = j % self.pairs
                order = self.lone_order(order, lone)
                labels = [labels[lone] if i == lone else (labels[lone] + 1) % self.labels for i in range(self.pairs)]
            yield self._asked(keys, labels, order)

    def lone_order(self, order: list[int], lone: int) -> list[int]:
        """Which pairs are asked where pair `lone` is singled out."""
        del lone
        return order

    def _drawn(self, words: Words) -> tuple[list[int], list[int], list[int]]:
        deck, order = list(range(self.keys)), list(range(self.pairs))
        for i in range(self.pairs):
            _take(deck, i, words.below(i, self.keys - i))
        for i in range(self.queries):
            _take(order, i, words.below(self.pairs + i, self.pairs - i))
        return deck[: self.pairs], [words.low_below(i, self.labels) for i in range(self.pairs)], order[: self.queries]

    def _asked(self, keys: list[int], labels: list[int], order: list[int]) -> Case:
        stream = [token for i in (*range(self.pairs), *order) for token in (keys[i], self.keys + labels[i])]
        scored = {2 * (self.pairs + q): labels[i] for q, i in enumerate(order)}
        return np.array(stream[:-1], dtype=np.int64), scored


class AssociativeRecall(Mqar):
    """N distinct keys with labels, then one of them."""

    name = "associative-recall"

    def sizes(self, N: int) -> tuple[int, int]:
        return N, 1

    def lone_order(self, order: list[int], lone: int) -> list[int]:
        return [lone, *order[1:]]

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        if kind != "all":
            yield from super().cases(kind, seed, count)
            return
        if self.pairs > 20 or count > MOST or count != math.perm(self.keys, self.pairs) * self.labels**self.pairs * self.pairs:
            raise Refused(f"all inputs: the certificate says {count}, and there are others")
        for keys in itertools.permutations(range(self.keys), self.pairs):
            for labels in itertools.product(range(self.labels), repeat=self.pairs):
                for query in range(self.pairs):
                    yield self._asked([*keys], [*labels], [query])


class NearestNeighbor:
    """N - 1 labelled vectors and one more; the label of the one whose inner product with it leads by gamma.

    Key s is (+-w_1, .., +-w_d) / sqrt(R), a minus at i where bit i - 1 of s is set. The cost of a set of signs is the sum of w_i^2.
    """

    def __init__(self, parameters: Any) -> None:
        self.parameters = exactly(parameters, "task_parameters", length=int, dimension=int, gamma=(int, float), distribution=str)
        self.N, d = within(parameters["length"], 2, LONGEST, "length"), within(parameters["dimension"], 1, 20, "dimension")
        if parameters["distribution"] != "evaluation":
            raise Refused("nearest-neighbor is verified on its evaluation distribution")
        squares: list[int] = []
        for _ in range(d):
            squares.append(math.isqrt(1 + sum(squares)) ** 2)
        self.R, self.keys = sum(squares), 1 << d
        gamma = Fraction(repr(parameters["gamma"]))
        self.steps = math.ceil(gamma * self.R / 2)
        if not 1 <= self.steps <= self.R or gamma * self.R < 2:
            raise Refused(f"gamma: expected a margin between 2/R and 2 with R = {self.R}, found {parameters['gamma']}")
        signs = np.arange(self.keys)
        self.cost = np.sum([(signs >> i & 1) * square for i, square in enumerate(squares)], axis=0)
        self.order = np.argsort(self.cost, kind="stable")
        self.ranked = self.cost[self.order]
        self.vocabulary, self.targets = self.keys + 2, 2

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """`random`, `gamma-below` (others exactly the margin behind), `far` (the nearest at -1 + margin), `exact-match`, or `all`."""
        if kind == "all":
            yield from self._all(count)
            return
        if kind not in ("random", "gamma-below", "far", "exact-match"):
            raise Refused(f"nearest-neighbor has no cases {kind!r}")
        for j in range(count):
            words = Words("nearest-neighbor", self.parameters, seed, j)
            query, place = words.below(1, self.keys), words.below(3, self.N - 1)
            first, after = {"far": (self._cheaper(self.R - self.steps), None), "exact-match": (0, 1)}.get(kind, (0, None))
            after = self._cheaper(self.R - self.steps + 1) if after is None else after
            nearest = int(self.order[first + words.below(2, after - first)])
            behind = int(self.cost[nearest]) + self.steps
            first, after = self._cheaper(behind), self._cheaper(behind + 1) if kind == "gamma-below" else self.keys
            signs = self.order[first + words.many_below(4, self.N - 1, after - first)]
            labels = (words.many(4, self.N - 1) >> np.uint64(31)).astype(np.int64) & 1
            signs[place] = nearest
            if kind != "random":
                labels = np.where(np.arange(self.N - 1) == place, labels[place], 1 - labels[place])
            yield self._asked(signs ^ query, labels, query, int(labels[place]))

    def _cheaper(self, cost: int) -> int:
        """How many sets of signs cost less."""
        return int(np.searchsorted(self.ranked, cost))

    def _asked(self, keys: Any, labels: Any, query: int, answer: int) -> Case:
        tokens = np.empty(2 * self.N - 1, dtype=np.int64)
        tokens[:-1:2], tokens[1::2], tokens[-1] = keys, self.keys + np.asarray(labels), query
        return tokens, {2 * self.N - 2: answer}

    def _all(self, count: int) -> Iterator[Case]:
        if self.N > 20 or (2 * self.keys) ** (self.N - 1) * self.keys > MOST:
            raise Refused("nearest-neighbor has too many inputs to enumerate")
        found = 0
        for pairs in itertools.product(itertools.product(range(self.keys), (0, 1)), repeat=self.N - 1):
            for query in range(self.keys):
                costs = sorted((int(self.cost[key ^ query]), label) for key, label in pairs)
                if len(costs) == 1 or costs[1][0] - costs[0][0] >= self.steps:
                    found += 1
                    yield self._asked([key for key, _ in pairs], [label for _, label in pairs], query, costs[0][1])
        if found != count:
            raise Refused(f"all inputs are {found}, the certificate says {count}")


def _take(deck: list[int], taken: int, choice: int) -> None:
    deck[taken], deck[taken + choice] = deck[taken + choice], deck[taken]
