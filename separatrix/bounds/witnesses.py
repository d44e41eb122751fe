"""Proofs of this room as sealed documents that `separatrix check` judges on its own.

A witness is about a function of strings of one length: a task by name, or any function as the table of its answers. Users certify
their own fooling sets and collisions with the same calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from separatrix.bounds.communication.covers import Cover
from separatrix.bounds.communication.matrix import Pair, positions_of
from separatrix.bounds.states.answers import Answer, AnswerTable, alphabets_of, string_at, tabulate
from separatrix.bounds.states.automaton import LayeredAutomaton
from separatrix.bounds.states.profile import ceil_log2, profile_of_table
from separatrix.checker import Refused, sealed
from separatrix.checker.specs import function
from separatrix.errors import BadInput
from separatrix.tasks import Task, is_of_the_package

Document = dict[str, Any]
Tokens = tuple[int, ...]
VERSION = 3


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


def certify_fooling_set(
    question: Question,
    alice: Iterable[int],
    pairs: Sequence[Pair],
    value: int,
    cover: Cover | None = None,
    cites: str = "bhattamishra2024 Fact 4",
) -> Document:
    """A fooling set: any protocol for the function over this partition exchanges at least `bits` bits; with a cover, none is larger.

    [bhattamishra2024 Definition 1; bhattamishra2024 Fact 4]
    """
    positions = positions_of(alice, len(question.alphabets))
    others = [place for place in range(len(question.alphabets)) if place not in positions]
    if len(pairs) < 2:
        raise BadInput(f"a fooling set needs at least two pairs, found {len(pairs)}")
    rectangles = len(pairs) + 1  # two pairs fool if a crossed input has another answer, which needs its own rectangle
    return sealed_witness(
        "fooling-set",
        question,
        {
            "cites": cites,
            "alice": list(positions),
            "value": int(value),
            "pairs": [[question.tokens(a, positions), question.tokens(b, others)] for a, b in pairs],
            "rectangles": rectangles,
            "bits": ceil_log2(rectangles),
            "cover": None if cover is None else _written(cover, question, positions, others),
        },
    )


def certify_profile(question: Question, cites: str = "bhattamishra2024 Theorem 2") -> Document:
    """The states that any recurrent model needs after each token; if every string is valid, they are also sufficient.

    [bhattamishra2024 Theorem 2]
    """
    table = question.table()
    profile = profile_of_table(table.codes, table.sizes)
    total = bool((table.codes >= 0).all())
    fields = {"cites": cites, "classes": list(profile.classes), "bits": profile.bits, "total": total}
    return sealed_witness("state-profile", question, fields)


def certify_state_collision(
    question: Question,
    automaton: LayeredAutomaton,
    prefixes: tuple[Tokens, Tokens],
    suffix: Tokens,
    cites: str = "bhattamishra2024 Theorem 2",
) -> Document:
    """Two prefixes that lead a recurrent model to one state although they need different answers after the suffix.

    [bhattamishra2024 Theorem 2]
    """
    strings = [(*prefix, *suffix) for prefix in prefixes]
    return sealed_witness(
        "state-collision",
        question,
        {
            "cites": cites,
            "automaton": {"transitions": [table.tolist() for table in automaton.transitions], "outputs": list(automaton.outputs)},
            "prefixes": [list(prefix) for prefix in prefixes],
            "suffix": list(suffix),
            "state": automaton.states(strings[0])[len(prefixes[0])],
            "said": automaton.run(strings[0]),
            "expected": [question.answer(tokens) for tokens in strings],
            "state_bits": _bits_reached(automaton),
        },
    )


def certify_state_machine(question: Question, automaton: LayeredAutomaton) -> Document:
    """A recurrent model, as tables, that answers every string of the promise: its bits of state suffice."""
    if automaton.alphabets != question.alphabets:
        raise BadInput("the model and the task must read the same tokens at every place")
    filled = [np.maximum(table, 0).tolist() for table in automaton.transitions]  # -1 is where no string of the promise goes
    codes = question.table().codes
    inside = [string_at(number, question.alphabets) for number in np.flatnonzero(codes >= 0).tolist()]
    passed = zip(*(automaton.states(tokens) for tokens in inside), strict=True)
    fields = {
        "automaton": {"transitions": filled, "outputs": list(automaton.outputs)},
        "strings": len(inside),
        "state_bits": max(ceil_log2(len(set(states))) for states in passed),
    }
    return sealed_witness("state-machine", question, fields)


def crossed_inputs(x: Tokens, y: Tokens, alice: Sequence[int]) -> tuple[Tokens, Tokens]:
    """Alice's tokens of x with Bob's of y, and the other way round."""
    own = set(alice)
    mixed = tuple(a if i in own else b for i, (a, b) in enumerate(zip(x, y, strict=True)))
    return mixed, tuple(b if i in own else a for i, (a, b) in enumerate(zip(x, y, strict=True)))


def sealed_witness(kind: str, question: Question, fields: Document) -> Document:
    """A document of the schema, about a function."""
    head = {"schema": "separatrix/certificate", "version": VERSION, "kind": kind, "claim": question.claim}
    return sealed({**head, **fields, "strength": "proven"})


def _bits_reached(automaton: LayeredAutomaton) -> int:
    """Bits for the reachable states."""
    reached, most = {0}, 0
    for table in automaton.transitions:
        reached = {int(state) for before in reached for state in table[before] if state >= 0}
        most = max(most, ceil_log2(len(reached)))
    return most


def _written(cover: Cover, question: Question, alice: Sequence[int], bob: Sequence[int]) -> Document:
    """A cover with the strings of its rows and columns."""
    rows, columns = (tuple(question.alphabets[place] for place in places) for places in (alice, bob))
    rectangles = [
        {
            "alice": [list(string_at(row, rows)) for row in rectangle.rows],
            "bob": [list(string_at(column, columns)) for column in rectangle.columns],
            "weight": rectangle.weight,
        }
        for rectangle in cover.rectangles
    ]
    return {"denominator": cover.denominator, "rectangles": rectangles}


def _plain(value: Any) -> Any:
    """Tuples as lists, as in JSON."""
    return [_plain(entry) for entry in value] if isinstance(value, tuple | list) else value
