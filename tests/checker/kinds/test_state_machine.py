"""Machines that are right: on every input of the promise, with the states that are passed and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.bounds.question import question_of_function, question_of_task
from separatrix.bounds.states.automaton import LayeredAutomaton, layered_automaton
from separatrix.bounds.witnesses import certify_state_machine
from separatrix.checker import VERSION, Budget, check_document, sealed
from separatrix.errors import BadInput
from separatrix.tasks import make_task
from tests.checker.kinds.forgery import edited, reason
from tests.checker.kinds.witnesses import fresh

XOR: dict[str, Any] = {"task": "table", "parameters": {"sizes": [2, 2], "answers": [0, 1, 1, 0]}}
TABLES: dict[str, Any] = {"transitions": [[[0, 1]], [[0, 1], [1, 0]]], "outputs": [0, 1]}


def document(**changed: Any) -> dict[str, Any]:
    """The parity of two bits, with one bit of state."""
    head = {"schema": "separatrix/certificate", "version": VERSION, "kind": "state-machine", "claim": XOR, "automaton": TABLES}
    return sealed({**head, "strings": 4, "state_bits": 1, "strength": "proven", **changed})


def test_the_smallest_machine() -> None:
    sentence = "a function of 2 tokens, given as a table: a recurrent model with 1 bit of state is right on all 4 inputs"
    assert check_document(document()).claim == sentence


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"strings": 3}, "strings: the certificate says 3, recomputation gives 4"),
        ({"state_bits": 0}, "state_bits: the certificate says 0, recomputation gives 1"),
        ({"state_bits": 2}, "state_bits: the certificate says 2, recomputation gives 1"),
        ({"strength": "exhaustive"}, "strength: the certificate says 'exhaustive'"),
        ({"cites": "bhattamishra2024 Theorem 2"}, "unknown field 'cites'"),
        ({"automaton": {**TABLES, "note": 1}}, "automaton: unknown field 'note'"),
        ({"automaton": {**TABLES, "outputs": [1, 0]}}, "automaton: [0, 0] is answered with 1, the answer is 0"),
        ({"automaton": {**TABLES, "outputs": [0, 0]}}, "automaton: [0, 1] is answered with 0, the answer is 1"),
        ({"automaton": {**TABLES, "outputs": [0, True]}}, "automaton.outputs: expected a whole number, found bool"),
        ({"automaton": {**TABLES, "outputs": []}}, "one state before the first token, and some after each"),
        ({"automaton": {**TABLES, "transitions": TABLES["transitions"][:1]}}, "automaton.transitions: expected 2 tables, found 1"),
        ({"automaton": edited(TABLES, ("transitions", 0), [[0, 1], [0, 1]])}, "one state before the first token"),
        ({"automaton": edited(TABLES, ("transitions", 1), 3)}, "one state before the first token, and some after each"),
        ({"automaton": edited(TABLES, ("transitions", 1, 0), [0])}, "expected 2 next states after each state, at token 1"),
        ({"automaton": edited(TABLES, ("transitions", 1, 0), 5)}, "expected 2 next states after each state, at token 1"),
        ({"automaton": edited(TABLES, ("transitions", 1, 0, 1), 2)}, "automaton.transitions: expected states 0..1 after token 1"),
        ({"automaton": edited(TABLES, ("transitions", 1, 0, 1), -1)}, "automaton.transitions: expected states 0..1 after token 1"),
        ({"automaton": edited(TABLES, ("transitions", 1, 0, 1), True)}, "automaton.transitions: expected a whole number, found bool"),
        (
            {"claim": {"task": "table", "parameters": {"sizes": [2, 2], "answers": [None] * 4}}, "strings": 0},
            "nothing is inside the promise",
        ),
        (
            {"claim": {"task": "table", "parameters": {"sizes": [2, 2], "answers": [0, None, 0, 0]}}, "strings": 3},
            "every input has the same",
        ),
        ({"claim": {"task": "parity", "parameters": {"length": 1}}}, "expected 1 next states after each state, at token 1"),
    ],
)
def test_every_guard_refuses_its_forgery(changed: dict[str, Any], why: str) -> None:
    assert why in reason(document(), **changed)


def test_states_that_nothing_passes_are_not_counted() -> None:
    """Fourteen states more after the first token, and one more output, none of which any string reaches."""
    padded = {"transitions": [[[0, 1]], [[0, 1], [1, 0], *[[2, 2]] * 14]], "outputs": [0, 1, 7]}
    assert check_document(document(automaton=padded)).holds
    assert "recomputation gives 1" in reason(document(automaton=padded), state_bits=4)


def test_states_passed_outside_the_promise_only_are_not_counted() -> None:
    """Of four first symbols two have no valid continuation: two states are passed, though four are reached."""
    claim = {"task": "table", "parameters": {"sizes": [4, 2], "answers": [0, 1, 1, 0, None, None, None, None]}}
    tables = {"transitions": [[[0, 1, 2, 3]], [[0, 1], [1, 0], [0, 0], [0, 0]]], "outputs": [0, 1]}
    assert check_document(document(claim=claim, automaton=tables)).evidence[0]["states"] == [1, 2, 2]
    wrong = edited(tables, ("transitions", 1, 1), [1, 1])
    assert "automaton: [1, 1] is answered with 1, the answer is 0" in reason(document(claim=claim), automaton=wrong)


def test_the_producer_counts_what_is_passed() -> None:
    question = question_of_function(lambda x: (x[0] + x[1]) % 2, [0, 1], 2)
    wide = LayeredAutomaton(question.alphabets, (np.array([[0, 1]]), np.array([[0, 1], [1, 0], [0, 0], [0, 0], [0, 0]])), (0, 1, 1))
    document = certify_state_machine(question, wide)
    assert document["state_bits"] == 1
    assert check_document(document).holds
    with pytest.raises(BadInput, match="must read the same tokens at every place"):
        certify_state_machine(question_of_task(make_task("parity", length=1)), wide)


@pytest.mark.parametrize("name", ["equality", "intersects", "dyck", "parity", "index-lookup"])
def test_the_smallest_machines_of_the_tasks_are_accepted(name: str) -> None:
    question = question_of_task(make_task(name, length=4, **({"symbols": 2} if name == "index-lookup" else {})))
    document = certify_state_machine(question, layered_automaton(question.answer, question.alphabets, len(question.alphabets)))
    verdict = check_document(document)
    assert verdict.holds, verdict.reason


def test_the_work_is_bounded_before_anything_runs() -> None:
    assert "above the budget of 1e-06 s" in check_document(document(), None, Budget(seconds=1e-6)).reason
    assert fresh("machine")["state_bits"] == 2  # classes 1, 2, 4, 3, 2
