"""Equality across a separator: halves that agree, or differ in one place. The claim is about every pair of halves."""

from __future__ import annotations

from separatrix.checker.oracles.forms.halves import Halves
from separatrix.checker.oracles.forms.task_oracle import Tokens
from separatrix.checker.oracles.forms.words import Words


class Oracle(Halves):
    """Draw 2 is the place that changes."""

    name, words_for = "eq-one", "equality across a separator (eq-one)"

    def other(self, words: Words, first: Tokens) -> Tokens:
        return self.moved(words, first, words.below(2, len(first)))
