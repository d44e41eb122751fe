"""Bounded Dyck: say whether a string of brackets is well matched and never nested deeper than k.

[bhattamishra2024 Task 2] [bhattamishra2024 Task 10] [bhattamishra2024 Task 11]

    ( [ ] ) [ ]  ->  1        n types of brackets, depth k; here a member of Dyck-(2, 2)
    ( [ ) ] [ ]  ->  0

Ids: the bracket of type a is a when it opens and n + a when it closes; the label is read at the last token.
Draws: 0 the label (high bit 0 is a member), 1..N a member of the language, then the corruption that makes it a non-member:
how many brackets change (1 .. max(1, N // 10)), the places one by one, and all of it again while the string is still a member.
A known shortcut: the number of opening brackets alone rejects 57 % (N = 20) to 84 % (N = 400) of the non-members.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.bracket_walks import draw_examples, draw_members, members
from separatrix.tasks.drawing.counter import Words
from separatrix.tasks.task import Batch, Decision, Integers, Leak, ask_at_end, blank, need_examples, sized

OPENING, CLOSING = "([{<", ")]}>"
Positives = Literal["walk", "fair-walk", "uniform"]


@dataclass(frozen=True)
class Dyck(Decision):
    """Strings of even length N, half of them members.

    Members come from a `walk` whose next bracket is one of the n opening ones or the closing one, all equally likely,
    from a `fair-walk` that opens or closes with probability 1/2, or are `uniform` over all members of length N.
    """

    types: int = 2
    depth: int = 2
    positives: Positives = "walk"

    name = "dyck"
    title = "Bounded Dyck"
    about = "languages"
    cites = "bhattamishra2024 Theorem 5"
    tokens = "N"
    length_means = "brackets"
    least_length = 2
    even_because = "because no string of odd length is well matched"
    total = True
    families = ("single-change", "too-deep", "crossed")
    known_leaks = (
        Leak(
            "The number of opening brackets alone rejects 57 % (N = 20) to 84 % (N = 400) of the non-members, and counts "
            "of each type about 91 % at N = 20.",
            ("open-count", "odd-counts", "bag-of-symbols"),
        ),
    )
    drawn_at = sized(length=10)
    enumerated_at = sized(length=6)
    sampled_at = (sized(length=20, depth=3, positives="uniform"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.types <= 2**16 or self.depth < 1:
            raise BadInput(f"dyck: types must lie in 1..2^16 and depth be at least 1, found types={self.types}, depth={self.depth}")

    @property
    def vocabulary(self) -> int:
        return 2 * self.types

    @property
    def token_count(self) -> int:
        return self.length

    def answer(self, tokens: Sequence[int]) -> int | None:
        if not all(0 <= bracket < 2 * self.types for bracket in tokens):
            return None
        stack: list[int] = []
        for bracket in tokens:
            if bracket < self.types:
                stack.append(bracket)
            elif not stack or stack.pop() != bracket - self.types:
                return 0
            if len(stack) > self.depth:
                return 0
        return int(not stack)

    def second(self, tokens: Sequence[int]) -> int:
        left, layers = peeled(tokens, self.types)
        return int(not left and layers <= self.depth)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._corrupted(seed, count, start, most=max(1, self.length // 10))

    @property
    def case_kinds(self) -> tuple[str, ...]:
        return tuple(kind for kind in super().case_kinds if kind != "crossed" or self.depth <= 2)

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        if kind == "single-change":  # half members, half one bracket away from a member
            return self._corrupted(seed, count, 0, most=1)
        one, other = self._members(seed, count, 0, self.depth), self._members(seed, count, count, self.depth)
        if kind == "crossed":  # [bhattamishra2024 Lemma 1]: the odd places of one member, the even places of another
            one[:, 1::2] = other[:, 1::2]
        else:  # too-deep: every other string is well matched, and one level deeper than allowed
            one[1::2] = self._members(seed, count, 0, self.depth + 1)[1::2]
        return self._labelled(one)

    def _members(self, seed: int, count: int, start: int, depth: int) -> Integers:
        tokens = np.empty((count, self.length), dtype=np.int64)
        odds = opening_odds(self.positives, self.length, self.types, depth)
        draw_members(np.uint64(self.key(seed)), start, odds, self.types, min(depth, self.length), tokens)
        return tokens

    def _corrupted(self, seed: int, count: int, start: int, most: int) -> Batch:
        block, depth = blank(count, self.length), min(self.depth, self.length)
        odds = opening_odds(self.positives, self.length, self.types, self.depth)
        labels = draw_examples(np.uint64(self.key(seed)), start, odds, self.types, depth, most, block[0])
        return ask_at_end(block, np.full(count, self.length), labels)

    def _labelled(self, tokens: Integers) -> Batch:
        return self.labelled(tokens, members(tokens, self.types, min(self.depth, self.length)))

    def text(self, tokens: Sequence[int]) -> str:
        return ("" if self.types <= len(OPENING) else " ").join(map(self._bracket, tokens))

    def read(self, text: str) -> tuple[int, ...]:
        words = text.split()
        return tuple(map(self._id, "".join(words) if self.types <= len(OPENING) else words))

    def _bracket(self, token: int) -> str:
        kind, closes = token % self.types, token >= self.types
        return f"{'()'[closes]}{kind}" if self.types > len(OPENING) else (OPENING, CLOSING)[closes][kind]

    def _id(self, word: str) -> int:
        kind = int(word[1:]) if word[1:].isdecimal() else (OPENING + CLOSING).find(word) % len(OPENING)
        for token in (kind, self.types + kind):
            if kind < self.types and word == self._bracket(token):
                return token
        raise BadInput(f"dyck: expected one of {self.types} types of brackets, such as {self._bracket(0)}, found {word!r}")


def peeled(word: Sequence[int], types: int) -> tuple[list[int], int]:
    """What remains of a bracket word after removing matched neighbours layer by layer, and the number of layers."""
    left, layers = list(word), 0
    while True:
        rest: list[int] = []
        i = 0
        while i < len(left):
            matched = left[i] < types and left[i + 1 : i + 2] == [left[i] + types]
            rest += [] if matched else [left[i]]
            i += 2 if matched else 1
        if len(rest) == len(left):
            return rest, layers
        left, layers = rest, layers + 1


@functools.lru_cache(maxsize=64)
def opening_odds(positives: Positives, length: int, types: int, depth: int) -> Words:
    """odds[height, t]: after t brackets, at this height, the next one opens with probability odds / 2^32 if it may open or close.

    For `uniform` it is the share of the completions that go up among all completions within the depth.
    For depth 2 it is exactly 1/2, so every member has probability 2^(1 - N) when n = 2 [bhattamishra2024 Task 10].
    """
    depth = min(depth, length)
    if positives != "uniform":
        odds = 2**31 if positives == "fair-walk" else -(-(2**32) * types // (types + 1))  # below(word, n + 1) < n
        return _shared(np.full((depth + 1, length), odds, dtype=np.uint64))
    paths = [1] + [0] * depth  # paths[h]: ways from height h back to 0 in the steps that are left, within the depth
    table = np.zeros((depth + 1, length), dtype=np.uint64)
    for t in reversed(range(length)):
        up, down = [*paths[1:], 0], [0, *paths[:-1]]
        paths = [a + b for a, b in zip(up, down, strict=True)]
        table[:, t] = [2**32 * a // total if total else 0 for a, total in zip(up, paths, strict=True)]
    return _shared(table)


def _shared(table: Words) -> Words:
    """A read-only table, because many samplers share it."""
    table.flags.writeable = False
    return table
