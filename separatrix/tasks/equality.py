"""Equality: say whether the second half of a string repeats the first; or, as next-character prediction, repeat it.

[bhattamishra2024 Task 3] [bhattamishra2024 Task 12] [bhattamishra2024 Task 13] [bhattamishra2024 Task 14]

    0 1 1 0 1 1      ->  1        equality     the theorem's function of N symbols; with probability 1/2 the half is repeated
    0 1 1 # 0 0 1    ->  0        eq-random    the halves apart; with probability 1/2 repeated, else drawn afresh (and perhaps equal)
    7 3 7 # 7 9 7    ->  0        eq-one       a second half that does not repeat the first differs from it in exactly one place
    7 3 9 # 7 3 9    ->  7 3 9    eq-ncp       after # only one symbol may follow: the k/2 predictions from # on count, all or nothing

Ids: symbol s is s, the separator # is |S|. Draws: 0 the length, 1 whether the half is repeated (high bit 0), 2 the place that changes,
3 by how much its symbol moves around the alphabet, 4.. the first half (N/2 words) and then the second.
Known shortcuts: in eq-random a few remembered symbols decide almost always, in eq-one the counts of the symbols always do.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.task import Answer, Batch, Integers, Task, need_examples, need_length, read_at_end, read_next

Distribution = Literal["evaluation", "training"]
REPEATED, AFRESH, ONE_CHANGE = 0, 1, 2  # what a second half is that need not repeat the first


class Halves(Task):
    """Strings of k symbols in two halves; k = N in evaluation, in training k is drawn from 2 ceil(N/20), .. + 2, .., N."""

    symbols: int
    distribution: Distribution = "evaluation"
    separated: ClassVar[bool] = True
    other: ClassVar[int] = AFRESH

    def __post_init__(self) -> None:
        need_length(self.name, self.length, least=2)
        if self.length % 2:
            raise BadInput(f"{self.name}: length N must be even, as the string has two halves, found {self.length}")
        if not 2 <= self.symbols <= 2**31:
            raise BadInput(f"{self.name}: symbols must lie in 2..2^31, found {self.symbols}")

    @property
    def vocabulary(self) -> int:
        return self.symbols + self.separated

    @property
    def targets(self) -> int:
        return 2

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        halves = self._halves(tokens)
        return None if halves is None else int(halves[0] == halves[1])

    def _halves(self, tokens: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The two halves of a string; None where it has none."""
        h = len(tokens) // 2
        first, between, second = tuple(tokens[:h]), tuple(tokens[h : len(tokens) - h]), tuple(tokens[len(tokens) - h :])
        if not first or between != (self.symbols,) * self.separated or not all(0 <= s < self.symbols for s in first + second):
            return None
        return first, second

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        from separatrix.tasks.drawing.repeated_halves import draw_halves

        N, gap, key = self.length, int(self.separated), np.uint64(self.key(seed))
        shortest = 2 * -(-N // 20) if self.distribution == "training" else N
        tokens = np.zeros((count, N + gap), dtype=np.int64)
        k, equal = draw_halves(key, start, shortest, N, self.symbols, gap, self.other, tokens)
        return self._asked(tokens[:, : int(k.max(initial=0)) + gap], k, equal)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        strings = [*itertools.product(range(self.symbols), repeat=self.length // 2)]
        for first, second in itertools.product(strings, repeat=2):
            yield (*first, *(self.symbols,) * self.separated, *second)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        half: tuple[Sequence[int], ...] = (range(self.symbols),) * (self.length // 2)
        return (*half, *((self.symbols,),) * self.separated, *half)

    @property
    def input_count(self) -> int:
        return int(self.symbols**self.length)

    @property
    def case_kinds(self) -> tuple[str, ...]:
        return ("random", "equal", "one-change")

    @property
    def position_kinds(self) -> tuple[str, ...]:
        return ("one-change",)

    def cases(self, kind: str, seed: int, count: int) -> Batch:
        if kind == "random" or kind not in self.case_kinds:
            return super().cases(kind, seed, count)
        need_examples(seed, count, 0)
        N, key, j = self.length, self.key(seed), np.arange(count)
        first = integers(key, j, np.arange(4, 4 + N // 2), 2 if kind == "two-symbols" else self.symbols)
        second = first.copy()
        if kind == "one-change":  # the places take turns: N/2 cases meet each of them
            place = j % (N // 2)
            second[j, place] = (first[j, place] + 1 + integers(key, j, [3], self.symbols - 1)[:, 0]) % self.symbols
        between = np.full((count, int(self.separated)), self.symbols)
        return self._asked(np.concatenate((first, between, second), axis=1), np.full(count, N), (first == second).all(axis=1))

    def _asked(self, tokens: Integers, k: Integers, equal: np.typing.NDArray[np.integer | np.bool_]) -> Batch:
        """The batch of rows with k symbols each."""
        return read_at_end(tokens, k + self.separated, equal.astype(np.int64))

    def text(self, tokens: Sequence[int]) -> str:
        return " ".join("#" if t == self.symbols else str(t) for t in tokens)

    def _id(self, word: str) -> int:
        return self.symbols if word == "#" and self.separated else super()._id(word)


@dataclass(frozen=True)
class Equality(Halves):
    """EQ over N symbols without a separator, as the theorems have it."""

    length: int
    symbols: int = 2

    name: ClassVar[str] = "equality"
    cites: ClassVar[str] = "bhattamishra2024 Theorem 6"
    tokens: ClassVar[str] = "N"
    separated: ClassVar[bool] = False


@dataclass(frozen=True)
class EqRandom(Halves):
    """Halves that agree with probability 1/2 + 2^(-k/2) / 2 over two symbols."""

    length: int
    symbols: int = 2
    distribution: Distribution = "evaluation"

    name: ClassVar[str] = "eq-random"
    cites: ClassVar[str] = "bhattamishra2024 Figure 4"
    tokens: ClassVar[str] = "N + 1"


@dataclass(frozen=True)
class EqOne(Halves):
    """Halves that agree with probability 1/2, else differ in one place."""

    length: int
    symbols: int = 1024
    distribution: Distribution = "evaluation"

    name: ClassVar[str] = "eq-one"
    cites: ClassVar[str] = "bhattamishra2024 Experiment 6"
    tokens: ClassVar[str] = "N + 1"
    other: ClassVar[int] = ONE_CHANGE


@dataclass(frozen=True)
class EqNcp(Halves):
    """Halves that agree; the next symbol is asked at the separator and after each symbol of the second half but the last."""

    length: int
    symbols: int = 1024
    distribution: Distribution = "evaluation"

    name: ClassVar[str] = "eq-ncp"
    cites: ClassVar[str] = "bhattamishra2024 Figure 4"
    tokens: ClassVar[str] = "N + 1"
    other: ClassVar[int] = REPEATED

    @property
    def targets(self) -> int:
        return self.symbols

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        halves = self._halves(tokens)
        if halves is None or halves[0] != halves[1]:
            return None
        return halves[1] if len(halves[1]) > 1 else halves[1][0]

    def inputs(self) -> Iterator[tuple[int, ...]]:
        return (tokens for tokens in super().inputs() if self.answer(tokens) is not None)

    @property
    def input_count(self) -> int:
        return int(self.symbols ** (self.length // 2))

    @property
    def case_kinds(self) -> tuple[str, ...]:
        return ("random", "two-symbols")  # of two symbols: what stands before a symbol does not tell where it stands

    @property
    def position_kinds(self) -> tuple[str, ...]:
        return ()

    def _asked(self, tokens: Integers, k: Integers, equal: np.typing.NDArray[np.integer | np.bool_]) -> Batch:  # noqa: ARG002
        place = np.arange(tokens.shape[1])
        return read_next(tokens, k + 1, (place >= k[:, None] // 2) & (place < k[:, None]))
