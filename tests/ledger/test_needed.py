"""Lower bounds as facts: with a chain of thought, counted at a small size, and beyond the reach of a window."""

from __future__ import annotations

import json

import pytest

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bounds.limits import bounds_for, task_profile
from separatrix.bounds.number_format import NumberFormat
from separatrix.bounds.reach import blind_pair
from separatrix.ledger.fact import What
from separatrix.ledger.needed import answers_at_once, counted, counted_facts, needed_facts
from separatrix.records.task_choices import counted_task
from separatrix.tasks import TASKS, make_task

CHEAP = (
    "parity",
    "dyck-1",
    "ones",
    "an-bn",
    "lis",
    "edit-distance",
    "k-dnf",
    "circuit",
    "cellular-automaton",
    "edit-distance-chain",
    "edit-distance-local-chain",
    "state-tracking",
    "partition-equality",
    "is-tree",
    "mqar",
    "latest-recall",
    "state-based-recall",
)


def test_every_task_has_a_stored_count() -> None:
    assert counted().keys() == TASKS.keys()


@pytest.mark.parametrize("name", CHEAP)
def test_a_stored_count_is_what_counting_gives(name: str) -> None:
    stored = counted()[name]
    profile = task_profile(make_task(name, **stored["parameters"]))
    assert (profile.bits, profile.method) == (stored["bits"], stored["method"])


def test_every_stored_count_is_at_the_size_that_the_task_names() -> None:
    for name in TASKS:
        assert counted()[name]["parameters"] == json.loads(json.dumps(dict(counted_task(name).parameters))), name


def test_a_counted_bound_says_at_which_settings_it_was_counted() -> None:
    (fact, *_) = [one for one in counted_facts("cellular-automaton") if one.what is What.BELOW]
    assert fact.more["counted_at"] == {"rows": 6}
    assert all(fact.parameters[name] == value for name, value in fact.more["counted_at"].items())


def test_every_bound_is_a_fact_and_those_on_states_hold_with_a_chain() -> None:
    task = make_task("index-lookup", length=100)
    facts = [fact for fact in needed_facts(task, NumberFormat(16)) if fact.architecture is Architecture.RECURRENT]
    alone = [fact.value for fact in facts if fact.mode is Mode.ALONE]
    assert alone == [row.value for row in bounds_for(task, 16)]
    assert [fact.value for fact in facts if fact.mode is Mode.CHAIN] == alone
    assert {fact.what for fact in facts} == {What.BELOW}


def test_answers_along_the_way_leave_no_room_for_a_chain() -> None:
    assert {fact.mode for fact in needed_facts(make_task("mqar", length=16), NumberFormat(16))} == {Mode.ALONE}


def test_a_window_must_reach_the_token_that_changes_the_answer() -> None:
    (fact,) = [fact for fact in needed_facts(make_task("parity", length=200), NumberFormat(32)) if fact.quantity == Quantity.REACH]
    assert (fact.architecture, fact.value) == (Architecture.WINDOW, 201)  # the first of 200 bits, from the end symbol
    assert not [fact for fact in needed_facts(make_task("parity", length=20), NumberFormat(32)) if fact.quantity == Quantity.REACH]


def test_tasks_that_are_answered_after_a_chain_say_nothing_about_windows() -> None:
    assert answers_at_once(make_task("parity", length=9))
    assert not answers_at_once(make_task("lis-chain", length=9))
    assert not answers_at_once(make_task("is-tree", length=9, thought="tour"))
    assert not answers_at_once(make_task("parity-next", length=9))


def test_a_program_that_is_asked_for_its_answer_at_once_is_beyond_windows_without_a_certificate() -> None:
    """The checker knows these tasks by their chain, so the pair has a statement and no certificate; a model may still write a chain."""
    for name in ("lis", "edit-distance", "reverse-sum"):
        task = make_task(name, length=40)
        (fact,) = [fact for fact in needed_facts(task, NumberFormat(32)) if fact.quantity == Quantity.REACH]
        assert (fact.mode, fact.evidence.kind) == (Mode.ALONE, "statement")
        pair = blind_pair(task, (16, 16))
        assert pair is not None
        assert not pair.certifiable
        assert pair.inputs[0][pair.position - pair.reach :] == pair.inputs[1][pair.position - pair.reach :]
        assert [task.answer(tokens) for tokens in pair.inputs] == [*pair.expected]
        assert pair.expected[0] != pair.expected[1]


def test_no_bound_cites_a_statement_about_hard_attention_for_another_model() -> None:
    for name in ("parity", "dyck", "equality", "index-lookup", "regular"):
        chosen = {"language": "@parity"} if name == "regular" else {}
        for fact in needed_facts(make_task(name, length=20, **chosen), NumberFormat(32)):
            assert not fact.evidence.key.startswith("hahn2020")
