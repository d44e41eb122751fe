"""Recall: pairs of distinct keys with labels, x_1 y_1 x_2 y_2 .., then keys that query their labels.

Key s is the token s, label y is |keys| + y. Distinct keys are cards of a deck: the i-th card taken changes places with the i-th left.
Draws: i the i-th pair (high half the key, low half the label), then the order of the queries.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import countable, state_bits
from separatrix.checker.oracles.forms.match import Match
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words

LONGEST = 10**5  # pairs
COUNTED = 40  # pairs of inputs that are counted


class Recall(TaskOracle):
    """`lone-label`: case j singles out the key of pair j, and the others share another label."""

    families = ("random", "lone-label")
    drawing = 1 << 12
    words_for: ClassVar[str]

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, symbols=(int, type(None)), labels=int)
        self.pairs, self.queries = self.sizes(within(parameters["length"], 1, LONGEST, "length"))
        symbols = parameters["symbols"]
        self.keys = 2 * self.pairs if symbols is None else within(symbols, self.pairs, 1 << 24, "symbols")
        self.labels = within(parameters["labels"], 2, 1 << 24, "labels")
        self.vocabulary, self.targets = self.keys + self.labels, self.labels
        self.tokens = 2 * (self.pairs + self.queries) - 1
        self.title = f"{self.words_for}, N = {parameters['length']}, {self.keys} keys, {self.labels} labels"
        self.input_count = self._counted() if self.pairs <= COUNTED else None
        # before the last label any key may be pending; after it all labels must be known, whichever is queried first
        self.state_bits = max(state_bits(self.labels, self.pairs - 1, self.pairs), state_bits(self.labels, self.pairs))

    @abstractmethod
    def sizes(self, N: int) -> tuple[int, int]:
        """The number of pairs and of queries."""

    def _counted(self) -> int | None:
        """The keys in order, their labels, and the queries in order."""
        return countable(math.perm(self.keys, self.pairs) * self.labels**self.pairs * math.perm(self.pairs, self.queries))

    @property
    def alphabets(self) -> tuple[range, ...]:
        return ((range(self.keys), range(self.keys, self.vocabulary)) * (self.pairs + self.queries))[:-1]

    def labelled(self, tokens: Sequence[int]) -> dict[int, int] | None:
        """The label of every key; None if a key repeats."""
        label = {tokens[i]: tokens[i + 1] - self.keys for i in range(0, 2 * self.pairs, 2)}
        return label if len(label) == self.pairs else None

    def form(self) -> Match:
        """Keys are distinct, and so are those that ask: of the pairs before one, a single one has its key."""
        asking = None if self.queries == 1 else 2 * self.pairs
        return Match(self.keys, self.labels, range(self.tokens, self.tokens + 1, 2), asking, 1, 0, None)

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number)
        keys = taken(words, 0, self.pairs, self.keys)
        labels = [words.low_below(i, self.labels) for i in range(self.pairs)]
        order = taken(words, self.pairs, self.queries, self.pairs)
        if case.family == "lone-label":
            lone = case.number % self.pairs
            order = self.asking_for(lone, order)
            labels = [labels[lone] if i == lone else (labels[lone] + 1) % self.labels for i in range(self.pairs)]
        stream = [token for i in (*range(self.pairs), *order) for token in (keys[i], self.keys + labels[i])]
        return np.array(stream[:-1], dtype=np.int64)

    def asking_for(self, lone: int, order: list[int]) -> list[int]:
        """The queried pairs if pair `lone` is singled out."""
        del lone
        return order


def taken(words: Words, first: int, count: int, cards: int) -> list[int]:
    """The first `count` cards of a deck 0 .. cards - 1, of which draw number first + i moves one to the front of what is left."""
    moved: dict[int, int] = {}
    hand = []
    for i in range(count):
        choice = i + words.below(first + i, cards - i)
        hand.append(moved.get(choice, choice))
        moved[choice] = moved.get(i, i)
    return hand
