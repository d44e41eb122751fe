"""`Question`: a function of strings of one length, as certificates of lower bounds name it: a task, or the table of its answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from separatrix.bounds.states.answers import Answer, AnswerTable, alphabets_of, tabulate
from separatrix.checker import Refused
from separatrix.checker.specs import function
from separatrix.errors import BadInput
from separatrix.tasks import Task, is_of_the_package

Document = dict[str, Any]
Tokens = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Question:
    """A function of token strings, with the name and parameters that it has in a certificate."""

    task: str
    parameters: Mapping[str, Any]
    alphabets: tuple[Tokens, ...]
    answer: Answer
    symbols: tuple[tuple[Any, ...], ...]  # the function's own symbols for the tokens at each position

    def table(self) -> AnswerTable:
        """The table of all answers."""
        return tabulate(self.answer, self.alphabets)

    @property
    def claim(self) -> Document:
        """The function as a certificate states it."""
        return stated(self.task, self.parameters)

    def tokens(self, symbols: Sequence[Any], places: Sequence[int]) -> list[int]:
        """The tokens of symbols at some of the positions."""
        for symbol, place in zip(symbols, places, strict=True):
            if symbol not in self.symbols[place]:
                raise BadInput(f"position {place} must hold one of {self.symbols[place]!r:.80}, found {symbol!r:.80}")
        return [self.alphabets[place][self.symbols[place].index(symbol)] for symbol, place in zip(symbols, places, strict=True)]


def stated(task: str, parameters: Mapping[str, Any]) -> Document:
    """A task as a certificate states it: by its name and plain parameters."""
    return {"task": task, "parameters": {key: _plain(value) for key, value in parameters.items()}}


def question_of_task(task: Task) -> Question:
    """A task by its name; the answer is read at the last token."""
    if not task.alphabets():
        raise BadInput(f"{task.name} does not declare which tokens may occur at each position: certify it as a table")
    alphabets = tuple(tuple(alphabet) for alphabet in task.alphabets())
    return Question(task.name, task.parameters, alphabets, task.answer, alphabets)


def question_for(task: Task) -> Question:
    """A task by name if the checker knows it as a function of one length, else by the table of its answers."""
    named = question_of_task(task)
    if is_of_the_package(task):
        try:
            function(named.claim)
            return named
        except Refused:
            pass
    return question_of_function(task.answer, named.alphabets, len(named.alphabets))


def question_of_function(answer: Answer, alphabet: str | Iterable[Any], length: int) -> Question:
    """Any function with integer or Boolean answers, as a table over the indices of its symbols in their alphabets."""
    alphabets = alphabets_of(alphabet, length)
    table = tabulate(answer, alphabets)
    if not all(isinstance(value, int | np.integer | np.bool_) for value in table.values):
        raise BadInput(f"a certified function must have integer or Boolean answers, found {table.values!r:.80}")
    values = [int(value) for value in table.values]  # type: ignore[call-overload]
    answers = [None if code < 0 else values[code] for code in table.codes.tolist()]
    sizes = tuple(len(symbols) for symbols in alphabets)

    def looked_up(tokens: tuple[Any, ...]) -> int | None:
        return answers[int(np.ravel_multi_index(tokens, sizes))]

    tokens = tuple(tuple(range(size)) for size in sizes)
    return Question("table", {"sizes": list(sizes), "answers": answers}, tokens, looked_up, alphabets)


def _plain(value: Any) -> Any:
    """Tuples as lists, as in JSON."""
    return [_plain(entry) for entry in value] if isinstance(value, tuple | list) else value
