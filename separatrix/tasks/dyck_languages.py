"""1DYCK and 2DYCK: say whether a string of brackets is well matched, however deep.

[hahn2020 Task 2] [hahn2020 Task 3]

    ( [ ] ) [ ] <eos>  ->  1
    ( [ ) ] [ ] <eos>  ->  0

Half of the words are uniform members. The others are non-members of one of these kinds, each equally often:

    order    uniform among the badly nested words with as many opening as closing brackets; of each type as many close as open
    count    a member with the direction of one bracket flipped
    type     2DYCK only: a member whose nesting stays right, while two closing brackets of different types change places

So neither counts nor nesting alone decide. Known shortcuts: counting opens reveals `count`, and the two ends reveal most of `order`
of the word (a closing bracket first, or an opening one last).
Draws: 1..N the member, N + 1 the label (high bit 0 is a member), N + 2 the kind, N + 3 and N + 4 places, N + 5 .. 2N + 4 the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import Words, below, words
from separatrix.tasks.drawing.source_walks import dyck_prefixes
from separatrix.tasks.dyck import peeled
from separatrix.tasks.recognition import Recognition, pick
from separatrix.tasks.task import Integers, Leak, sized

ENDS = "Most badly ordered words show it at their ends: they begin with a closing bracket, or end with an open one."
LONGEST = 65_534  # so that k (h + 1) of the walk fits into 32 bits


class DyckLanguage(Recognition):
    """Brackets of a few types: type a opens with id a and closes with id types + a."""

    types: ClassVar[int]
    cites = "hahn2020 Corollary 2"
    length_means = "brackets"
    least_length = 2
    even_because = "because no word of odd length is well matched"
    drawn_at = sized(length=10)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.length > LONGEST:
            raise BadInput(f"{self.name}: length N must be at most {LONGEST}, found {self.length}")

    @property
    def letters(self) -> tuple[str, ...]:
        return (*"(["[: self.types], *")]"[: self.types])

    def member(self, word: Sequence[int]) -> bool:
        stack: list[int] = []
        for bracket in word:
            if bracket < self.types:
                stack.append(bracket)
            elif not stack or stack.pop() != bracket - self.types:
                return False
        return not stack

    def second(self, tokens: Sequence[int]) -> int:
        return int(not peeled(tokens[:-1], self.types)[0])

    def draw(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        N, rows = self.length, self._members(key, examples)
        drawn = words(key, examples, np.arange(N + 1, N + 5))
        labels, way = 1 - below(drawn[:, 0], 2), below(drawn[:, 1], 1 + self.types)
        ways_out = [self._misordered(key, examples), self._flipped(rows, below(drawn[:, 2], N))]
        if self.types == 2:
            ways_out.append(mistyped(rows, drawn[:, 2], drawn[:, 3]))
        for number, outside in enumerate(ways_out):
            selected = (labels == 0) & (way == number)
            rows[selected] = outside[selected]
        return rows, labels

    def neighbours(self, key: int, examples: Integers) -> tuple[Integers, Integers]:
        members = self._members(key, examples)
        place = below(words(key, examples, [self.length + 3])[:, 0], self.length)
        return members, self._flipped(members, place)

    def _members(self, key: int, examples: Integers) -> Integers:
        """Words of the language, drawn uniformly."""
        two_types = np.empty((len(examples), self.length), dtype=np.int64)
        first, unused = int(examples.min(initial=2**62)), np.empty(len(examples), dtype=np.int64)
        dyck_prefixes(np.uint64(key), first, np.uint64(0), np.zeros_like(unused), two_types, unused)
        return two_types if self.types == 2 else two_types // 2

    def _flipped(self, members: Integers, place: Integers) -> Integers:
        """One bracket in the other direction."""
        outside, rows = members.copy(), np.arange(len(members))
        outside[rows, place] = (outside[rows, place] + self.types) % (2 * self.types)
        return outside

    def _misordered(self, key: int, examples: Integers) -> Integers:
        """Uniform nesting that goes below 0 and ends at 0, by reflection.

        Any word with two opens more than closes climbs to +1; turned round up to there, it dips to -1 and ends at 0, and each such
        word comes from exactly one. The k-th bracket that closes takes the type of the k-th that opens.
        """
        N, half = self.length, self.length // 2
        drawn = words(key, examples, np.arange(N + 5, 2 * N + 5))
        opens = drawn.argsort(axis=1).argsort(axis=1) <= half  # half + 1 of the N places
        climbed = (np.where(opens, 1, -1).cumsum(axis=1) == 1).argmax(axis=1)
        opens ^= np.arange(N) <= climbed[:, None]
        kinds = (drawn[:, :half] & np.uint64(self.types - 1)).astype(np.int64)
        kind_opened, kind_closed = (np.take_along_axis(kinds, np.maximum(side.cumsum(axis=1) - 1, 0), axis=1) for side in (opens, ~opens))
        return np.where(opens, kind_opened, self.types + kind_closed)


def mistyped(members: Integers, one: Words, other: Words) -> Integers:
    """2DYCK: a ) and a ] change places; where all brackets have one type, one that closes gets the other type."""
    outside, rows = members.copy(), np.arange(len(members))
    is_round, is_square = members == 2, members == 3
    both = is_round.any(axis=1) & is_square.any(axis=1)
    place = pick(np.where(both[:, None], is_round, is_round | is_square), one)
    outside[rows, place] = 5 - members[rows, place]
    outside[rows[both], pick(is_square, other)[both]] = 2
    return outside


@dataclass(frozen=True)
class Dyck1(DyckLanguage):
    """Balanced strings of one type of brackets."""

    name = "dyck-1"
    title = "1DYCK"
    types = 1
    enumerated_at = sized(length=6)
    known_leaks = (
        Leak(ENDS, ("first-symbols", "last-symbols")),
        Leak(
            "Half of the non-members have a flipped bracket, which counting the opening ones shows.",
            ("open-count", "odd-counts", "symbol-count", "bag-of-symbols"),
        ),
    )


@dataclass(frozen=True)
class Dyck2(DyckLanguage):
    """Balanced strings of two types of brackets."""

    name = "dyck-2"
    title = "2DYCK"
    types = 2
    counted_at = sized(length=8)
    known_leaks = (
        Leak(ENDS, ("first-symbols",)),
        Leak(
            "A third of the non-members have a flipped bracket, which counting the opening ones shows.",
            ("open-count", "odd-counts", "bag-of-symbols"),
        ),
    )
