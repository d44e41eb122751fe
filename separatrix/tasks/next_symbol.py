"""Next symbol: read a prefix of a random string and predict what comes, as for PARITY and 2DYCK under soft attention.

[hahn2020 Task 4] [hahn2020 Task 5] [hahn2020 Theorem 6]

    1 0 1 1    ->  0, or 1            PARITY: an odd number of 1s, a fair bit follows; after an even number the end may come
    ( [ ] (    ->  (, or [, or )      2DYCK: a bracket opens with probability p, else the innermost open one closes, or the end comes

The target is one draw from the law of the next symbol, so no model is always right; the measure is the cross-entropy.
`answer` is what is certain: the symbols that may follow, in order; these determine their law. A drawn target is always among them.
Draws: 0 what follows the prefix and c the symbol c (from 1); 2DYCK takes its height from draw N + 1. Whole strings: draw c is symbol c.

Cross-entropy, in nats after n symbols, of the best predictor, of one that sees the last symbol, and of one that sees none:
PARITY: P(even) = 1/2 at every n >= 1, but survival makes the last symbol informative: from n = 2 on P(even | 0) = (1 - p)/(2 - p) and
P(even | 1) = 1/(2 - p); a single symbol determines the state.
A Transformer can read its own last symbol, so the last-symbol level is its floor; the paper's unigram level is above it.
2DYCK: the height is a walk that stays at or above 0. It is counted exactly by the ballot numbers, and in the limit by the law
(height + 1) r^height with r^2 = s = p/(1 - p), on the heights of the parity of n.
"""

from __future__ import annotations

import functools
import itertools
import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from operator import xor
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import words
from separatrix.tasks.drawing.source_walks import dyck_prefixes, dyck_strings, parity_prefixes, parity_strings
from separatrix.tasks.dyck import peeled
from separatrix.tasks.task import Batch, Integers, Leak, Task, need_examples, read_at_end, sized

LONGEST = 65_534  # so that k (h + 1) of the ballot walk fits into 32 bits
LN2 = math.log(2)


@dataclass(frozen=True)
class CrossEntropies:
    """Nats per prediction of three predictors that know p and n: they also know the state, the last symbol only, or nothing."""

    optimal: float
    last_symbol: float
    unigram: float


