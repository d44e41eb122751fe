"""Recurrences: mixers that carry a state of fixed size from token to token, with the same step at every token."""

from __future__ import annotations

from abc import abstractmethod

from separatrix.checker.models.mixers import Mixer, Weights
from separatrix.checker.numbers.boxes import Array, Box, join
from separatrix.checker.numbers.formats import Numbers

State = tuple[Box, ...]  # arrays [.., rows, numbers]


class Recurrence(Mixer):
    """A mixer whose step is a function of its state and of one token, and of nothing else.

    `begin`, `following`, `output` and `advance` take the prepared weights. A mixer whose output also reads the token (a gate, a query)
    has `advance`, others `following` and `output`.
    """

    stepped = True

    def prepared(self, w: Weights) -> Weights:
        """The weights as the other methods take them: what is computed once, and not at every token."""
        return w

    @abstractmethod
    def begin(self, ops: Numbers, w: Weights, shape: tuple[int, ...], width: int) -> State:
        """The state before the first token, for rows of this shape."""

    def following(self, ops: Numbers, w: Weights, state: State, x: Box) -> State:
        """The next state of each row, from one token [.., rows, width] of its own."""
        return self.advance(ops, w, state, x)[0]

    def output(self, ops: Numbers, w: Weights, state: State) -> Box:
        """What the mixer gives to the stream in this state."""
        return ops.linear(state[0], w["out"])

    def advance(self, ops: Numbers, w: Weights, state: State, x: Box) -> tuple[State, Box]:
        """One token [.., rows, width] of each row: the next state, and what the mixer gives to the stream."""
        after = self.following(ops, w, state, x)
        return after, self.output(ops, w, after)

    def mix(self, ops: Numbers, w: Weights, x: Box, readers: Array) -> Box:
        """Token by token."""
        w, given, asked = self.prepared(w), dict[int, Box](), {*readers.tolist()}
        state = self.begin(ops, w, (*x.shape[:-2], 1), x.shape[-1])
        for t in range(int(readers.max()) + 1):
            token = x.rows(slice(t, t + 1))
            if t in asked:
                state, given[t] = self.advance(ops, w, state, token)
            else:
                state = self.following(ops, w, state, token)
        return join([given[t] for t in readers.tolist()])
