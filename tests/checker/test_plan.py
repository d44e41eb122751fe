"""The test plan: counts follow from the work alone, the seed from the content, and a constant shows nothing."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from typing import Any

import pytest

from separatrix.checker.cases import drawn, families
from separatrix.checker.kinds.running import fingerprint
from separatrix.checker.plan import LEAST, MOST, WORK, Family, excluded_rate, least_work, plan, seed_of
from separatrix.checker.seal import Refused
from separatrix.checker.specs import Choices, Spec, spec_of
from tests.checker.specs.settings import DRAWN, Setting, both, named

LOOKUP = {"length": 1000, "symbols": 64, "distribution": "evaluation"}
CHEAP, DEAR = 10**6, 10**12
CLAIM = {"task": "index-lookup", "parameters": LOOKUP}


def test_the_seed_is_that_of_the_page() -> None:
    """The first 8 bytes, big-endian, without the last bit, of the SHA-256 of the canonical JSON."""
    text = '{"claim":{"parameters":{"length":4},"task":"x"},"program":{"model":1},"weights":"ab"}'
    expected = int(hashlib.sha256(text.encode()).hexdigest()[:16], 16) // 2
    assert seed_of({"task": "x", "parameters": {"length": 4}}, {"model": 1}, "ab") == expected
    assert 0 <= expected < 2**63


def test_whatever_the_author_changes_changes_the_seed() -> None:
    seeds = {
        seed_of(CLAIM, {"model": {}}, "ab"),
        seed_of({**CLAIM, "task": "equality"}, {"model": {}}, "ab"),
        seed_of(CLAIM, {"model": {"width": 1}}, "ab"),
        seed_of(CLAIM, {"model": {}}, "ac"),
    }
    assert len(seeds) == 4


def test_the_plan_at_a_thousand_symbols() -> None:
    """A pass of 10^6 costs a bit more with what surrounds it: 2^32 / 4 / (10^6 + 2^17 + 256 1001) = 773 cases of four families."""
    planned = plan(spec_of("index-lookup", LOOKUP), CHEAP, 0)
    assert planned.families == tuple(Family(name, 773) for name in ("random", "extremes", "near-constant", "lone-symbol"))
    assert not planned.exhaustive
    assert planned.work == 4 * 773 * (CHEAP + 2**17 + 256 * 1001)
    places = [int(tokens[-1]) - 64 for tokens, _ in planned.cases(spec_of("index-lookup", LOOKUP), planned.families[3])]
    assert places == [*range(773)]


CONSTANT: list[Setting] = [  # by hand: one letter is always in the first language, and three vertices with two edges are a tree
    ("regular", {"length": 1, "language": "a|b*"}),
    ("regular", {"length": 8, "language": "@even-length"}),
    ("is-tree", {"length": 3}),
    ("is-tree", {"length": 6, "edges": 9, "thought": "tour"}),
    ("is-tree", {"length": 5, "edges": 6, "thought": "search"}),
    ("turing-machine", {"length": 4, "machine": "increment", "thought": "chain", "steps": 7}),  # it always accepts
]
SHOWING = [setting for setting in DRAWN if setting not in CONSTANT]


@pytest.mark.parametrize("setting", CONSTANT, ids=named)
def test_tasks_whose_answer_is_always_the_same_show_nothing(setting: Setting) -> None:
    assert setting in DRAWN
    for work in (0, CHEAP, DEAR):
        with pytest.raises(Refused, match="every case has the same answer, so the claim shows nothing"):
            plan(both(*setting)[1], work, 5)


@pytest.mark.parametrize("setting", SHOWING, ids=named)
@pytest.mark.parametrize("work", [0, CHEAP, DEAR])
def test_every_family_is_met_and_none_falls_below_the_least(setting: Setting, work: int) -> None:
    _, second = both(*setting)
    planned = plan(second, work, 5)
    counts = {family.name: family.count for family in planned.families}
    if planned.exhaustive:
        assert counts == {"all": second.input_count}
        assert len([*planned.cases(second, planned.families[0])]) == second.input_count
        assert planned.work <= WORK
    else:
        assert set(counts) == set(families(second))
        assert all(LEAST <= count <= MOST for count in counts.values())
        assert planned.work <= WORK or max(counts.values()) <= 64
    assert least_work(second, work) <= planned.work
    assert plan(second, work, 5) == planned


@pytest.mark.parametrize("setting", SHOWING, ids=named)
def test_an_honest_claim_shows_two_answers_even_where_a_case_is_dear(setting: Setting) -> None:
    _, second = both(*setting)
    for seed in range(12):
        planned = plan(second, DEAR, seed)
        assert not planned.exhaustive
        cases = [case for family in planned.families for case in planned.cases(second, family)]
        assert len({tuple(wanted.values()) for _, wanted in cases}) > 1, seed


def test_cases_that_agree_by_chance_are_joined_by_more() -> None:
    """With two symbols, 9 cases agree under one seed in 256: of the first 1200 seeds some do, and their counts grow."""
    second = spec_of("index-lookup", {"length": 70, "symbols": 2, "distribution": "evaluation"})
    counts = {family.count for seed in range(1200) for family in plan(second, DEAR, seed).families}
    assert min(counts) == LEAST
    assert 6 in counts
    assert max(counts) <= 64


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("sparse-threshold", {"length": 40, "k": 2, "features": "", "threshold": 10**9, "instance": 0}),
        ("sparse-threshold", {"length": 40, "k": 2, "features": "", "threshold": -1, "instance": 0}),
        ("k-dnf", {"length": 40, "k": 2, "formula": "x1 & !x1", "terms": None, "instance": 0}),
        ("k-cnf", {"length": 40, "k": 2, "formula": "x1 | !x1", "terms": None, "instance": 0}),
    ],
)
def test_a_constant_shows_nothing(name: str, parameters: dict[str, Any]) -> None:
    for length, work in ((40, CHEAP), (40, DEAR), (6, 0)):  # the last is run on all inputs
        with pytest.raises(Refused, match="every case has the same answer, so the claim shows nothing"):
            plan(spec_of(name, {**parameters, "length": length}), work, 1)


def test_the_search_for_a_second_answer_has_a_bound_of_its_own() -> None:
    """At 10^5 bits a case takes a second to draw: two families of 3 cases are drawn, and no more."""
    made: list[int] = []

    def zeros(choices: Choices) -> list[int]:
        made.append(choices.number)
        return [2, *[0] * choices.many(1, 1).size] + [0] * (size - 1)

    size = 10**5
    long = spec_of("sparse-threshold", {"length": size, "k": 1, "features": "1:01", "threshold": 10**9, "instance": 0})
    assert least_work(long, 0) > WORK
    with pytest.raises(Refused, match="every case has the same answer"):
        plan(replace(long, sample=zeros, families={}), 0, 0)
    assert len(made) == 3 + 2 * 3  # a case that is nearly constant is made twice, to count its choices
    size = 40
    short = spec_of("k-dnf", {"length": 40, "k": 2, "formula": "x1 & !x1", "terms": None, "instance": 0})
    made.clear()
    with pytest.raises(Refused, match="every case has the same answer"):
        plan(replace(short, sample=zeros, families={}), DEAR, 0)
    assert len(made) == 3 * (3 + 6 + 12 + 24 + 48 + 64)


def test_all_inputs_are_run_up_to_the_work_and_no_further() -> None:
    second = spec_of("equality", {"length": 12, "symbols": 2})
    fits = WORK // 4096 - (1 << 17) - 256 * 12
    assert plan(second, fits, 0).exhaustive
    assert not plan(second, fits + 1, 0).exhaustive
    assert plan(spec_of("eq-random", {"length": 10, "symbols": 2, "distribution": "training"}), 0, 0).families == (
        Family("all", sum(2**k for k in range(2, 11, 2))),
    )


def test_a_table_is_run_as_a_whole_or_not_at_all() -> None:
    second = spec_of("table", {"sizes": [2, 2], "answers": [0, 1, 1, None]})
    assert plan(second, CHEAP, 0).families == (Family("all", 3),)
    assert plan(second, DEAR, 0).families == (Family("all", 3),)
    assert least_work(second, DEAR) == plan(second, DEAR, 0).work > 3 * DEAR  # which no budget allows


def test_a_plan_asks_for_no_more_than_the_most() -> None:
    assert {family.count for family in plan(spec_of("equality", {"length": 60, "symbols": 2}), 0, 0).families} == {MOST}


def test_the_rate_that_is_excluded() -> None:
    """By hand: 60 cases leave 1/2; with 2000 it is 1 - 2^-0.03 = 2.06 %; the chance of 2^-20 is met after 2^40 tries, and not sooner."""
    assert excluded_rate(60) == 0.5
    assert round(excluded_rate(2000), 4) == 0.0206
    assert excluded_rate(0) == 1.0
    for k in (10, 100, 2000):
        assert math.isclose(40 + k * math.log2(1 - excluded_rate(k)), -20, rel_tol=1e-6)


def test_distinct_cases_are_told_apart() -> None:
    second: Spec = spec_of("equality", {"length": 2, "symbols": 2})
    prints = [fingerprint(tokens) for tokens, _ in drawn(second, "one-change", 0, 50)]
    assert len(set(prints)) == 2  # there are two inputs whose halves differ
    assert {len(one) for one in prints} == {32}


def test_the_plan_does_not_depend_on_how_parameters_are_written() -> None:
    again = json.loads(json.dumps(LOOKUP))
    assert plan(spec_of("index-lookup", again), CHEAP, 3) == plan(spec_of("index-lookup", LOOKUP), CHEAP, 3)
