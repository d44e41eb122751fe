"""Proofs of this room as sealed documents that `separatrix check` judges on its own.

A witness is about a function of strings of one length: a task by name, or any function as the table of its answers. Users certify
their own fooling sets and collisions with the same calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from separatrix.bits import ceil_log2
from separatrix.bounds.communication.covers import Cover
from separatrix.bounds.communication.matrix import Pair, positions_of
from separatrix.bounds.question import Document, Question, Tokens
from separatrix.bounds.states.answers import string_at
from separatrix.bounds.states.automaton import LayeredAutomaton
from separatrix.bounds.states.profile import profile_of_table
from separatrix.checker import sealed
from separatrix.errors import BadInput

VERSION = 3


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
