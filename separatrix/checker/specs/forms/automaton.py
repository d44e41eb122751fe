"""Tasks that an automaton decides: it reads the input token by token, and its last state is the answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from separatrix.checker.specs.forms.form import Form

State = Hashable


@dataclass(frozen=True)
class Phase:
    """One token of an alphabet, or where it repeats one or more."""

    alphabet: range
    repeats: bool


@dataclass(frozen=True)
class EveryLength:
    """The task without its length: the automaton answers rightly for one token of each phase in turn, or more of one that repeats."""

    title: str
    phases: tuple[Phase, ...]


@dataclass(frozen=True, eq=False)
class Automaton(Form):
    """Inputs of one length, each token from its alphabet; the answer is read at the last one.

    `every` is set where the automaton itself does not depend on the length of the claim.
    """

    alphabets: tuple[range, ...]
    start: State
    step: Callable[[Any, int], State]
    answer: Callable[[Any], int]
    reads: Callable[[Any, int], bool] = field(default=lambda state, token: True)  # noqa: ARG005  whether a token may follow in a state
    every: EveryLength | None = None

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The inputs of the claim, token by token."""
        return tuple(Phase(alphabet, repeats=False) for alphabet in self.alphabets)

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        state = self.start
        for token in tokens:
            state = self.step(state, token)
        return {len(tokens) - 1: self.answer(state)}

    def constant(self) -> bool:
        """From all states that can be reached."""
        states = {self.start}
        for alphabet in self.alphabets:
            states = {self.step(state, token) for state in states for token in alphabet if self.reads(state, token)}
        return len({self.answer(state) for state in states}) < 2
