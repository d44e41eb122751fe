"""Brackets, next: after every bracket of a well-matched string, say which type may be closed next.

    (  [  ]  )  [  ]
    0  1  0  2  1  2        the type of the innermost open bracket; 2, the number of types, where none is open

Ids as in bounded Dyck: the bracket of type a is a when it opens and n + a when it closes. Every position is scored.
Draws: 1..N one for each bracket of a walk whose next bracket is one of the n opening ones or the closing one, all equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.bracket_walks import draw_members
from separatrix.tasks.dyck import CLOSING, OPENING, opening_odds
from separatrix.tasks.task import Batch, Leak, Task, need_examples, sized


@dataclass(frozen=True)
class DyckNext(Task):
    """Members of Dyck-(n, k) of even length N."""

    types: int = 2
    depth: int = 2

    name = "dyck-next"
    title = "Brackets, next"
    about = "languages"
    source = "the next-symbol form of bounded Dyck"
    tokens = "N"
    length_means = "brackets"
    least_length = 2
    even_because = "because no string of odd length is well matched"
    known_leaks = (
        Leak("After an opening bracket its own type is the answer, and at depth 2 the closing ones are few.", ("last-symbols",)),
        Leak("Counts of all brackets show whether everything is closed.", ("bag-of-symbols",)),
    )
    drawn_at = sized(length=8)
    counted_at = sized(length=8)
    enumerated_at = sized(length=6)
    sampled_at = (sized(length=20, types=3, depth=4),)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.types <= 2**16 or self.depth < 1:
            raise BadInput(f"dyck-next: types must lie in 1..2^16 and depth be at least 1, found types={self.types}, depth={self.depth}")

    @property
    def vocabulary(self) -> int:
        return 2 * self.types

    @property
    def targets(self) -> int:
        return self.types + 1

    @property
    def scored_at_end(self) -> bool:
        return False

    def answer(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        stack: list[int] = []
        answers = []
        for bracket in tokens:
            if not 0 <= bracket < 2 * self.types:
                return None
            if bracket < self.types:
                stack.append(bracket)
            elif not stack or stack.pop() != bracket - self.types:
                return None
            if len(stack) > self.depth:
                return None
            answers.append(stack[-1] if stack else self.types)
        return None if stack or not answers else tuple(answers)

    def second(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """The last bracket before that opens to the depth there is now."""
        depth = np.where(np.array(tokens) < self.types, 1, -1).cumsum()
        answers = []
        for t, now in enumerate(depth.tolist()):
            same = [s for s in range(t + 1) if tokens[s] < self.types and depth[s] == now]
            answers.append(tokens[same[-1]] if now else self.types)
        return tuple(answers)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        tokens = np.empty((count, self.length), dtype=np.int64)
        odds = opening_odds("walk", self.length, self.types, self.depth)
        draw_members(np.uint64(self.key(seed)), start, odds, self.types, min(self.depth, self.length), tokens)
        targets = np.array([self.answer(row) for row in tokens.tolist()], dtype=np.int64).reshape(tokens.shape)
        return Batch(tokens, targets, np.ones(tokens.shape, dtype=bool), np.full(count, self.length))

    @property
    def input_count(self) -> int:
        """Walks from 0 to 0 within the depth, with a type for each of the N/2 brackets that open."""
        ways = [1] + [0] * min(self.depth, self.length)
        for _ in range(self.length):
            ways = [a + b for a, b in zip([0, *ways[:-1]], [*ways[1:], 0], strict=True)]
        count = ways[0] * self.types ** (self.length // 2)
        return count if count <= 10**18 else 0

    def text(self, tokens: Sequence[int]) -> str:
        return " ".join(map(self._bracket, tokens))

    def read(self, text: str) -> tuple[int, ...]:
        by_name = {self._bracket(token): token for token in range(2 * self.types)}
        for word in text.split():
            if word not in by_name:
                raise BadInput(f"dyck-next: expected one of {self.types} types of brackets, such as {self._bracket(0)}, found {word!r}")
        return tuple(by_name[word] for word in text.split())

    def target_text(self, target: int) -> str:
        return "none" if target == self.types else self._bracket(self.types + target)

    def _bracket(self, token: int) -> str:
        kind, closes = token % self.types, token >= self.types
        return f"{'()'[closes]}{kind}" if self.types > len(OPENING) else (OPENING, CLOSING)[closes][kind]
