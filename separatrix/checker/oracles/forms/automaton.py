"""Tasks that an automaton decides: it reads the input token by token, and its last state is the answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from separatrix.checker.oracles.forms.form import Form

State = Hashable


@dataclass(frozen=True, eq=False)
class Automaton(Form):
    """Inputs of one length, each token from its alphabet; the answer is read at the last one."""

    alphabets: tuple[range, ...]
    start: State
    step: Callable[[Any, int], State]
    answer: Callable[[Any], int]
    reads: Callable[[Any, int], bool] = field(default=lambda state, token: True)  # noqa: ARG005  whether a token may follow in a state

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        state = self.start
        for token in tokens:
            state = self.step(state, token)
        return {len(tokens) - 1: self.answer(state)}
