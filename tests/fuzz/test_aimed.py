"""The fuzzer that aims sees every fault that the checker once had, when it is put back; and none in the checker as it is."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest

from separatrix.checker import check_document
from tests.fuzz.aimed.aims import AIMS, RECIPES, Aim, suits
from tests.fuzz.aimed.campaign import campaign, forgery, outcome_of
from tests.fuzz.aimed.faults import FAULTS, holders, planted
from tests.fuzz.aimed.invariants import spoil
from tests.fuzz.aimed.judging import objection
from tests.fuzz.aimed.subjects import BUILDS, MADE, RECURRENT, document_of, lowered, subjects, switches
from tests.fuzz.aimed.unseen import idle, unread, unread_state

DEAR = ("automaton, mamba", "automaton, rank one", "automaton, pd", "delay line", "recall by linear-attention, float32")
CHEAP = tuple(name for name in (*BUILDS, *MADE) if name not in DEAR)
NEAR: dict[str, tuple[str, tuple[str, ...]]] = {  # for each fault the recipe and the subjects that lie close to it
    "1 addresses of numbers left out": ("layouts", ("lookup, three symbols", "lookup, four places")),
    "2 squares in a norm overflow": ("norms", ("parity in float32",)),
    "3 powers of two below the normal range": ("scores", ("hard lookup", "hard lookup, float64")),
    "4 logits as float64": ("logits", ("predictor", "predictor, unfair coin")),
    "5 products of weights underflow": ("floors", ("soft reader",)),
    "6 the embedding is rounded first": ("constants", ("soft reader with a place", "soft reader")),
    "7 the state of linear attention overflows": ("states", ("ones by linear attention", "ones by linear attention, float32")),
    "8 a sentence rounds to the nearest": ("logits", ("predictor", "predictor, unfair coin")),
    "9 a choice by half of its box": ("choices", ("a choice, float64", "a choice, float32")),
    "10 what a key holds overflows": ("idle layers", ("an idle memory by deltanet, float32", "an idle memory by gated-deltanet, float32")),
    "11 an address overflows behind its gate": ("gates", ("lookup, three symbols", "index-lookup by linear-attention, float32")),
    "12 two sums of a gate": ("orders", ("ones by lstm",)),
    "13 values overflow before they are weighed": ("orders", ("ones by equal weights",)),
    "14 a query meets the key matrix first": ("orders", ("ones by scaled weights",)),
    "15 a lone score overflows": ("orders", ("ones by pd",)),
    "16 a hidden logit overflows": ("heads", ("copy with a hidden logit",)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen_by_the_recipe_that_aims_at_it(fault: str) -> None:
    recipe, names = NEAR[fault]
    starts = subjects(names)
    with planted(fault):
        tally = campaign(0, range(1500), starts, recipe, first_alarm=True)
    assert [alarm["outcome"] for alarm in tally.alarms] == ["false"], tally.outcomes
    assert outcome_of(forgery(0, tally.alarms[0]["number"], starts, recipe))[0] in ("refused", "accepted")  # without the fault


def test_a_fault_is_gone_afterwards() -> None:
    for name, (honest, faulty) in FAULTS.items():
        with planted(name):
            assert holders(faulty), name
            assert not holders(honest), name
        assert holders(honest), name
        assert not holders(faulty), name


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen_by_all_recipes_together_within_ten_minutes_of_a_core(fault: str) -> None:
    subjects()
    with planted(fault):
        tally = campaign(1, range(10**7), first_alarm=True, until=600)
    assert [alarm["outcome"] for alarm in tally.alarms] == ["false"], (tally.seconds, tally.outcomes)


def test_no_forgery_of_a_short_campaign_is_false_slow_or_an_exception() -> None:
    tally = campaign(2, range(100), subjects(CHEAP))
    assert tally.alarms == []
    assert min(tally.outcomes["accepted"], tally.outcomes["refused"]) > 10, tally.outcomes
    assert min(tally.judges["torch and recheck"], tally.judges["torch"]) > 0, tally.judges


def test_every_subject_whose_claim_is_honest_is_accepted_and_nobody_objects() -> None:
    lies = {"soft reader", "soft reader with a place"}  # near an optimum, and said to be far from it
    for subject in subjects(CHEAP):
        document = document_of(subject)
        verdict = check_document(document)
        assert verdict.holds is (subject.name not in lies), f"{subject.name}: {verdict.reason}"
        assert not verdict.holds or objection(document, verdict)[0] == "", subject.name


def test_every_recurrence_that_envelopes_serve_is_a_subject_in_both_formats() -> None:
    proofs = {name: document_of(subject)["proof"] for name in BUILDS if " by " in name for subject in subjects((name,))}
    boxed = {name for name, proof in proofs.items() if proof and proof["rule"] == "envelope"}
    for by in RECURRENT:
        for numbers in ("float64", "float32"):
            assert any(f"by {by}, {numbers}" in name for name in boxed), (by, numbers)


@pytest.mark.parametrize("aim", [idle, unread, unread_state])
def test_what_nothing_reads_leaves_an_honest_model_as_it_is(aim: Aim) -> None:
    """In real numbers: where it has room, the same logits come out."""
    starts, same = subjects(("index-lookup by mamba2, float64", "a choice, float64", "automaton", "copy by lstm, float64")), 0
    for seed in range(12):
        for subject in starts:
            with np.errstate(all="ignore"):
                changed = aim(subject, random.Random(seed), starts)
            outcome, why, _ = outcome_of(changed)
            assert outcome in ("accepted", "refused"), why
            same += outcome == "accepted"
    assert same > 8


def test_witnesses_are_changed_in_every_part_and_follow_from_it() -> None:
    for name in ("period of a stack", "receptive field", "depth reduction", "languages"):
        (subject,) = subjects((name,))
        made = [document_of(subject.having(changed=seed)) for seed in range(60)]
        parts = {key for document in made for key in document if document[key] != subject.witness[key]} - {"digest"}
        assert len(parts) > 1, (name, parts)
        held = sum(check_document(document).holds for document in made)
        assert 0 < held < 60, (name, held)


def test_a_forgery_is_a_function_of_the_seed_and_its_number() -> None:
    starts = subjects(("lookup", "ones"))
    one, again, other = (forgery(seed, 5, starts, "ends") for seed in (7, 7, 8))
    assert all(np.array_equal(one.tensors[name], again.tensors[name]) for name in one.tensors)
    assert (one.name, one.model, one.constants) == (again.name, again.model, again.constants)
    assert other.name != one.name or any(not np.array_equal(one.tensors[name], other.tensors[name]) for name in one.tensors)


def test_every_aim_changes_some_subject_and_every_recipe_fits_one() -> None:
    every = subjects(CHEAP)
    starts = tuple(subject for subject in every if not subject.witness)
    for aim in AIMS:
        before = copy.deepcopy(starts)
        with np.errstate(all="ignore"):
            assert any(_differ(aim(subject, random.Random(i), starts), subject) for i in range(4) for subject in starts), aim.__name__
        assert not any(_differ(now, then) for now, then in zip(starts, before, strict=True)), f"{aim.__name__} changed a subject in place"
    assert all(any(suits(name, subject) for subject in every) for name in RECIPES)


def _differ(one: object, other: object) -> bool:
    return repr(one) != repr(other)


def test_constants_of_the_checker_are_lowered_where_they_stand_and_only_meanwhile() -> None:
    from separatrix.checker.kinds import running

    before = running.TOGETHER
    with lowered({"TOGETHER": 2}):
        assert running.TOGETHER == 2
    assert before == running.TOGETHER
    assert len({name for _, name in switches()}) >= 6, switches()


def test_invariants_are_spoiled_in_every_way() -> None:
    proof = {
        "rule": "simulation",
        "lengths": "every",
        "moves": [[1, 2], [1, 2], [2, 1]],
        "low": [[0.0], [1.0], [2.0]],
        "high": [[0.5], [1.5], [2.5]],
    }
    spoiled = [spoil(proof, seed) for seed in range(60)]
    assert any(len(each["moves"]) == 2 for each in spoiled if each), "a pair left out"
    assert any(each["lengths"] == "stated" for each in spoiled if each)
    assert any(0 < each["high"][0][0] - each["low"][0][0] < 0.5 for each in spoiled if each), "a box too small"
    assert spoil({"rule": "lookup", "tokens": "listed"}, 0) == {"rule": "lookup", "tokens": "summed"}
    assert (proof["lengths"], len(proof["moves"])) == ("every", 3)
