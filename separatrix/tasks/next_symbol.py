"""Next symbol: read a prefix of a random string and predict what comes, as PARITY and 2DYCK are modelled under soft attention.

[hahn2020 Task 4] [hahn2020 Task 5] [hahn2020 Theorem 6]

    1 0 1 1    ->  0, or 1            PARITY: an odd number of 1s, a fair bit follows; after an even number the end may come
    ( [ ] (    ->  (, or [, or )      2DYCK: a bracket opens with probability p, else the innermost open one closes, or the end comes

The target is one draw from the law of the next symbol, so no model is always right; the measure is the cross-entropy.
`answer` is what can be known for certain: the symbols that may follow, in order; it fixes their law. A drawn target is always among them.
Draws: 0 what follows the prefix and c the symbol c (from 1); 2DYCK takes its height from draw N + 1. Whole strings: draw c is symbol c.
"""

from __future__ import annotations

import functools
import itertools
import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput
from separatrix.tasks import cross_entropy
from separatrix.tasks.cross_entropy import CrossEntropies
from separatrix.tasks.drawing.counter import words
from separatrix.tasks.task import Batch, Integers, Task, need_examples, need_length, read_at_end

Distribution = Literal["evaluation", "training"]
LONGEST = 65_534  # so that k (h + 1) of the ballot walk fits into 32 bits


