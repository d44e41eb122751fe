"""Streams of alternating keys and labels, x_1 y_1 x_2 y_2 .. x_k: the input of the recall tasks and of nearest neighbour."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.key_draws import draw_pairs
from separatrix.tasks.task import Batch, Integers, Task, need_examples


class Alternating(Task):
    """Ids: key s is s, label y is |keys| + y; targets are the labels y."""

    about = "retrieval"

    labels: int

    @property
    @abstractmethod
    def keys(self) -> int:
        """The number of possible keys."""

    @property
    def vocabulary(self) -> int:
        return self.keys + self.labels

    @property
    def targets(self) -> int:
        return self.labels

    def split(self, tokens: Sequence[int]) -> tuple[list[int], list[int]] | None:
        """The keys x_1 .. x_k and the labels y_1 .. y_(k-1) of a stream; None if it does not alternate."""
        keys, labels = list(tokens[::2]), [t - self.keys for t in tokens[1::2]]
        if len(tokens) % 2 == 0 or not all(0 <= s < self.keys for s in keys) or not all(0 <= y < self.labels for y in labels):
            return None
        return keys, labels

    def stream(self, keys: int) -> tuple[Sequence[int], ...]:
        """The ids that may stand at each token of a stream with this many keys."""
        return ((range(self.keys), range(self.keys, self.vocabulary)) * keys)[:-1]

    def ask(self, tokens: Integers, first: int) -> Batch:
        """A batch of rows x_1 y_1 .. x_k y_k of even length, scored at the keys from x_first on (counted from 1), without y_k itself."""
        block = np.zeros((2, len(tokens), tokens.shape[1] - 1), dtype=np.int64)
        block[0] = tokens[:, :-1]
        block[1, :, 2 * first - 2 :: 2] = tokens[:, 2 * first - 1 :: 2] - self.keys
        mask = np.zeros(block[0].shape, dtype=bool)
        mask[:, 2 * first - 2 :: 2] = True
        return Batch(block[0], block[1], mask, np.full(len(tokens), block.shape[2]))

    def single_out(self, tokens: Integers, lone: Integers) -> None:
        """Give one key of each row a label that no other key has: reading any other place gives a wrong label."""
        keys, rows = tokens[:, ::2], np.arange(len(tokens))
        label = tokens[rows, 2 * (keys == lone[:, None]).argmax(axis=1) + 1]
        other = self.keys + (label - self.keys + 1) % self.labels
        tokens[:, 1::2] = np.where(keys == lone[:, None], label[:, None], other[:, None])

    def text(self, tokens: Sequence[int]) -> str:
        return " ".join(f"x{t}" if t < self.keys else f"y{t - self.keys}" for t in tokens)

    def target_text(self, target: int) -> str:
        return f"y{target}"

    def _id(self, word: str) -> int:
        kind, number = word[:1], word[1:]
        if kind in ("x", "y") and number.isdecimal():
            if int(number) < (self.keys if kind == "x" else self.labels):
                return int(number) + (self.keys if kind == "y" else 0)
            raise BadInput(f"{self.name}: {word} lies outside the {self.keys} keys x and {self.labels} labels y")
        return super()._id(word)


@dataclass(frozen=True)
class Recall(Alternating):
    """Pairs of distinct keys with labels, and queries that repeat keys."""

    symbols: int | None = None  # the alphabet of the keys; none: twice the number of keys in an input
    labels: int = 2

    families = ("lone-label",)
    position_kinds = ("lone-label",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.labels < 2 or self.labels > 2**24:
            raise BadInput(f"{self.name}: labels must lie in 2..2^24, found {self.labels}")
        if self.keys > 2**24:
            raise BadInput(f"{self.name}: symbols must be at most 2^24, found {self.keys}")
        if self.pairs > self.keys:
            raise BadInput(f"{self.name}: {self.pairs} distinct keys need as many symbols, found symbols = {self.keys}")

    @property
    @abstractmethod
    def pairs(self) -> int:
        """How many distinct keys an input has."""

    @property
    def keys(self) -> int:
        return 2 * self.pairs if self.symbols is None else self.symbols

    @property
    def independent_answers(self) -> tuple[int, int]:
        return self.pairs, self.labels

    def interview(self, seed: int, count: int) -> Batch:
        """The pairs, then one query: every key in the order of the pairs."""
        need_examples(seed, count, 0)
        n, inputs = self.pairs, np.arange(count)
        pairs = self.draw(seed, -(-count // self.labels), 0, queries=1)[inputs // self.labels, : 2 * n]
        pairs[:, 1::2] = self.keys + (pairs[:, 1::2] - self.keys + (inputs % self.labels)[:, None]) % self.labels
        questions = pairs.reshape(count * n, 2)  # each key with its label, input by input
        return self.ask(np.hstack([np.repeat(pairs, n, axis=0), questions]), first=n + 1)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return self.stream((self.token_count + 1) // 2)

    def recalled(self, tokens: Sequence[int], key: int) -> int:
        """The label right after the first occurrence of a key."""
        return tokens[[*tokens].index(key) + 1] - self.keys

    def draw(self, seed: int, count: int, start: int, queries: int) -> Integers:
        """Rows of pairs and then queries, each query with its label too."""
        tokens = np.empty((count, 2 * (self.pairs + queries)), dtype=np.int64)
        draw_pairs(np.uint64(self.key(seed)), start, self.keys, self.labels, self.pairs, tokens)
        return tokens
