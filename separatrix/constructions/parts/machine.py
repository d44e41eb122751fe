"""The finite machines of tasks: a move for every state and every token, and an answer in every state. State 0 is the first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from separatrix.errors import BadInput
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.languages.stacks import stack_moves
from separatrix.tasks.parity import Parity
from separatrix.tasks.regular import Regular
from separatrix.tasks.state_tracking import StateTracking

MOST = 1024  # states


@dataclass(frozen=True)
class Machine:
    """A complete deterministic machine over token ids."""

    moves: tuple[tuple[int, ...], ...]  # [states][tokens]
    answers: tuple[int, ...]  # for recognition 1 is yes and 0 is no; for state tracking each state is its own

    @property
    def accepting(self) -> frozenset[int]:
        """The states in which the answer is yes."""
        return frozenset(q for q, answer in enumerate(self.answers) if answer == 1)

    @property
    def targets(self) -> int:
        return max(2, *(answer + 1 for answer in self.answers))

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


def machine_of(task: Regular | StateTracking | Dyck | Parity) -> Machine:
    """The machine of a task that has one."""
    if isinstance(task, Dyck):
        return dyck_machine(task)
    if isinstance(task, Parity):
        return parity_machine(task)
    return tracking_machine(task) if isinstance(task, StateTracking) else regular_machine(task)


def regular_machine(task: Regular) -> Machine:
    """The minimal automaton of the language; the end symbol leaves its state as it is."""
    automaton = task.automaton
    _few_enough(automaton.states, task.name)
    return Machine(tuple((*row, q) for q, row in enumerate(automaton.moves)), _yes_in(automaton.accepting, automaton.states))


def tracking_machine(task: StateTracking) -> Machine:
    """The minimal automaton of the language, whose state is asked for after every symbol."""
    automaton = task.automaton
    _few_enough(automaton.states, task.name)
    return Machine(automaton.moves, tuple(range(automaton.states)))


def parity_machine(task: Parity) -> Machine:
    """Even and odd; the end symbol comes last."""
    del task
    return Machine(((0, 1, 0), (1, 0, 1)), (1, 0))


def dyck_machine(task: Dyck) -> Machine:
    """Every stack of at most k brackets, and a last state for words that cannot be completed: sum_{d <= k} n^d + 1 states."""
    n, k = task.types, task.depth
    states = 1
    for _ in range(min(k, MOST)):
        states = states * n + 1
        _few_enough(states, task.name)
    _few_enough(states + 1, task.name)
    moves = stack_moves(n, k)
    return Machine(moves, _yes_in({0}, len(moves)))


def _yes_in(accepting: Collection[int], states: int) -> tuple[int, ...]:
    return tuple(int(q in accepting) for q in range(states))


def _few_enough(states: int, name: str) -> None:
    if states > MOST:
        raise BadInput(f"{name}: the machine has more than {MOST} states, found at least {states}")
