"""The smallest machine with a clock: a layered automaton that attains the state profile at every cut.

[bhattamishra2024 Theorem 2]

The converse of the theorem. A recurrent model may use a different transition at every step, so its best state after t tokens is the class
of the prefix, and the classes of `residuals` with their children are that model.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bits import ceil_log2
from separatrix.bounds.states.answers import Alphabets, Answer, AnswerTable, alphabets_of, tabulate
from separatrix.bounds.states.residuals import merged, residuals
from separatrix.errors import BadInput


@dataclass(frozen=True, eq=False)
class LayeredAutomaton:
    """States 0..widths[t]-1 after t tokens, one transition table per step, and the answer of each last state.

    `transitions[t][state, symbol index]` is the next state, or -1 where no string of the promise goes.
    """

    alphabets: Alphabets
    transitions: tuple[NDArray[np.int64], ...]
    outputs: tuple[Hashable, ...]

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of states after each token."""
        return (*(len(table) for table in self.transitions), len(self.outputs))

    @property
    def bits(self) -> int:
        """State bits of a recurrent model that runs this automaton."""
        return max(ceil_log2(width) for width in self.widths)

    def step(self, t: int, state: int, symbol: Hashable) -> int:
        """The state after reading `symbol` as token number t (from 0)."""
        try:
            index = self.alphabets[t].index(symbol)
        except ValueError:
            raise BadInput(f"token {t} must be one of {self.alphabets[t]!r:.80}, found {symbol!r:.80}") from None
        return int(self.transitions[t][state, index]) if state >= 0 else -1

    def states(self, tokens: Sequence[Any]) -> tuple[int, ...]:
        """The states passed, from the start to after the last token."""
        if len(tokens) != len(self.transitions):
            raise BadInput(f"the automaton reads {len(self.transitions)} tokens, found {len(tokens)}")
        passed = [0]
        for t, symbol in enumerate(tokens):
            passed.append(self.step(t, passed[-1], symbol))
        return tuple(passed)

    def run(self, tokens: Sequence[Any]) -> Hashable:
        """The answer; None if the automaton detects that the string is outside the promise (it need not)."""
        last = self.states(tokens)[-1]
        return self.outputs[last] if last >= 0 else None


def layered_automaton(answer: Answer, alphabet: str | Iterable[Any], length: int) -> LayeredAutomaton:
    """The automaton with the fewest states after every token; for a promise task, the one behind `classes_upper`."""
    return layered_automaton_of_table(tabulate(answer, alphabets_of(alphabet, length)))


def layered_automaton_of_table(table: AnswerTable) -> LayeredAutomaton:
    """The automaton, layer by layer, of a function that is given as a table of answers."""
    shared = merged(residuals(table.codes, table.sizes))
    return LayeredAutomaton(table.alphabets, shared.children, tuple(table.values[code] for code in shared.answers.tolist()))
