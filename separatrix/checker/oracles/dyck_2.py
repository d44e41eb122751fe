"""2DYCK: whether brackets of two types, ( 0, [ 1, ) 2, ] 3, before the end symbol 4 are well matched, however deep.

Members are uniform, drawn from the back: of the walks of k steps from 0 to h, h ((k + h)/2 + 1) in k (h + 1) end with a step up; a closing
bracket waits for its partner. Non-members are badly ordered (a word that climbs to 1, turned round up to there), a member with one bracket
flipped, or a member in which two closing brackets of different types change places.
Draws: 1..N the member (high half the step, low half the type), N + 1 the label (0 is a member), N + 2 the kind of non-member, N + 3 and
N + 4 places, N + 5 .. 2N + 4 the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields
from separatrix.checker.oracles.forms.brackets import Brackets
from separatrix.checker.oracles.forms.counts import bits, strings
from separatrix.checker.oracles.forms.parameters import even_length
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words

LONGEST = 10**4
END = 4


class Oracle(TaskOracle):
    """`one-symbol` cases come in pairs: a member, and the same with one bracket flipped."""

    name = "dyck-2"
    families = ("random", "one-symbol")
    drawing = 1 << 12

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int)
        self.N = even_length(parameters, LONGEST)
        self.vocabulary, self.targets, self.tokens = 5, 2, self.N + 1
        self.title = f"2DYCK, N = {self.N}"
        self.input_count = strings(4, self.N)
        half = self.N // 2  # after half of them every stack of that height, or 2, 4, .. lower, can be closed; and one for the dead
        self.state_bits = bits(sum(1 << d for d in range(half % 2, half + 1, 2)) + 1) if half < 4096 else half

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(4),) * self.N + (range(END, END + 1),)

    def truth(self, tokens: Sequence[int]) -> int | None:
        waiting: list[int] = []
        for token in tokens[:-1]:
            if token < 2:
                waiting.append(token)
            elif not waiting or waiting.pop() != token - 2:
                return 0
        return int(not waiting)

    def form(self) -> Brackets:
        return Brackets(2, self.N)

    def draw(self, case: Number) -> Tokens:
        words = self.words(case.seed, case.number // 2 if case.family == "one-symbol" else case.number)
        word = self._member(words)
        if case.family == "one-symbol":
            word = self._flipped(words, word) if case.number % 2 else word
        elif words.below(self.N + 1, 2):
            way = (self._misordered, self._flipped, self._mistyped)[words.below(self.N + 2, 3)]
            word = way(words, word)
        return np.array([*word, END], dtype=np.int64)

    def _member(self, words: Words) -> list[int]:
        row, waiting, h = [0] * self.N, list[int](), 0
        for k in range(self.N, 0, -1):
            kind = words.low_below(k, 2)
            if words.below(k, k * (h + 1)) >= h * ((k + h) // 2 + 1):
                row[k - 1] = 2 + kind
                waiting.append(kind)
                h += 1
            else:
                row[k - 1] = waiting.pop()
                h -= 1
        return row

    def _flipped(self, words: Words, word: list[int]) -> list[int]:
        """One bracket in the other direction."""
        place = words.below(self.N + 3, self.N)
        return [(token + 2) % 4 if t == place else token for t, token in enumerate(word)]

    def _misordered(self, words: Words, _: list[int]) -> list[int]:
        """N/2 + 1 places of N open; up to where that is first one more than close, all is turned round. Types go by their number."""
        half, drawn = self.N // 2, words.many(self.N + 5, self.N)
        opens = np.zeros(self.N, dtype=bool)
        opens[np.argsort(drawn)[: half + 1]] = True
        climbed = int((np.where(opens, 1, -1).cumsum() == 1).argmax())
        opens[: climbed + 1] ^= True
        word, opened, closed = [], 0, 0
        for up in opens.tolist():
            word.append(int(drawn[opened]) & 1 if up else 2 + (int(drawn[closed]) & 1))
            opened, closed = opened + up, closed + (not up)
        return word

    def _mistyped(self, words: Words, word: list[int]) -> list[int]:
        """A ) and a ] change places; where all brackets have one type, one that closes gets the other."""
        rounds, squares = ([t for t, token in enumerate(word) if token == kind] for kind in (2, 3))
        places = rounds if rounds and squares else [*rounds, *squares]
        changed, place = list(word), places[words.below(self.N + 3, len(places))]
        changed[place] = 5 - word[place]
        if rounds and squares:
            changed[squares[words.below(self.N + 4, len(squares))]] = 2
        return changed
