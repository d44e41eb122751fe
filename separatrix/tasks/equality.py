"""Equality: say whether the second half of a string repeats the first; or, as next-character prediction, repeat it.

[bhattamishra2024 Task 3] [bhattamishra2024 Task 12] [bhattamishra2024 Task 13] [bhattamishra2024 Task 14]

    0 1 1 0 1 1      ->  1        equality     the theorem's function of N symbols; with probability 1/2 the half is repeated
    0 1 1 # 0 0 1    ->  0        eq-random    separated halves; with probability 1/2 repeated, else drawn afresh (and perhaps equal)
    7 3 7 # 7 9 7    ->  0        eq-one       a second half that does not repeat the first differs from it in exactly one place
    7 3 9 # 7 3 9    ->  7 3 9    eq-ncp       after # only one symbol may follow: the k/2 predictions from # on count, all or nothing

Ids: symbol s is s, the separator # is |S|. Draws: 0 the length, 1 whether the half is repeated (high bit 0), 2 the place that changes,
3 by how much its symbol moves around the alphabet, 4.. the first half (N/2 words) and then the second.
Known shortcuts: in eq-random a few remembered symbols decide almost always, in eq-one the counts of the symbols always do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import xor
from typing import ClassVar, Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.batch import as_answer
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.drawing.repeated_halves import AFRESH, ONE_CHANGE, REPEATED, draw_halves
from separatrix.tasks.task import Answer, Batch, Decision, Integers, Leak, need_examples, read_at_end, read_next, sized

EVEN_COUNTS = Leak(
    "Equal halves use every symbol an even number of times; over two symbols a string that is not repeated does so half of the time.",
    ("odd-counts", "symbol-count"),
)


class Halves(Decision):
    """Strings of k symbols in two halves; k = N in evaluation, in training k is drawn from 2 ceil(N/20), .. + 2, .., N."""

    about = "comparison"

    symbols: int
    separated: ClassVar[bool] = True
    other: ClassVar[int] = AFRESH

    tokens = "N + 1"
    length_means = "symbols of both halves"
    least_length = 2
    even_because = "because the string has two halves"
    total = True
    families: ClassVar[tuple[str, ...]] = ("equal", "one-change")
    position_kinds: ClassVar[tuple[str, ...]] = ("one-change",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.symbols <= 2**31:
            raise BadInput(f"{self.name}: symbols must lie in 2..2^31, found {self.symbols}")

    @property
    def shortest(self) -> int:
        """The least number of symbols drawn."""
        return self.length

    @property
    def token_count(self) -> int:
        return self.length + self.separated

    @property
    def vocabulary(self) -> int:
        return self.symbols + self.separated

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        halves = self._halves(tokens)
        return None if halves is None else int(halves[0] == halves[1])

    def second(self, tokens: Sequence[int]) -> Answer:
        """A string repeats itself iff it agrees with itself shifted."""
        shift = len(tokens) - len(tokens) // 2
        return int(not any(map(xor, tokens, tokens[shift:])))

    def _halves(self, tokens: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The two halves of a string; None if it does not split into halves."""
        h = len(tokens) // 2
        first, between, second = tuple(tokens[:h]), tuple(tokens[h : len(tokens) - h]), tuple(tokens[len(tokens) - h :])
        if not first or between != (self.symbols,) * self.separated or not all(0 <= s < self.symbols for s in first + second):
            return None
        return first, second

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        N, gap, key = self.length, int(self.separated), np.uint64(self.key(seed))
        tokens = np.zeros((count, N + gap), dtype=np.int64)
        k, equal = draw_halves(key, start, self.shortest, N, self.symbols, gap, self.other, tokens)
        return self._scored(tokens[:, : int(k.max(initial=0)) + gap], k, equal)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        half: tuple[Sequence[int], ...] = (range(self.symbols),) * (self.length // 2)
        return (*half, *((self.symbols,),) * self.separated, *half)

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        N, key, j = self.length, self.key(seed), np.arange(count)
        first = integers(key, j, np.arange(4, 4 + N // 2), 2 if kind == "two-symbols" else self.symbols)
        second = first.copy()
        if kind == "one-change":  # the place cycles: N/2 cases cover every place
            place = j % (N // 2)
            second[j, place] = (first[j, place] + 1 + integers(key, j, [3], self.symbols - 1)[:, 0]) % self.symbols
        between = np.full((count, int(self.separated)), self.symbols)
        return self._scored(np.concatenate((first, between, second), axis=1), np.full(count, N), (first == second).all(axis=1))

    def _scored(self, tokens: Integers, k: Integers, equal: np.typing.NDArray[np.integer | np.bool_]) -> Batch:
        """The batch of rows with k symbols each."""
        return read_at_end(tokens, k + self.separated, equal.astype(np.int64))

    def text(self, tokens: Sequence[int]) -> str:
        return " ".join("#" if t == self.symbols else str(t) for t in tokens)

    def _id(self, word: str) -> int:
        return self.symbols if word == "#" and self.separated else super()._id(word)


@dataclass(frozen=True)
class Equality(Halves):
    """EQ over N symbols without a separator, as in the theorems."""

    symbols: int = 2

    name = "equality"
    title = "Equality"
    cites = "bhattamishra2024 Theorem 6"
    tokens = "N"
    separated = False
    known_leaks = (EVEN_COUNTS,)
    enumerated_at = sized(length=6)
    sampled_at = (sized(length=8, symbols=3),)


@dataclass(frozen=True)
class SeparatedHalves(Halves):
    """Halves with a separator between them, in the distributions of the experiments."""

    symbols: int = 1024
    distribution: Literal["evaluation", "training"] = "evaluation"

    drawn_at = sized(length=8, symbols=16)
    enumerated_at = sized(length=4, symbols=3)

    @property
    def shortest(self) -> int:
        return 2 * -(-self.length // 20) if self.distribution == "training" else self.length


@dataclass(frozen=True)
class EqRandom(SeparatedHalves):
    """Halves that agree with probability 1/2 + 2^(-k/2) / 2 over two symbols."""

    symbols: int = 2

    name = "eq-random"
    title = "Eq-random"
    cites = "bhattamishra2024 Figure 4"
    known_leaks = (EVEN_COUNTS,)
    drawn_at = sized(length=8)


@dataclass(frozen=True)
class EqOne(SeparatedHalves):
    """Halves that agree with probability 1/2, else differ in one place."""

    name = "eq-one"
    title = "Eq-one"
    cites = "bhattamishra2024 Experiment 6"
    other = ONE_CHANGE
    known_leaks = (
        Leak(
            "One changed symbol leaves two symbols with an odd number of occurrences, and equal halves leave none: counts decide every "
            "example, without any order.",
            ("odd-counts", "distinct-symbols", "bag-of-symbols"),
        ),
    )

    def asked(self, batch: Batch) -> Integers:
        """The place that was changed; of equal halves, the token at which they are judged."""
        tokens, lengths = batch.tokens, batch.lengths[:, None]
        half, place = lengths // 2, np.arange(tokens.shape[1])
        differs = tokens != np.take_along_axis(tokens, np.minimum(half + 1 + place, lengths - 1), axis=1)
        differs &= place < half
        return np.where(differs.any(axis=1), differs.argmax(axis=1) + 1, batch.lengths)


@dataclass(frozen=True)
class EqNcp(SeparatedHalves):
    """Halves that agree; the model predicts the next symbol at the separator and after each symbol of the second half but the last."""

    name = "eq-ncp"
    title = "Eq-ncp"
    cites = "bhattamishra2024 Figure 4"
    other = REPEATED
    total = False
    families = ("two-symbols",)  # two symbols: the symbols before a place do not reveal which place it is
    position_kinds = ()

    @property
    def targets(self) -> int:
        return self.symbols

    @property
    def scored_at_end(self) -> bool:
        return False  # after the last symbol there is nothing left to predict

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        halves = self._halves(tokens)
        return as_answer(halves[1]) if halves is not None and halves[0] == halves[1] else None

    def second(self, tokens: Sequence[int]) -> Answer:
        """What follows the separator is what came before it."""
        return as_answer(tokens[: [*tokens].index(self.symbols)])

    @property
    def input_count(self) -> int:
        return int(self.symbols ** (self.length // 2))

    def _scored(self, tokens: Integers, k: Integers, equal: np.typing.NDArray[np.integer | np.bool_]) -> Batch:  # noqa: ARG002
        place = np.arange(tokens.shape[1])
        return read_next(tokens, k + 1, (place >= k[:, None] // 2) & (place < k[:, None]))
