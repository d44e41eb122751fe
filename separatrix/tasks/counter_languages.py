"""1* and a^n b^n: two languages that hard attention does recognise.

[hahn2020 Construction 1] [hahn2020 Construction 2]

    1 1 1 1 <eos>  ->  1        1*: no 0 anywhere
    a a b b <eos>  ->  1        a^n b^n: as many b as a, all a first

Each has at most one word of a given length, so half of the examples are that word and two samples always share it.
Draws: 0 the label (high bit 0 is a member), 1 and 2 how a non-member leaves the language, 3 .. places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.drawing.counter import below, integers, words
from separatrix.tasks.recognition import Recognition
from separatrix.tasks.task import Integers, Leak, sized


@dataclass(frozen=True)
class Ones(Recognition):
    """1* over the bits; a non-member has 1 .. max(1, N // 10) zeros at random places."""

    name = "ones"
    title = "1*"
    cites = "hahn2020 Construction 1"
    length_means = "bits"
    enumerated_at = sized(length=5)
    known_leaks = (
        Leak("The language has one word of each length, so half of the examples are that word and samples share it."),
        Leak(
            "Any 0 shows in the counts, as the language itself says.", ("distinct-symbols", "symbol-count", "bag-of-symbols", "odd-counts")
        ),
    )

    @property
    def letters(self) -> tuple[str, ...]:
        return ("0", "1")

    def member(self, word: Sequence[int]) -> bool:
        return all(symbol == 1 for symbol in word)

    def second(self, tokens: Sequence[int]) -> int:
        return int(0 not in tokens)

    def draw(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        drawn = words(key, examples, np.arange(self.length + 3))
        labels = 1 - below(drawn[:, 0], 2)
        zeros = (1 - labels) * (1 + below(drawn[:, 1], max(1, self.length // 10)))
        rank = drawn[:, 3:].argsort(axis=1).argsort(axis=1)
        return (rank >= zeros[:, None]).astype(np.int64), labels

    def neighbours(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        """Words of 1s, and the same words with a single 0."""
        members = np.ones((len(examples), self.length), dtype=np.int64)
        outside = members.copy()
        outside[np.arange(len(examples)), integers(key, examples, [2], self.length)[:, 0]] = 0
        return members, outside


@dataclass(frozen=True)
class AnBn(Recognition):
    """a^n b^n; a non-member is some other a^k b^(N-k), or has one a of the first half and one b of the second exchanged.

    An odd N has no member, and every label is 0: there the rule printed in the paper wrongly accepts a^k b^(k+1).
    """

    name = "an-bn"
    title = "aⁿbⁿ"
    cites = "hahn2020 Construction 2"
    enumerated_at = sized(length=6)
    known_leaks = (
        Leak("The language has one word of each even length, so half of the examples are that word and samples share it."),
        Leak("Half of the non-members have a different number of a.", ("symbol-count", "bag-of-symbols", "odd-counts", "first-symbols")),
    )

    @property
    def letters(self) -> tuple[str, ...]:
        return ("a", "b")

    def member(self, word: Sequence[int]) -> bool:
        half = len(word) // 2
        return len(word) % 2 == 0 and all(symbol == (i >= half) for i, symbol in enumerate(word))

    def second(self, tokens: Sequence[int]) -> int:
        """Sorted, with as many of both."""
        word = list(tokens[:-1])
        return int(word == sorted(word) and word.count(0) == word.count(1))

    def draw(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        N, half = self.length, self.length // 2
        drawn = words(key, examples, np.arange(5))
        labels = (1 - below(drawn[:, 0], 2)) * (1 - N % 2)
        exchanged = (labels == 0) & (below(drawn[:, 1], 2) == 1) & (half > 0)
        k = below(drawn[:, 2], N + N % 2)  # another border: any of 0..N, but not the right one
        k += (k >= half) & (N % 2 == 0)
        border = np.where((labels == 1) | exchanged, half, k)
        symbols = (np.arange(N) >= border[:, None]).astype(np.int64)
        rows = np.flatnonzero(exchanged)
        symbols[rows, below(drawn[rows, 3], max(1, half))] = 1
        symbols[rows, half + below(drawn[rows, 4], N - half)] = 0
        return symbols, labels

    def neighbours(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        """a^n b^n (for odd N the near miss a^n b^(n+1)) and one symbol changed."""
        members = np.repeat((np.arange(self.length) >= self.length // 2).astype(np.int64)[None, :], len(examples), axis=0)
        outside = members.copy()
        outside[np.arange(len(examples)), integers(key, examples, [3], self.length)[:, 0]] ^= 1
        return members, outside
