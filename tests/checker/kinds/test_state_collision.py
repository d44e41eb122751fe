"""State collisions: one state after two prefixes, and a suffix that needs two answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.bounds.question import question_of_task
from separatrix.bounds.states.automaton import LayeredAutomaton
from separatrix.bounds.witnesses import certify_state_collision
from separatrix.checker import VERSION, Budget, check_document, sealed
from separatrix.tasks import make_task
from tests.checker.kinds.forgery import edited, reason
from tests.checker.kinds.shift_register import shift_register
from tests.checker.kinds.witnesses import fresh


def test_what_the_collision_says() -> None:
    """000 and 100 leave 00 in a register of two bits; asked for place 1 it says 0 for both."""
    document = fresh("collision")
    assert (document["state"], document["said"], document["expected"], document["state_bits"]) == (0, 0, [0, 1], 2)
    assert check_document(document).evidence[0]["text"] == "after 3 of 4 tokens it is in one state for both: it says 0, due are 0 and 1"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"prefixes": [[0, 0, 0]]}, "prefixes: expected two of them, 4 tokens each with the suffix"),
        ({"prefixes": [[0, 0, 0], [1, 0]]}, "prefixes: expected two of them"),
        ({"prefixes": [[0, 0, 0], [1, 0, 3]]}, "prefixes: token 3 is not one of 0..1"),
        ({"prefixes": [[0, 0, 0], "100"]}, "prefixes: expected two of them"),
        ({"prefixes": [[0, 0, 0], [1, 1, 0]]}, "state: the certificate says 0, recomputation gives 2"),
        ({"prefixes": [[0, 0, 0]] * 2, "expected": [0, 0]}, "expected: one answer is right for both inputs"),
        ({"prefixes": [[0, 0, 0, 0], [1, 0, 0, 0]], "suffix": [2]}, "prefixes: expected two of them"),
        ({"suffix": [2] * 5}, "prefixes: expected two of them"),
        ({"suffix": [3]}, "expected: the certificate says [0, 1], recomputation gives [0, 0]"),
        ({"suffix": [3], "expected": [0, 0]}, "expected: one answer is right for both inputs"),
        ({"expected": [1, 0]}, "expected: the certificate says [1, 0], recomputation gives [0, 1]"),
        ({"expected": [False, True]}, "expected: the certificate says [False, True]"),
        ({"expected": [0]}, "expected: the certificate says [0]"),
        ({"state": 1}, "state: the certificate says 1, recomputation gives 0"),
        ({"said": 1}, "said: the certificate says 1, recomputation gives 0"),
        ({"state_bits": 1}, "state_bits: the certificate says 1, recomputation gives 2"),
        ({"strength": "author"}, "strength: the certificate says 'author'"),
        ({"cites": "bhattamishra2024 Theorem 3"}, "Theorem 3 is shown by a state-profile, found a state-collision"),
        (
            {"automaton": {"transitions": fresh("collision")["automaton"]["transitions"], "outputs": [0, 10**30]}},
            "automaton.outputs: expected",
        ),
        ({"automaton": {"transitions": []}}, "automaton: missing field 'outputs'"),
    ],
)
def test_every_guard_refuses_its_forgery(changed: dict[str, Any], why: str) -> None:
    assert why in reason(fresh("collision"), **changed)


def test_an_output_that_differs_between_the_two_is_no_collision() -> None:
    """Where the state after the prefixes is the same, what is said is the same; a document that hides a second state is refused."""
    document = fresh("collision")
    assert "state: " in reason(document, automaton=edited(document["automaton"], ("transitions", 2, 2, 0), 1))


def test_inputs_outside_the_promise_are_refused() -> None:
    """Two keys, one asked that was not there."""
    claim = {"task": "table", "parameters": {"sizes": [2, 2], "answers": [0, None, 1, 1]}}
    tables = {"transitions": [[[0, 0]], [[0, 0]]], "outputs": [0]}
    head = {
        "schema": "separatrix/certificate",
        "version": VERSION,
        "kind": "state-collision",
        "claim": claim,
        "cites": "",
        "automaton": tables,
    }
    rest = {"prefixes": [[0], [1]], "suffix": [0], "state": 0, "said": 0, "expected": [0, 1], "state_bits": 0, "strength": "proven"}
    assert check_document(sealed({**head, **rest})).holds
    assert "suffix: one of the two inputs lies outside the promise" in reason({**head, **rest}, suffix=[1], expected=[None, 1])


def test_states_that_nothing_reaches_do_not_count_as_bits() -> None:
    """Sixty-four states after each token, of which no string reaches more than four: the model has two bits of state, not six."""
    tables = fresh("collision")["automaton"]
    padded = {
        "transitions": [tables["transitions"][0], *(table + [table[0]] * (64 - len(table)) for table in tables["transitions"][1:])],
        "outputs": tables["outputs"] + [9] * 62,
    }
    assert check_document(sealed({**fresh("collision"), "automaton": padded})).holds
    assert "state_bits: the certificate says 6, recomputation gives 2" in reason(fresh("collision"), automaton=padded, state_bits=6)


def test_the_producer_finds_the_same_bits() -> None:
    question = question_of_task(make_task("index-lookup", length=3, symbols=2))
    document = certify_state_collision(question, shift_register(question), ((0, 1, 0), (1, 1, 0)), (2,), cites="")
    assert document["state_bits"] == 2
    assert check_document(document).holds
    assert all(entry["kind"] != "statement" for entry in check_document(document).evidence)


def test_a_model_of_one_bit_has_one_bit() -> None:
    """It keeps the last of two symbols: 00 and 10 are one state, and differ at place 1."""
    question = question_of_task(make_task("index-lookup", length=2, symbols=2))
    keep = np.array([[0, 1], [0, 1]])
    last = LayeredAutomaton(question.alphabets, (keep[:1], keep, np.array([[0, 0], [0, 1]])), (0, 1))
    document = certify_state_collision(question, last, ((0, 0), (1, 0)), (2,))
    assert (document["state_bits"], document["state"], document["expected"]) == (1, 0, [0, 1])
    assert check_document(document).claim.endswith("a recurrent model with 1 bit of state is wrong on one of two inputs")


def test_the_work_is_bounded_before_anything_runs() -> None:
    verdict = check_document(fresh("collision"), None, Budget(seconds=1e-6))
    assert not verdict.readable
    assert "above the budget of 1e-06 s" in verdict.reason
