"""Tasks about brackets of any depth: the stack of open ones is what has to be known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from separatrix.checker.specs.forms.form import Form


@dataclass(frozen=True)
class Brackets(Form):
    """Words of `length` brackets and an end symbol: type a opens with token a and closes with token types + a. Is all matched?"""

    types: int
    length: int

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        matched = [*tokens[:-1]]
        at = 0
        while at < len(matched):  # a pair that stands side by side cancels
            if at and matched[at - 1] < self.types and matched[at] == matched[at - 1] + self.types:
                del matched[at - 1 : at + 1]
                at -= 1
            else:
                at += 1
        return {len(tokens) - 1: int(not matched)}

    def constant(self) -> bool:
        """Words of odd length never match, and the empty one does."""
        return self.length % 2 == 1 or self.length == 0
