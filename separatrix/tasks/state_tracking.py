"""State tracking: after every symbol of a word, say in which state the minimal automaton of a language is.

    s r r s
    1 3 5 0        language=@s3: the product of the permutations so far, as the number of its state

States are numbered breadth first from the start, which is 0. Every position is scored: a word of N symbols asks about all lengths up to N.
A *trap* is a state that every symbol keeps. A symbol is uniform among those that do not enter a trap; once in N times, among all.
Draws: t the symbol t, from 0: the high half is the symbol, the low half says whether it may enter a trap.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.tasks.drawing.counter import below, below_low, words
from separatrix.tasks.regular import OfLanguage
from separatrix.tasks.task import Answer, Batch, Integers, Leak, Task, need_examples, sized

Map = tuple[int, ...]  # where a block of symbols takes each state


@dataclass(frozen=True)
class StateTracking(OfLanguage, Task):
    """Words of N symbols over the alphabet of a language, given as in `regular`."""

    language: str
    alphabet: str | None = None

    name = "state-tracking"
    title = "State tracking"
    about = "languages"
    source = "the word problems of the benchmarks of state tracking, for any automaton"
    tokens = "N"
    total = True
    known_leaks = (
        Leak("What counts symbols knows the state of a language that counts them, such as PARITY here.", ("symbol-count", "odd-counts")),
        Leak("The first positions are asked too, and of a language such as (ab)* the last symbols show the state."),
    )
    stand_ins = sized(language="0*(10*10*)*")
    enumerated_at = sized(length=5, language="(ab)*")
    counted_at = sized(length=8, language="(0|1(01*0)*1)*")  # binary numbers that 3 divides
    bounded_at = sized(length=1000, language="@dyck-1-2")  # PARITY needs one bit, as any model has
    sampled_at = (sized(length=24, language="(ab)*"), sized(length=1, language="@parity"), sized(length=9, language="abc"))

    @property
    def vocabulary(self) -> int:
        return len(self.automaton.alphabet)

    @property
    def targets(self) -> int:
        return max(2, self.automaton.states)

    @property
    def scored_at_end(self) -> bool:
        return self.length == 1

    @property
    def spelling(self) -> tuple[str, ...]:
        return self.automaton.alphabet

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        if not tokens or not all(0 <= symbol < self.vocabulary for symbol in tokens):
            return None
        states, state = [], 0
        for symbol in tokens:
            state = self.automaton.moves[state][symbol]
            states.append(state)
        return states[0] if len(states) == 1 else tuple(states)

    def second(self, tokens: Sequence[int]) -> Answer:
        """Maps of whole blocks, put together by halves; each takes the start to its state."""
        letters = [*zip(*self.automaton.moves, strict=True)]
        states = [image[0] for image in prefix_maps([letters[symbol] for symbol in tokens])]
        return states[0] if len(states) == 1 else tuple(states)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        drawn = words(self.key(seed), np.arange(start, start + count), np.arange(self.length))
        moves, (allowed, number) = np.array(self.automaton.moves), self._safe
        slips = below_low(drawn, self.length) == 0
        tokens, states = np.empty(drawn.shape, dtype=np.int64), np.empty(drawn.shape, dtype=np.int64)
        state = np.zeros(count, dtype=np.int64)
        for t in range(self.length):
            any_symbol, safe = below(drawn[:, t], self.vocabulary), allowed[state, below(drawn[:, t], number[state])]
            tokens[:, t] = np.where(slips[:, t], any_symbol, safe)
            states[:, t] = state = moves[state, tokens[:, t]]
        return Batch(tokens, states, np.ones(tokens.shape, dtype=bool), np.full(count, self.length))

    @functools.cached_property
    def _safe(self) -> tuple[Integers, Integers]:
        """For each state the symbols that do not enter a trap, first in its row, and their number; all of them if every one does."""
        moves = self.automaton.moves
        traps = {q for q, row in enumerate(moves) if {*row} == {q}}
        safe = [[a for a, r in enumerate(row) if r not in traps] or list(range(len(row))) for row in moves]
        return np.array([symbols + [0] * (self.vocabulary - len(symbols)) for symbols in safe]), np.array([*map(len, safe)])


def prefix_maps(maps: list[Map]) -> list[Map]:
    """The map of every prefix, from the maps of the symbols."""
    if len(maps) == 1:
        return maps
    left, right = prefix_maps(maps[: len(maps) // 2]), prefix_maps(maps[len(maps) // 2 :])
    return left + [tuple(image[q] for q in left[-1]) for image in right]
