from __future__ import annotations

import re

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.normal_forms import KCnf, KDnf
from separatrix.tasks.sparse_threshold import Feature


@pytest.mark.parametrize("kind", [KDnf, KCnf])
def test_python_reads_the_formula_in_the_same_way(kind: type[KDnf | KCnf]) -> None:
    for settings in (kind.enumerated_at, *kind.sampled_at):
        task = kind(**settings)
        written = task.formula.replace("!", " not ").replace("&", " and ").replace("|", " or ")
        for tokens in task.inputs():
            value = eval(re.sub(r"x(\d+)", lambda literal: str(tokens[int(literal[1])]), written))  # noqa: B023
            assert task.answer(tokens) == int(bool(value)), (task.formula, tokens)


def test_terms_are_ands_and_one_is_enough() -> None:
    task = KDnf(4, formula="x1 & !x3 | x2 & x4")
    assert task.sparse_features == (Feature((1, 3), (0, 0, 1, 0)), Feature((2, 4), (0, 0, 0, 1)))
    assert task.bound == 0
    assert [task.answer(task.read(text)) for text in ("^ 1 0 0 1", "^ 1 0 1 0", "^ 0 1 1 1")] == [1, 0, 1]


def test_clauses_are_ors_and_all_are_needed() -> None:
    task = KCnf(4, formula="(x1 | !x3) & (x2 | x4)")
    assert task.sparse_features == (Feature((1, 3), (1, 0, 1, 1)), Feature((2, 4), (0, 1, 1, 1)))
    assert task.bound == 1
    assert [task.answer(task.read(text)) for text in ("^ 1 0 0 0", "^ 0 1 0 0", "^ 0 1 1 0")] == [0, 1, 0]


def test_a_contradiction_never_holds_and_a_tautology_always_does() -> None:
    assert KDnf(2, formula="x1 & !x1").sparse_features == (Feature((1,), (0, 0)),)
    assert KCnf(2, formula="(x1 | !x1)").sparse_features == (Feature((1,), (1, 1)),)


def test_the_negation_of_a_dnf_is_the_cnf_of_negated_literals() -> None:
    dnf, cnf = KDnf(5, formula="x1 & !x2 & x5 | x3 & x4"), KCnf(5, formula="(!x1 | x2 | !x5) & (!x3 | !x4)")
    assert all(dnf.answer(tokens) == 1 - cnf.answer(tokens) for tokens in dnf.inputs())


@pytest.mark.parametrize(("k", "parts"), [(1, 1), (2, 3), (3, 6), (4, 11)])
def test_formulas_that_are_drawn_have_about_ln_2_times_2_to_the_k_parts(k: int, parts: int) -> None:
    for task in (KDnf(40, k=k), KCnf(40, k=k)):
        assert len(task.sparse_features) == parts
        assert all(len(feature.places) == k for feature in task.sparse_features)
        assert 0.25 < task.sample(0, 4000).targets.sum() / 4000 < 0.75


def test_each_drawn_term_holds_on_one_assignment_of_its_bits_and_each_clause_fails_on_one() -> None:
    assert {sum(feature.table) for feature in KDnf(20, terms=20).sparse_features} == {1}
    assert {sum(feature.table) for feature in KCnf(20, terms=20).sparse_features} == {7}


@pytest.mark.parametrize("task", [KDnf(40, k=6, terms=2), KCnf(40, k=6, terms=2)])
def test_cases_go_to_the_edge_also_by_flips_that_change_no_part_yet(task: KDnf | KCnf) -> None:
    # Three in five inputs get there by flips that help at once.
    count = task.count(task.cases("edge", 0, 400).tokens[:, 1:])
    assert (count == task.bound + np.arange(400) % 2).mean() > 0.7


@pytest.mark.parametrize(
    ("name", "chosen", "message"),
    [
        ("k-dnf", {"formula": "x1 |"}, "k-dnf: expected literals such as x3 or !x3 joined by &, found ''"),
        ("k-dnf", {"formula": "x1 & y2"}, "k-dnf: expected literals such as x3 or !x3 joined by &, found 'x1 & y2'"),
        ("k-cnf", {"formula": "(x1 | x2"}, r"k-cnf: expected literals such as x3 or !x3 joined by \|, found '\(x1 \| x2'"),
        ("k-cnf", {"formula": "x1 | x2 | x3 | x4"}, "k-cnf: a feature may read at most k = 3 bits, found one that reads 4"),
        ("k-cnf", {"formula": "x1 & x9"}, r"k-cnf: places must lie in 1..N with N = 4, found \[9\]"),
        ("k-dnf", {"terms": 0}, "k-dnf: terms must be at least 1, found 0"),
        ("k-dnf", {"terms": 5}, "k-dnf: there may be at most N = 4 features, found 5"),
    ],
)
def test_what_is_no_formula_is_refused(name: str, chosen: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        make_task(name, length=4, **chosen)
