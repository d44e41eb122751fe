"""Nearest neighbour: N - 1 labelled vectors and one more; the label of the one whose inner product with it leads by gamma.

Key s is (+-w_1, .., +-w_d) / sqrt(R), a minus at i where bit i - 1 of s is set. The cost of a set of signs is the sum of w_i^2; the inner
product of two keys is 1 - 2 c / R, c the cost of the signs in which they differ.
Draws: 0 the number of vectors, 1 the query, 2 its nearest, 3 where that stands, 4.. the others (high half) and the labels (low half).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import COUNTED, bits, countable
from separatrix.checker.oracles.forms.match import Match
from separatrix.checker.oracles.forms.parameters import one_of, span
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.seal import Refused

LONGEST = 10**5
PACKED = 1 << 22  # keys searched for vectors that are far from one another


class Oracle(TaskOracle):
    """`gamma-below`: the others are exactly the margin behind; `far`: the nearest is at -1 + margin; `exact-match`: it is the query.

    In training there are N/2 + 1 to N vectors, including the query.
    """

    name = "nearest-neighbor"
    answering = 4000
    families = ("random", "gamma-below", "far", "exact-match")

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, dimension=int, gamma=(int, float), distribution=str)
        self.N, d = within(parameters["length"], 2, LONGEST, "length"), within(parameters["dimension"], 1, 20, "dimension")
        training = one_of(parameters, "distribution", "evaluation", "training") == "training"
        self.fewest = self.N // 2 + 1 if training else self.N
        squares: list[int] = []
        for _ in range(d):
            squares.append(math.isqrt(1 + sum(squares)) ** 2)
        self.R, self.keys = sum(squares), 1 << d
        self.steps = self._steps(parameters["gamma"])
        self.cost = np.zeros(1, dtype=np.int64)
        for square in squares:  # by the highest sign, from the costs of the others
            self.cost = np.concatenate([self.cost, self.cost + square])
        self.order = np.argsort(self.cost, kind="stable")
        self.ranked = self.cost[self.order]
        self.vocabulary, self.targets, self.tokens = self.keys + 2, 2, 2 * self.N - 1
        self.several_lengths = self.fewest < self.N
        self.title = f"nearest neighbour, N = {span(self.fewest, self.N)}, dimension {d}, margin {parameters['gamma']}"
        self.input_count = self._counted()
        self.state_bits = self._needed()

    def _steps(self, gamma: float) -> int:
        """The margin in steps of 2/R; a decimal means its exact written value."""
        steps = math.ceil(Fraction(repr(gamma)) * self.R / 2) if math.isfinite(gamma) else 0
        if not 1 <= steps <= self.R or Fraction(repr(gamma)) * self.R < 2:
            raise Refused(f"gamma: expected a margin between 2/R and 2 with R = {self.R}, found {gamma}")
        return steps

    @property
    def alphabets(self) -> tuple[range, ...]:
        return ((range(self.keys), range(self.keys, self.keys + 2)) * self.N)[:-1]

    def allows(self, tokens: Sequence[int]) -> bool:
        k = (len(tokens) + 1) // 2
        if len(tokens) % 2 == 0 or not self.fewest <= k <= self.N:
            return False
        return all(0 <= key < self.keys for key in tokens[::2]) and all(0 <= label - self.keys < 2 for label in tokens[1::2])

    def truth(self, tokens: Sequence[int]) -> int | None:
        costs = self.cost[np.array(tokens[:-1:2]) ^ tokens[-1]]
        nearest = int(costs.argmin())
        leads = int((costs < costs[nearest] + self.steps).sum()) == 1
        return int(tokens[2 * nearest + 1]) - self.keys if leads else None

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for k in range(self.fewest, self.N + 1):
            yield from product(*self.alphabets[: 2 * k - 1])

    def form(self) -> Match:
        lengths = range(2 * self.fewest - 1, 2 * self.N, 2)
        return Match(self.keys, 2, lengths, None, self.steps, self.R, self.cost)

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        k = self.N if case.family != "random" else self.fewest + words.below(0, self.N - self.fewest + 1)
        query, place = words.below(1, self.keys), words.below(3, k - 1)
        room = self._cheaper(self.R - self.steps + 1)  # the number of vectors that leave room for others, the margin behind
        first, after = {"far": (self._cheaper(self.R - self.steps), room), "exact-match": (0, 1)}.get(case.family, (0, room))
        nearest = int(self.order[first + words.below(2, after - first)])
        behind = int(self.cost[nearest]) + self.steps
        first, after = self._cheaper(behind), self._cheaper(behind + 1) if case.family == "gamma-below" else self.keys
        signs = self.order[first + words.many_below(4, k - 1, after - first)]
        labels = (words.many(4, k - 1) >> np.uint64(31)).astype(np.int64) & 1
        signs[place] = nearest
        if case.family != "random":
            labels = np.where(np.arange(k - 1) == place, labels[place], 1 - labels[place])
        tokens = np.empty(2 * k - 1, dtype=np.int64)
        tokens[:-1:2], tokens[1::2], tokens[-1] = signs ^ query, self.keys + labels, query
        return tokens

    def _cheaper(self, cost: int) -> int:
        """The number of sets of signs that cost less."""
        return int(np.searchsorted(self.ranked, cost))

    def _counted(self) -> int | None:
        """A query, the place of its nearest, that at any cost, the others at least the margin behind, and all labels."""
        if self.N * (bits(self.keys) + 1) > COUNTED:
            return None
        costs = [int(cost) for cost in self.ranked]
        behind = [self.keys - self._cheaper(cost + self.steps) for cost in costs]
        counts = (self.keys * (k - 1) * 2 ** (k - 1) * sum(b ** (k - 2) for b in behind) for k in range(self.fewest, self.N + 1))
        return countable(sum(counts))

    def _needed(self) -> int:
        """Labels of vectors any two of which are the margin apart: each is its own nearest, so all of them must be known.

        They are packed one by one, each the first that is far from those before. If there are fewer than N - 1, the last one is
        repeated in the remaining places, and its label, which is then never queried, is not counted.
        """
        ball, free, packed = self.order[: self._cheaper(self.steps)], np.ones(self.keys, dtype=bool), 0
        key = 0
        while packed < self.N - 1 and (packed + 1) * len(ball) <= PACKED:
            packed += 1
            free[ball ^ key] = False
            key += int(free[key:].argmax())  # none before it is free
            if not free[key]:
                break
        return packed if packed == self.N - 1 else packed - 1
