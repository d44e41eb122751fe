"""What breaks the monotone barrier in arithmetic alone: a counter of k bits that wraps around, with a gate of 1.

    an even number of b    one bit: b adds 1, a adds 0        h <- h + B x modulo 2^k

With saturating or rounding numbers a gate of 1 only adds up, and a stack of such layers counts nothing; with integers that wrap around one
number counts modulo 2^k. So one layer of linear attention without its quotient, in such integers, recognises every language whose letters
turn a cycle of 2^k states by fixed steps. The steps are found here and checked on every state and letter, hence for words of all lengths.
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.languages.automata import Automaton


@dataclass(frozen=True)
class WrappedCounter:
    """How many bits, what each letter adds, and the number of the counter in each state."""

    bits: int
    steps: tuple[int, ...]
    numbers: tuple[int, ...]

    def holds(self, automaton: Automaton) -> bool:
        """Whether counter and automaton agree after every letter, from every state: so after every word."""
        modulus = 1 << self.bits
        agrees = all(
            self.numbers[r] == (self.numbers[q] + step) % modulus
            for q, row in enumerate(automaton.moves)
            for r, step in zip(row, self.steps, strict=True)
        )
        return agrees and self.numbers[0] == 0 and len({*self.numbers}) == automaton.states


def wrapped_counter(automaton: Automaton) -> WrappedCounter | None:
    """The counter of a language, or None if its letters do not turn one cycle of 2^k states."""
    N = automaton.states
    if N & (N - 1):
        return None
    for a in range(len(automaton.alphabet)):  # in a cyclic group of 2^k elements some letter generates all
        cycle = [0]
        while (after := automaton.moves[cycle[-1]][a]) != 0 and len(cycle) <= N:
            cycle.append(after)
        if len(cycle) != N:
            continue
        numbers = [0] * N
        for number, q in enumerate(cycle):
            numbers[q] = number
        found = WrappedCounter(N.bit_length() - 1, tuple(numbers[r] for r in automaton.moves[0]), tuple(numbers))
        return found if found.holds(automaton) else None
    return None
