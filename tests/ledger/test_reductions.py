"""Every reduction is executed: inputs of the harder task hold an input of the easier one with the same answer."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.architectures import Architecture
from separatrix.ledger.built import built_facts
from separatrix.ledger.reductions import REDUCTIONS, Reduction, harder_tasks, reduced, twin_tasks
from separatrix.tasks import make_task

HARD: dict[tuple[str, str], tuple[dict[str, Any], ...]] = {
    ("parity", "regular"): ({"length": 7, "language": "@parity"}, {"length": 1, "language": "@parity"}),
    ("ones", "regular"): ({"length": 12, "language": "1*", "alphabet": "01"}, {"length": 1, "language": "1*", "alphabet": "01"}),
    ("an-bn", "regular"): ({"length": 4, "language": "aabb"}, {"length": 2, "language": "ab", "alphabet": "ab"}),
    ("dyck", "regular"): ({"length": 8, "language": "@dyck-2-2"}, {"length": 2, "language": "@dyck-2-2"}),
    ("dyck-1", "dyck-2"): ({"length": 8}, {"length": 4}),
    ("associative-recall", "mqar"): ({"length": 8}, {"length": 6, "symbols": 3, "labels": 5}),
    ("eq-ncp", "copy"): ({"length": 5, "symbols": 3}, {"length": 1, "symbols": 64}),
}


def test_every_reduction_is_tried() -> None:
    assert {(one.easy, one.hard) for one in REDUCTIONS} == set(HARD)


@pytest.mark.parametrize("reduction", REDUCTIONS, ids=lambda one: f"{one.easy} to {one.hard}")
def test_the_answers_are_the_same(reduction: Reduction) -> None:
    for settings in HARD[reduction.easy, reduction.hard]:
        pair = reduction.pair(settings)
        assert pair is not None
        easy, hard = pair
        drawn, answers = (hard if reduction.renamed is None else easy).sample(3, 60), set()
        for row in range(60):
            tokens = drawn.row(row) if reduction.renamed is None else reduction.renamed(drawn.row(row))
            small = reduction.tokens(easy, tokens)
            due = easy.answer(small)
            assert due is not None
            assert due == reduction.answer(hard.answer(tokens))
            if reduction.renamed is None:
                assert small[: easy.token_count - 1] == tokens[: easy.token_count - 1]  # a causal model reads the same
            else:
                assert small == drawn.row(row)  # so no two inputs become one
            answers.add(due)
        assert len(answers) > 1


@pytest.mark.parametrize("reduction", REDUCTIONS, ids=lambda one: f"{one.easy} to {one.hard}")
def test_the_way_there_is_the_way_back(reduction: Reduction) -> None:
    for settings in HARD[reduction.easy, reduction.hard]:
        pair = reduction.pair(settings)
        assert pair is not None
        easy, hard = pair
        found = [task for one, task in harder_tasks(easy) if one is reduction]
        assert [(task.name, task.length, task.vocabulary) for task in found] == [(hard.name, hard.length, hard.vocabulary)]


def test_another_language_reduces_to_nothing() -> None:
    for reduction in REDUCTIONS:
        if reduction.hard == "regular":
            assert reduction.easier({"length": 7, "language": "@dyck-2-2"}) is None  # no balanced word has odd length
            assert reduction.easier({"length": 8, "language": "(ab)*"}) is None
            assert reduction.easier({"length": 6, "language": "aabb"}) is None  # of length 6 it has no word
            assert reduction.easier({"length": 8, "language": "1*", "alphabet": None}) is None  # every word over 1 alone is one


def test_a_language_for_one_length_says_nothing_of_the_others() -> None:
    moved = [fact for fact in reduced(built_facts()) if fact.task in ("an-bn", "ones")]
    about = {(fact.task, fact.architecture): str(fact.lengths) for fact in moved}
    for cell in (Architecture.ELMAN, Architecture.GRU, Architecture.LSTM, Architecture.MAMBA):
        assert about["an-bn", cell] == "N = 4"
        assert about["ones", cell] == "all N"
    assert about["ones", Architecture.TWO_LAYERS] == "N = 10"
    assert [*harder_tasks(make_task("an-bn", length=7))] == []  # no word at all
    assert [*harder_tasks(make_task("an-bn", length=1000))] == []  # spelled out it would be long


def test_twins_are_one_task_token_by_token_and_weights_travel_both_ways() -> None:
    twins = [one for one in REDUCTIONS if one.twins]
    assert {one.easy for one in twins} == {"parity", "ones", "an-bn"}
    for reduction in twins:
        for settings in HARD[reduction.easy, reduction.hard]:
            pair = reduction.pair(settings)
            assert pair is not None
            easy, hard = pair
            assert easy.vocabulary == hard.vocabulary
            for tokens in easy.inputs():
                assert reduction.tokens(easy, tokens) == tuple(tokens)
                assert easy.answer(tokens) == hard.answer(tokens)
    moved = {(fact.task, fact.architecture) for fact in reduced(built_facts()) if fact.more["construction"] == "parity/one-layer"}
    assert moved == {("regular", Architecture.ONE_LAYER)}
    assert [easy.name for _, easy in twin_tasks(make_task("regular", length=6, language="@parity"))] == ["parity"]
    assert [*twin_tasks(make_task("regular", length=6, language="@mod-3"))] == []
    assert [*twin_tasks(make_task("regular", length=8, language="@dyck-2-2"))] == []  # dyck ends without the end symbol


def test_a_language_is_known_by_its_automaton_as_by_its_name() -> None:
    (parity,) = [one for one in REDUCTIONS if one.easy == "parity"]
    written = make_task("regular", length=6, language="@parity").parameters
    assert written["language"].startswith("{")
    assert parity.easier(written) == parity.easier({"length": 6, "language": "@parity"}) == {"length": 6}