@dataclass(frozen=True)
class NextSymbol(Task):
    """A source of strings. Evaluation: prefixes of exactly N symbols, conditional on being that long, scored at the last one.

    Training: strings of at least one symbol, cut after N, scored at every symbol.
    """

    about = "languages"
    random_target = True

    p: float = 0.5
    distribution: Literal["evaluation", "training"] = "evaluation"

    symbols: ClassVar[tuple[str, ...]]  # the last one is the end
    cites = "hahn2020 Theorem 6"
    tokens = "N"
    length_means = "symbols of the prefix"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.length > LONGEST:
            raise BadInput(f"{self.name}: length N must be at most {LONGEST}, found {self.length}")

    @property
    def token_count(self) -> int:
        return self.length

    @property
    def scored_at_end(self) -> bool:
        return self.distribution == "evaluation"

    @property
    def spelling(self) -> tuple[str, ...]:
        return self.symbols[:-1]

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
        """Cross-entropy of the optimal, the last-symbol and the unigram predictor on the evaluation distribution, in nats."""

    @abstractmethod
    def _draw(self, key: int, start: int, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
        """Fill in strings, the symbols that follow them, and (in training) their lengths."""

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

    def cross_entropy(self, logits: npt.NDArray[np.floating], batch: Batch) -> float:
        """Mean nats per scored position of a model's logits [rows, tokens, targets]: the paper's score for these tasks."""
        scored = np.asarray(logits, dtype=np.float64)[batch.mask]
        top = scored.max(axis=1)
        normaliser = top + np.log(np.exp(scored - top[:, None]).sum(axis=1))
        return float((normaliser - scored[np.arange(len(scored)), batch.targets[batch.mask]]).mean())

    def target_text(self, target: int) -> str:
        return self.symbols[target]


@dataclass(frozen=True)
class ParityNext(NextSymbol):
    """Bits of a two-state source: with an even number of 1s so far it ends with probability p, else the next bit is fair."""

    name = "parity-next"
    title = "PARITY, next symbol"
    symbols = ("0", "1", "<eos>")
    enumerated_at = sized(length=6)
    known_leaks = (
        Leak(
            "The number of 1s determines the state, and even knowing it is right only half of the time: the law of "
            "the next symbol is what is asked, and cross-entropy is the measure.",
            ("symbol-count", "odd-counts"),
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.p < 1:
            raise BadInput(f"parity-next: p must lie between 0 and 1, found {self.p}")

    def law(self, tokens: Sequence[int]) -> tuple[float, ...] | None:
        if not all(bit in (0, 1) for bit in tokens):
            return None
        stop = self.p if sum(tokens) % 2 == 0 else 0.0
        return ((1 - stop) / 2, (1 - stop) / 2, stop)

    def second(self, tokens: Sequence[int]) -> tuple[int, ...]:
        return (0, 1) if functools.reduce(xor, tokens) else (0, 1, 2)

    @property
    def input_count(self) -> int:
        return 1 << self.length

    @property
    def cross_entropies(self) -> CrossEntropies:
        return parity_entropies(self.p, self.length)

    def _draw(self, key: int, start: int, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
        stop = _half_word(self.p)
        if self.distribution == "evaluation":
            parity_prefixes(np.uint64(key), start, _half_word((1 - self.p) / (2 - self.p)), stop, tokens, upcoming)
        else:
            parity_strings(np.uint64(key), start, stop, tokens, upcoming, lengths)


@dataclass(frozen=True)
class Dyck2Next(NextSymbol):
    """Brackets of the grammar S -> (S)S | [S]S with probability p/2 each, else nothing; p < 1/2, or strings would have no finite mean."""

    p: float = 0.25

    name = "dyck-2-next"
    title = "2DYCK, next symbol"
    symbols = ("(", "[", ")", "]", "<eos>")
    types: ClassVar[int] = 2
    drawn_at = sized(length=9)
    counted_at = sized(length=8)
    enumerated_at = sized(length=5)
    known_leaks = (
        Leak("After an opening bracket the last symbol is all there is to know.", ("last-symbols",)),
        Leak("Counts show whether everything is closed.", ("open-count", "bag-of-symbols", "odd-counts")),
    )

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

    def second(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """After removing everything matched, the last bracket is the one that may close."""
        still_open = peeled(tokens, 2)[0]
        return (0, 1, 2 + still_open[-1] if still_open else 4)

    @property
    def input_count(self) -> int:
        """Walks that stay at or above 0, with a type for every bracket that opens."""
        N = self.length
        return sum((h + 1) * math.comb(N + 1, (N - h) // 2) // (N + 1) << (N + h) // 2 for h in range(N % 2, N + 1, 2))

    @property
    def cross_entropies(self) -> CrossEntropies:
        return dyck_entropies(self.p, survivors(self.p, self.length))

    def _draw(self, key: int, start: int, tokens: Integers, upcoming: Integers, lengths: Integers) -> None:
        if self.distribution == "evaluation":
            drawn = words(key, np.arange(start, start + len(tokens)), [self.length + 1])[:, 0] >> np.uint64(11)
            heights = self.length % 2 + 2 * np.searchsorted(_height_thresholds(self.p, self.length), drawn, side="right")
            dyck_prefixes(np.uint64(key), start, _half_word(self.p), heights, tokens, upcoming)
        else:
            dyck_strings(np.uint64(key), start, _half_word(self.p), tokens, upcoming, lengths)


@functools.lru_cache(maxsize=64)
def _height_thresholds(p: float, n: int) -> npt.NDArray[np.uint64]:
    """A 53-bit word below threshold i, and not below threshold i - 1, gives the height number i."""
    cumulated = itertools.accumulate(share for _, share in height_law(p, n))
    table = np.array([min(2**53, int(share * 2**53)) for share in cumulated][:-1], dtype=np.uint64)
    table.flags.writeable = False
    return table


def _half_word(probability: float) -> np.uint64:
    """The threshold below which a uniform 32-bit half word lies with this probability."""
    return np.uint64(int(probability * 2**32))


def binary_entropy(p: float) -> float:
    """The binary entropy h(p), in nats."""
    return sum(-q * math.log(q) for q in (p, 1 - p) if q > 0)


def parity_entropies(p: float, n: int) -> CrossEntropies:
    """PARITY after n >= 1 symbols: the two-state source that stops with probability p in the even state, else gives a fair bit."""

    def after(stop: float) -> float:  # ends with this probability, else a fair bit follows
        return binary_entropy(stop) + (1 - stop) * LN2

    stops = (p * (1 - p) / (2 - p), p / (2 - p)) if n > 1 else (p, 0.0)  # after a 0, after a 1; both are equally likely
    return CrossEntropies((after(p) + LN2) / 2, sum(map(after, stops)) / 2, after(p / 2))


@dataclass(frozen=True)
class Survivors:
    """Shares of the 2DYCK prefixes of one length: balanced, and unbalanced with a closing bracket at the end."""

    balanced: float
    closed: float  # P0 of the paper


def survivors(p: float, n: int) -> Survivors:
    """The exact shares at length n, by the ballot numbers.

    [hahn2020 Footnote 4]
    """
    closed = sum(share * (1 - last_step_up(n, h)) for h, share in height_law(p, n))
    balanced = dict(height_law(p, n)).get(0, 0.0)
    return Survivors(balanced, closed - balanced)


def survivors_limit(p: float, odd: bool) -> Survivors:
    """The limits over odd or even lengths: P0 -> (3 - s)/4 or s(2 - s)/(1 + s), with s = p/(1 - p).

    [hahn2020 Footnote 4]
    """
    s = p / (1 - p)
    return Survivors(0.0, (3 - s) / 4) if odd else Survivors((1 - s) ** 2 / (1 + s), s * (2 - s) / (1 + s))


def dyck_entropies(p: float, among: Survivors) -> CrossEntropies:
    """2DYCK: after an opening bracket only its type matters; after a closing one the type, and whether all is closed."""
    optimal = binary_entropy(p) + p * LN2

    def closing(balanced: float) -> float:  # ends with this probability, else one of two closing brackets follows
        return binary_entropy(balanced) + (1 - balanced) * LN2

    closed = among.closed + among.balanced
    blind = closed * closing(among.balanced / closed) if closed else 0.0
    return CrossEntropies(optimal, optimal + (1 - p) * blind, optimal + (1 - p) * closing(among.balanced))


@functools.lru_cache(maxsize=64)
def height_law(p: float, n: int) -> tuple[tuple[int, float], ...]:
    """(height, share) of the walks of n steps that stay at or above 0, a step up having probability p.

    A walk to height h has (n + h)/2 steps up, and (h + 1) C(n + 1, (n - h)/2) / (n + 1) walks lead there.
    Ratios of neighbours need no large numbers, and only + * /, so that every machine gets the same shares.
    """
    heights = range(n % 2, n + 1, 2)
    weights = [1.0]
    for h in heights[:-1]:
        weights.append(weights[-1] * ((h + 3) / (h + 1)) * ((n - h) / (n + h + 4)) * (p / (1 - p)))
    total = list(itertools.accumulate(weights))[-1]  # sum() rounds differently since Python 3.12
    return tuple((h, weight / total) for h, weight in zip(heights, weights, strict=True))


def last_step_up(n: int, h: int) -> float:
    """Among walks of n steps from 0 to h that stay at or above 0, the share whose last step goes up."""
    return h * ((n + h) // 2 + 1) / (n * (h + 1))
