"""The finite machines of tasks: a move for every state and every token, and the states in which the answer is yes. State 0 is the first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from separatrix.errors import BadInput
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.languages.stacks import stack_moves
from separatrix.tasks.parity import Parity
from separatrix.tasks.regular import Regular

MOST = 1024  # states


@dataclass(frozen=True)
class Machine:
    """A complete deterministic machine over token ids."""

    moves: tuple[tuple[int, ...], ...]  # [states][tokens]
    accepting: frozenset[int]

    @property
    def states(self) -> int:
        return len(self.moves)

    @property
    def tokens(self) -> int:
        return len(self.moves[0])

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every state with every token that may follow it."""
        return tuple((q, s) for q in range(self.states) for s in range(self.tokens))


def regular_machine(task: Regular) -> Machine:
    """The minimal automaton of the language; the end symbol leaves its state as it is."""
    automaton = task.automaton
    _few_enough(automaton.states, task.name)
    return Machine(tuple((*row, q) for q, row in enumerate(automaton.moves)), automaton.accepting)


def parity_machine(task: Parity) -> Machine:
    """Even and odd; the end symbol comes last."""
    del task
    return Machine(((0, 1, 0), (1, 0, 1)), frozenset({0}))


def dyck_machine(task: Dyck) -> Machine:
    """Every stack of at most k brackets, and a last state for words that cannot be completed: sum_{d <= k} n^d + 1 states."""
    n, k = task.types, task.depth
    states = 1
    for _ in range(min(k, MOST)):
        states = states * n + 1
        _few_enough(states, task.name)
    _few_enough(states + 1, task.name)
    return Machine(stack_moves(n, k), frozenset({0}))


def _few_enough(states: int, name: str) -> None:
    if states > MOST:
        raise BadInput(f"{name}: the machine has more than {MOST} states, found at least {states}")
