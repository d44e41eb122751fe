"""Streams of alternating keys and labels, x_1 y_1 x_2 y_2 .. x_k: the input of the recall tasks and of nearest neighbour.

Recall may have filler, written -, anywhere around its pairs, and may ask for keys that do not occur, whose label is `none`:

    - x3 y0 - - x0 y1 x2  ->  none        n = 2 pairs, filler = 3, absent keys allowed

Draws after those of pairs and queries: if keys may be absent, a coin for each query and a word for each of the |S| - n others, in whose
order they are asked for; with filler, a word for each of the n + filler places: the n least are where pairs stand.
"""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import below, words
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
        if len(tokens) % 2 == 0 or not all(0 <= s < self.keys for s in keys) or not all(0 <= y < self.targets for y in labels):
            return None
        return keys, labels

    def stream(self, keys: int) -> tuple[Sequence[int], ...]:
        """The ids that may stand at each token of a stream with this many keys."""
        return ((range(self.keys), range(self.keys, self.vocabulary)) * keys)[:-1]

    def ask(self, tokens: Integers, first: int) -> Batch:
        """A batch of rows x_1 y_1 .. x_k y_k of even length, scored at the keys from x_first on (counted from 1), without y_k itself."""
        return self.ask_from(tokens, 2 * first - 2)

    def ask_from(self, tokens: Integers, place: int) -> Batch:
        """Questions scored at every second token from `place` on."""
        block = np.zeros((2, len(tokens), tokens.shape[1] - 1), dtype=np.int64)
        block[0] = tokens[:, :-1]
        block[1, :, place::2] = tokens[:, place + 1 :: 2] - self.keys
        mask = np.zeros(block[0].shape, dtype=bool)
        mask[:, place::2] = True
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
    """Pairs of distinct keys with labels, anywhere among filler, and then queries.

    The token behind the labels is the label `none` of an absent key, if there may be such; the last token is the filler, if there is any.
    """

    symbols: int | None = None  # the alphabet of the keys; none: twice the number of keys in an input
    labels: int = 2
    filler: int = 0  # tokens around the pairs that mean nothing
    absent: bool = False  # whether a query may be a key that does not occur

    families = ("lone-label",)
    position_kinds = ("lone-label",)
    extensions = ("filler", "absent")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.labels < 2 or self.labels > 2**24:
            raise BadInput(f"{self.name}: labels must lie in 2..2^24, found {self.labels}")
        if self.keys > 2**24:
            raise BadInput(f"{self.name}: symbols must be at most 2^24, found {self.keys}")
        if self.pairs > self.keys:
            raise BadInput(f"{self.name}: {self.pairs} distinct keys need as many symbols, found symbols = {self.keys}")
        if not 0 <= self.filler <= 2**40:
            raise BadInput(f"{self.name}: filler must lie in 0..2^40, found {self.filler}")
        if self.absent and self.pairs == self.keys:
            raise BadInput(f"{self.name}: a key can be absent only if there are more symbols than pairs, found {self.keys} of each")

    @property
    @abstractmethod
    def pairs(self) -> int:
        """How many distinct keys an input has."""

    @property
    @abstractmethod
    def queries(self) -> int:
        """How many of them are asked for."""

    @property
    def keys(self) -> int:
        return 2 * self.pairs if self.symbols is None else self.symbols

    @property
    def targets(self) -> int:
        return self.labels + self.absent

    @property
    def vocabulary(self) -> int:
        return self.keys + self.targets + (self.filler > 0)

    @property
    def context(self) -> int:
        """The tokens before the first query."""
        return 2 * self.pairs + self.filler

    @property
    def token_count(self) -> int:
        return self.context + 2 * self.queries - 1

    @property
    def scored_at_end(self) -> bool:
        return self.queries == 1

    @property
    def independent_answers(self) -> tuple[int, int]:
        return self.pairs, self.labels

    def answers(self, tokens: Sequence[int], pairs: int) -> list[int] | None:
        """What the queries behind so many pairs ask for; None outside the promise."""
        stream = self.without_filler(tokens) if self.filler else tokens
        split = None if stream is None else self.split(stream)
        if split is None:
            return None
        keys, labels = split
        table, asked = dict(zip(keys[:pairs], labels[:pairs], strict=True)), keys[pairs:]
        if len(table) != pairs or len({*asked}) != len(asked) or not (self.absent or {*asked} <= {*table}):
            return None
        answers = [table.get(key, self.labels) for key in asked]
        return answers if self.labels not in table.values() and answers[:-1] == labels[pairs:] else None

    def without_filler(self, tokens: Sequence[int]) -> list[int] | None:
        """The stream of keys and labels; None if filler stands elsewhere than around pairs, or there is more or less of it."""
        stream: list[int] = []
        for token in tokens[: self.context]:
            if token != self.vocabulary - 1 or len(stream) % 2:  # behind a key it stays, and is no label
                stream.append(token)
        return [*stream, *tokens[self.context :]] if len(stream) == 2 * self.pairs and len(tokens) == self.token_count else None

    def interview(self, seed: int, count: int) -> Batch:
        """The pairs, then one query: every key in the order of the pairs."""
        need_examples(seed, count, 0)
        n, inputs = self.pairs, np.arange(count)
        pairs = self.draw(seed, -(-count // self.labels), 0, queries=1)[inputs // self.labels, : 2 * n]
        pairs[:, 1::2] = self.keys + (pairs[:, 1::2] - self.keys + (inputs % self.labels)[:, None]) % self.labels
        questions = pairs.reshape(count * n, 2)  # each key with its label, input by input
        return self.ask_from(np.hstack([np.repeat(self.scattered(pairs, seed, inputs), n, axis=0), questions]), self.context)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        labels, said = range(self.keys, self.keys + self.labels), range(self.keys, self.keys + self.targets)
        context = (range(self.vocabulary),) * self.context if self.filler else (range(self.keys), labels) * self.pairs
        return (*context, *((range(self.keys), said) * self.queries)[:-1])

    def recalled(self, tokens: Sequence[int], key: int) -> int:
        """The label right after the first occurrence of a key; `none` if it is the query itself that comes first."""
        first = [*tokens].index(key)
        return self.labels if self.absent and first >= self.context else tokens[first + 1] - self.keys

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        tokens, rows = self.draw(seed, count, start, self.queries), np.arange(start, start + count)
        if self.absent:
            self._ask_for_others(tokens, seed, rows)
        return self.spread(tokens, seed, rows)

    def spread(self, tokens: Integers, seed: int, rows: Integers) -> Batch:
        """Rows of pairs and queries with filler around their pairs, asked."""
        n = 2 * self.pairs
        return self.ask_from(np.hstack([self.scattered(tokens[:, :n], seed, rows), tokens[:, n:]]), self.context)

    def scattered(self, pairs: Integers, seed: int, rows: Integers) -> Integers:
        """The pairs in their order among the filler, every arrangement alike: of n + filler places those with the n least words."""
        if not self.filler:
            return pairs
        places = self.pairs + self.filler
        drawn = words(self.key(seed), rows, np.arange(self._used, self._used + places))
        chosen = np.sort(np.argsort(drawn, axis=1, kind="stable")[:, : self.pairs], axis=1)
        first = chosen + np.arange(self.pairs)  # each pair before takes two tokens
        context = np.full((len(pairs), self.context), self.vocabulary - 1, dtype=np.int64)
        np.put_along_axis(context, first, pairs[:, ::2], axis=1)
        np.put_along_axis(context, first + 1, pairs[:, 1::2], axis=1)
        return context

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for keys in itertools.permutations(range(self.keys), self.pairs):
            for labels in itertools.product(range(self.keys, self.keys + self.labels), repeat=self.pairs):
                pairs = [*zip(keys, labels, strict=True)]
                none = self.keys + self.labels
                others = [(key, none) for key in range(self.keys) if key not in keys] if self.absent else []
                for asked in itertools.permutations([*pairs, *others], self.queries):
                    questions = [*itertools.chain.from_iterable(asked)][:-1]
                    yield from ((*context, *questions) for context in self._contexts(pairs))

    @property
    def input_count(self) -> int:
        if self.pairs > 20:
            return 0
        asked = math.perm(self.keys if self.absent else self.pairs, self.queries)
        return int(math.perm(self.keys, self.pairs) * self.labels**self.pairs * asked * math.comb(self.pairs + self.filler, self.pairs))

    def draw(self, seed: int, count: int, start: int, queries: int) -> Integers:
        """Rows of pairs and then queries for keys that occur, each query with its label too."""
        tokens = np.empty((count, 2 * (self.pairs + queries)), dtype=np.int64)
        draw_pairs(np.uint64(self.key(seed)), start, self.keys, self.labels, self.pairs, tokens)
        return tokens

    def text(self, tokens: Sequence[int]) -> str:
        none, filler = self.keys + self.labels, self.vocabulary - 1
        return " ".join("-" if self.filler and t == filler else "none" if t == none else Alternating.text(self, (t,)) for t in tokens)

    def target_text(self, target: int) -> str:
        return "none" if target == self.labels else super().target_text(target)

    @property
    def _used(self) -> int:
        """Words before those of the filler: of the pairs and the queries, and for each query a coin and an absent key."""
        return self.pairs + self.queries + (self.keys - self.pairs + self.queries if self.absent else 0)

    def _contexts(self, pairs: Sequence[tuple[int, int]]) -> Iterable[tuple[int, ...]]:
        """The pairs among the filler, in every arrangement."""
        for places in itertools.combinations(range(self.pairs + self.filler), self.pairs):
            at = dict(zip(places, pairs, strict=True))
            yield tuple(itertools.chain.from_iterable(at.get(i, (self.vocabulary - 1,)) for i in range(self.pairs + self.filler)))

    def _ask_for_others(self, tokens: Integers, seed: int, rows: Integers) -> None:
        """Turn each query with a coin into one for an absent key, as long as there are some; these in every order alike."""
        n, spare = self.pairs, self.keys - self.pairs
        drawn = words(self.key(seed), rows, np.arange(n + self.queries, self._used))
        coins, order = below(drawn[:, : self.queries], 2), np.argsort(drawn[:, self.queries :], axis=1, kind="stable")
        asked = min(self.queries, spare)
        gaps = np.sort(tokens[:, : 2 * n : 2], axis=1) - np.arange(n)  # how many absent keys lie below each of the keys
        number = order[:, :asked]
        others = number.copy()
        for i, below_it in enumerate(gaps):
            others[i] += np.searchsorted(below_it, number[i], side="right")
        heads = coins[:, :asked].astype(bool)
        at = slice(2 * n, 2 * (n + asked), 2)
        after = slice(2 * n + 1, 2 * (n + asked), 2)
        tokens[:, at] = np.where(heads, others, tokens[:, at])
        tokens[:, after] = np.where(heads, self.keys + self.labels, tokens[:, after])

    def _id(self, word: str) -> int:
        if word == "-" and self.filler:
            return self.vocabulary - 1
        return self.keys + self.labels if word == "none" and self.absent else super()._id(word)
