"""Forms that count, look at halves, or walk an automaton: a rule speaks of exactly the inputs of the task, and of each length it names."""

from __future__ import annotations

import pytest

from separatrix.checker.specs import spec_of
from separatrix.checker.specs.forms.automaton import Automaton
from separatrix.checker.specs.forms.local import ByHalf, Count
from tests.checker.specs.settings import SMALL, Setting, both, named

LOCAL = [setting for setting in SMALL if isinstance(both(*setting)[1].form(), Count | ByHalf | Automaton)]


def test_the_tasks_of_predicates_halves_brackets_and_tables_have_forms() -> None:
    expected = {
        "equality",
        "eq-one",
        "eq-random",
        "eq-ncp",
        "partition-equality",
        "intersects",
        "sparse-threshold",
        "k-dnf",
        "k-cnf",
        "dyck",
        "parity",
        "regular",
        "latest-recall",
    }
    assert {name for name, _ in LOCAL} == expected


@pytest.mark.parametrize("setting", LOCAL, ids=named)
def test_the_form_says_what_the_oracle_says_on_every_input(setting: Setting) -> None:
    _, task = both(*setting)
    form = task.form()
    assert form is not None
    answers = set()
    for tokens, wanted in task.all_cases():
        assert form.answers(tokens.tolist()) == wanted
        answers |= {*wanted.values()}
    assert len(answers) > 1


@pytest.mark.parametrize("setting", LOCAL, ids=named)
def test_every_input_of_the_task_lies_over_the_alphabets_of_the_form_and_every_length_is_met(setting: Setting) -> None:
    _, task = both(*setting)
    form = task.form()
    lengths = set()
    for tokens, _ in task.all_cases():
        n = len(tokens)
        lengths.add(n)
        if isinstance(form, Count):
            alphabets = form.at(n).alphabets
        else:
            assert isinstance(form, ByHalf | Automaton)
            alphabets = form.alphabets(n) if isinstance(form, ByHalf) else form.alphabets
        assert len(alphabets) == n
        assert all(token in alphabet for token, alphabet in zip(tokens.tolist(), alphabets, strict=True))
    assert lengths == ({task.tokens} if isinstance(form, Automaton) else {*form.lengths})  # type: ignore[union-attr]


@pytest.mark.parametrize("setting", LOCAL, ids=named)
def test_places_of_a_part_rise_and_its_table_has_an_entry_for_every_combination(setting: Setting) -> None:
    form = both(*setting)[1].form()
    if not isinstance(form, Count):
        return
    for n in form.lengths:
        found = form.at(n)
        for part in found.parts:
            assert [*part.places] == sorted({*part.places})
            assert part.holds.shape == tuple(len(found.alphabets[p]) for p in part.places)
            assert part.holds.dtype == bool


def test_what_would_be_too_large_to_tabulate_has_no_form() -> None:
    assert spec_of("equality", {"length": 4, "symbols": 4096}).form() is not None
    assert spec_of("equality", {"length": 4, "symbols": 4097}).form() is None
    assert spec_of("partition-equality", {"length": 4, "symbols": 4097, "first": [], "instance": 0}).form() is None
    wide = {"length": 65, "k": 12, "instance": 0, "features": "", "threshold": None}
    assert spec_of("sparse-threshold", wide).form() is None
    assert spec_of("sparse-threshold", {**wide, "k": 6}).form() is not None
