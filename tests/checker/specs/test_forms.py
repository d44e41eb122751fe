"""Forms: what a rule reads of a task is what the oracle answers, on all inputs of small sizes."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.checker.specs import spec_of
from separatrix.checker.specs.forms.automaton import Automaton
from separatrix.checker.specs.forms.lookup import Lookup
from separatrix.checker.specs.forms.match import Match
from tests.checker.specs.settings import SMALL, Setting, both, named

WITH_FORM = [setting for setting in SMALL if both(*setting)[1].form() is not None]


def test_the_tasks_of_lookup_and_recall_have_forms() -> None:
    expected = {"index-lookup", "copy", "mqar", "associative-recall", "nearest-neighbor"}
    assert expected <= {name for name, _ in WITH_FORM}


@pytest.mark.parametrize("setting", WITH_FORM, ids=named)
def test_the_form_says_what_the_oracle_says_on_every_input(setting: Setting) -> None:
    _, oracle = both(*setting)
    form = oracle.form()
    assert form is not None
    met = 0
    for tokens, wanted in oracle.all_cases():
        assert form.answers(tokens.tolist()) == wanted
        met += 1
    assert met == oracle.input_count


@pytest.mark.parametrize("setting", [s for s in WITH_FORM if isinstance(both(*s)[1].form(), Lookup | Match)], ids=named)
def test_every_input_of_the_task_is_one_that_the_form_allows(setting: Setting) -> None:
    """A rule speaks of all strings over the form's alphabets inside its promise: the inputs of the task have to be among them."""
    _, oracle = both(*setting)
    form = oracle.form()
    assert isinstance(form, Lookup | Match)
    lengths = set()
    for tokens, _ in oracle.all_cases():
        n = len(tokens)
        lengths.add(n)
        assert all(token in alphabet for token, alphabet in zip(tokens.tolist(), form.alphabets(n), strict=True))
        if isinstance(form, Match):
            for t in form.asked(n):
                costs = sorted(form.cost(int(tokens[t]))[tokens[:t:2]].tolist())
                assert costs[0] <= form.farthest
                assert costs[1:2] == [] or costs[1] >= costs[0] + form.lead
        else:
            readers = form.readers(n)
            mine = [r for r in range(len(readers)) if readers.first[r] <= tokens[readers.position[r]] <= readers.last[r]]
            answers = {int(readers.position[r]): int(tokens[readers.place[r]]) for r in mine}
            assert answers == form.answers(tokens.tolist())
    assert lengths == set(form.lengths)


@pytest.mark.parametrize("setting", [s for s in WITH_FORM if isinstance(both(*s)[1].form(), Automaton)], ids=named)
def test_an_automaton_reads_the_inputs_of_the_task_and_no_others(setting: Setting) -> None:
    _, oracle = both(*setting)
    form = oracle.form()
    assert isinstance(form, Automaton)
    words = {((), form.start)}
    for alphabet in form.alphabets:
        words = {((*word, token), form.step(state, token)) for word, state in words for token in alphabet if form.reads(state, token)}
    assert {word for word, _ in words} == {tuple(tokens.tolist()) for tokens, _ in oracle.all_cases()}


@pytest.mark.parametrize(
    ("task", "chosen"),
    [
        ("latest-recall", {"length": 4, "symbols": 2, "labels": 2}),
        ("latest-recall", {"length": 3, "symbols": 3, "labels": 2}),
        ("associative-recall", {"length": 2, "symbols": 3, "labels": 2, "filler": 3, "absent": True}),
        ("associative-recall", {"length": 2, "symbols": 3, "labels": 2, "filler": 2}),
        ("associative-recall", {"length": 2, "symbols": 3, "labels": 2, "absent": True}),
    ],
)
def test_tables_of_labels_are_recall_on_every_input(task: str, chosen: dict[str, Any]) -> None:
    oracle = spec_of(task, chosen)
    form, wanted = oracle.form(), {tuple(tokens.tolist()): answers for tokens, answers in oracle.all_cases()}
    assert isinstance(form, Automaton)
    words = {((), form.start)}
    for alphabet in form.alphabets:
        words = {((*word, token), form.step(state, token)) for word, state in words for token in alphabet if form.reads(state, token)}
    assert {word: form.answers(word) for word, _ in words} == wanted
    assert len(wanted) == oracle.input_count