class NextSymbol(Task):
    """A source of strings. Evaluation: prefixes of exactly N symbols, conditional on being that long, scored at the last one.

    Training: strings of at least one symbol, cut after N, scored at every symbol.
    """

    p: float
    distribution: Distribution
    symbols: ClassVar[tuple[str, ...]]  # the last one is the end

    def __post_init__(self) -> None:
        need_length(self.name, self.length)
        if self.length > LONGEST:
            raise BadInput(f"{self.name}: length N must be at most {LONGEST}, found {self.length}")

    @property
    def vocabulary(self) -> int:
        return len(self.symbols) - 1

    @property
    def targets(self) -> int:
        return len(self.symbols)

    @abstractmethod
    def law(self, tokens: Sequence[int]) -> tuple[float, ...] | None:
        """The probability of each symbol after this prefix; None where no string has such a prefix."""

    @property
    @abstractmethod
    def cross_entropies(self) -> CrossEntropies:
        """What the optimal, the last-symbol and the unigram predictor reach on the evaluation distribution, in nats."""

    @abstractmethod
    def _draw(self, key: int, start: int, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
        """Fill in strings, what follows them, and (training) their lengths."""

    def answer(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        law = self.law(tokens)
        return None if law is None else tuple(symbol for symbol, p in enumerate(law) if p > 0)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        tokens = np.zeros((count, self.length), dtype=np.int64)
        upcoming, lengths = np.empty(count, dtype=np.int64), np.full(count, self.length)
        self._draw(self.key(seed), start, tokens, upcoming, lengths)
        if self.distribution == "evaluation":
            return read_at_end(tokens, lengths, upcoming)
        tokens = tokens[:, : lengths.max(initial=1)]
        targets = np.zeros_like(tokens)
        targets[:, :-1] = tokens[:, 1:]
        targets[np.arange(count), lengths - 1] = upcoming
        return Batch(tokens, targets, np.arange(tokens.shape[1]) < lengths[:, None], lengths)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for prefix in itertools.product(range(self.vocabulary), repeat=self.length):
            if self.law(prefix) is not None:
                yield prefix

    def alphabets(self) -> tuple[Sequence[int], ...]:
        return (range(self.vocabulary),) * self.length

    def cross_entropy(self, logits: npt.NDArray[np.floating], batch: Batch) -> float:
        """Mean nats per scored position of a model's logits [rows, tokens, targets]: how the paper scores these tasks."""
        scored = np.asarray(logits, dtype=np.float64)[batch.mask]
        top = scored.max(axis=1)
        normaliser = top + np.log(np.exp(scored - top[:, None]).sum(axis=1))
        return float((normaliser - scored[np.arange(len(scored)), batch.targets[batch.mask]]).mean())

    def text(self, tokens: Sequence[int]) -> str:
        return " ".join(self.symbols[t] for t in tokens)

    def target_text(self, target: int) -> str:
        return self.symbols[target]

    def _id(self, word: str) -> int:
        if word not in self.symbols[:-1]:
            raise BadInput(f"{self.name}: expected one of {' '.join(self.symbols[:-1])}, found {word!r}")
        return self.symbols.index(word)


@dataclass(frozen=True)
class ParityNext(NextSymbol):
    """Bits of a two-state source: with an even number of 1s so far it ends with probability p, else the next bit is fair."""

    length: int
    p: float = 0.5
    distribution: Distribution = "evaluation"

    name: ClassVar[str] = "parity-next"
    cites: ClassVar[str] = "hahn2020 Theorem 6"
    tokens: ClassVar[str] = "N"
    symbols: ClassVar[tuple[str, ...]] = ("0", "1", "<eos>")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.p < 1:
            raise BadInput(f"parity-next: p must lie between 0 and 1, found {self.p}")

    def law(self, tokens: Sequence[int]) -> tuple[float, ...] | None:
        if not all(bit in (0, 1) for bit in tokens):
            return None
        stop = self.p if sum(tokens) % 2 == 0 else 0.0
        return ((1 - stop) / 2, (1 - stop) / 2, stop)

    @property
    def input_count(self) -> int:
        return 1 << self.length

    @property
    def cross_entropies(self) -> CrossEntropies:
        return cross_entropy.parity(self.p, self.length)

    def _draw(self, key: int, start: int, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
        from separatrix.tasks.drawing.source_walks import parity_prefixes, parity_strings

        stop = _half_word(self.p)
        if self.distribution == "evaluation":
            parity_prefixes(np.uint64(key), start, _half_word((1 - self.p) / (2 - self.p)), stop, tokens, upcoming)
        else:
            parity_strings(np.uint64(key), start, stop, tokens, upcoming, lengths)


@dataclass(frozen=True)
class Dyck2Next(NextSymbol):
    """Brackets of the grammar S -> (S)S | [S]S with probability p/2 each, else nothing; p < 1/2, or strings would have no finite mean."""

    length: int
    p: float = 0.25
    distribution: Distribution = "evaluation"

    name: ClassVar[str] = "dyck-2-next"
    cites: ClassVar[str] = "hahn2020 Theorem 6"
    tokens: ClassVar[str] = "N"
    symbols: ClassVar[tuple[str, ...]] = ("(", "[", ")", "]", "<eos>")
    types: ClassVar[int] = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.p < 0.5:
            raise BadInput(f"dyck-2-next: p must lie between 0 and 1/2, as the mean length is 2p/(1 - 2p), found {self.p}")

    def law(self, tokens: Sequence[int]) -> tuple[float, ...] | None:
        stack: list[int] = []
        for bracket in tokens:
            if bracket in (0, 1):
                stack.append(bracket)
            elif not stack or bracket != 2 + stack.pop():
                return None
        closes = [0.0, 0.0, 0.0]
        closes[stack[-1] if stack else 2] = 1 - self.p
        return (self.p / 2, self.p / 2, *closes)

    @property
    def input_count(self) -> int:
        """Walks that stay at or above 0, with a type for every bracket that opens."""
        N = self.length
        return sum((h + 1) * math.comb(N + 1, (N - h) // 2) // (N + 1) << (N + h) // 2 for h in range(N % 2, N + 1, 2))

    @property
    def cross_entropies(self) -> CrossEntropies:
        return cross_entropy.dyck(self.p, cross_entropy.survivors(self.p, self.length))

    def _draw(self, key: int, start: int, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
        from separatrix.tasks.drawing.source_walks import dyck_prefixes, dyck_strings

        if self.distribution == "evaluation":
            drawn = words(key, np.arange(start, start + len(tokens)), [self.length + 1])[:, 0] >> np.uint64(11)
            heights = self.length % 2 + 2 * np.searchsorted(_height_thresholds(self.p, self.length), drawn, side="right")
            dyck_prefixes(np.uint64(key), start, _half_word(self.p), heights, tokens, upcoming)
        else:
            dyck_strings(np.uint64(key), start, _half_word(self.p), tokens, upcoming, lengths)


@functools.lru_cache(maxsize=64)
def _height_thresholds(p: float, n: int) -> npt.NDArray[np.uint64]:
    """A word of 53 bits below threshold i, and not below the one before, gives the height number i."""
    cumulated = itertools.accumulate(share for _, share in cross_entropy.height_law(p, n))
    table = np.array([min(2**53, int(share * 2**53)) for share in cumulated][:-1], dtype=np.uint64)
    table.flags.writeable = False
    return table


def _half_word(probability: float) -> np.uint64:
    """A half word of 32 bits lies below this with the probability."""
    return np.uint64(int(probability * 2**32))
