"""Tasks that an automaton decides: it reads the input token by token, and its state is the answer, at the end or after every token."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
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
class Walk(Form):
    """Inputs of one length, each token from its alphabet, read by an automaton.

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

    def walked(self, tokens: Sequence[int]) -> Iterator[State]:
        """The state after every token."""
        state = self.start
        for token in tokens:
            state = self.step(state, token)
            yield state

    def reached(self) -> Iterator[set[State]]:
        """The states after one token, two and so on."""
        states = {self.start}
        for alphabet in self.alphabets:
            states = {self.step(state, token) for state in states for token in alphabet if self.reads(state, token)}
            yield states


class Automaton(Walk):
    """The answer is read at the last token."""

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        *_, last = self.walked(tokens)
        return {len(tokens) - 1: self.answer(last)}

    def constant(self) -> bool:
        """From all states that can be reached."""
        *_, last = self.reached()
        return len({self.answer(state) for state in last}) < 2


class Tracker(Walk):
    """The answer is read after every token."""

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        return {t: self.answer(state) for t, state in enumerate(self.walked(tokens))}

    def constant(self) -> bool:
        """Whether at each place all inputs have the same answer, so that a clock would do."""
        return all(len({self.answer(state) for state in states}) < 2 for states in self.reached())
