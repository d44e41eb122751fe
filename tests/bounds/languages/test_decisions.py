"""Facts and rows of languages that others use, and the rules that lead from one to the other."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from separatrix.bounds.languages.decisions import _facts, _facts_of_group, facts_of, group_of, rows
from separatrix.bounds.languages.enumeration import automata
from separatrix.bounds.languages.monoid import syntactic_monoid
from separatrix.bounds.languages.verdict_rules import (
    BARRIER,
    BUILT,
    CITED,
    CONDITIONAL,
    IMPOSSIBLE,
    INSIDE_WITH_POSITIONS,
    LEVELS,
    OPEN,
    OUTSIDE,
    RULES,
)
from separatrix.constructions import CONSTRUCTIONS
from separatrix.tasks.languages.given import given_language


@pytest.mark.parametrize(
    ("name", "modulus", "mamba"),  # the seven regular languages of FLaRe: None if star-free
    [
        ("even-pairs", None, BUILT),
        ("repeat-01", None, BUILT),
        ("parity", 2, IMPOSSIBLE),
        ("cycle-navigation", 5, IMPOSSIBLE),
        ("modular-arithmetic-simple", 2, IMPOSSIBLE),  # 4 * 4 is 1: *4 twice changes nothing
        ("dyck-2-3", None, BUILT),
        ("first", None, BUILT),
    ],
)
def test_the_regular_languages_of_flare_are_classified(name: str, modulus: int | None, mamba: str) -> None:
    facts = facts_of(given_language(f"@{name}"))
    assert facts.star_free == (modulus is None)
    assert (None if facts.period is None else facts.period.p) == modulus
    verdicts = {row.architecture: row.verdict for row in rows(facts)}
    assert verdicts["mamba"] == mamba
    assert verdicts["rank-one"] == verdicts["lstm"] == BUILT


def test_every_architecture_has_rules_of_which_one_always_applies() -> None:
    assert {*RULES} == {*BARRIER, *INSIDE_WITH_POSITIONS, *OUTSIDE}
    for some in RULES.values():
        last = some[-1]
        assert not last.fact or (last.fact == some[1].fact and last.value != some[1].value)  # behind the rule for one answer to all words


def test_what_is_built_names_a_construction_that_there_is() -> None:
    named = {rule.by for some in RULES.values() for rule in some if rule.verdict == BUILT and rule.fact != "constant"}
    assert named <= {*CONSTRUCTIONS}
    assert {f"regular/{name}" for name in LEVELS} <= named
    assert not any(rule.by for some in RULES.values() for rule in some if rule.verdict != BUILT)


def test_all_words_or_none_are_recognised_by_everything() -> None:
    for text in ("(a|b)*", "[^ab]"):
        assert {row.verdict for row in rows(facts_of(given_language(text, "ab")))} == {BUILT}


def test_what_is_cited_says_yes_or_no_and_under_which_hypotheses() -> None:
    for text, says in (
        ("(ab)*", {"transformer": "no", "hard-attention": "yes"}),
        ("a*b(a|b)*", {"transformer": "yes", "hard-attention": "yes"}),
    ):
        found = {row.architecture: row for row in rows(facts_of(given_language(text))) if row.verdict == CITED}
        assert {name: row.says for name, row in found.items()} == says
    every = [rule for some in RULES.values() for rule in some]
    assert all(bool(rule.hypotheses) == bool(rule.cites) == bool(rule.says) for rule in every)
    assert all(rule.verdict != CITED or rule.arithmetic in rule.hypotheses for rule in every)


@pytest.mark.parametrize(("group", "says"), [("s3", "yes"), ("a4", "yes"), ("a5", "no"), ("c7", "yes")])
def test_complex_gates_do_solvable_groups(group: str, says: str) -> None:
    (row,) = (row for row in rows(facts_of(given_language(f"group:{group}"))) if row.architecture == "complex-diagonal")
    assert (row.verdict, row.says) == (CITED, says)


def test_an_automaton_whose_letters_permute_is_a_group_and_has_the_facts_of_its_elements() -> None:
    met = 0
    for states in (1, 2, 3, 4):
        for automaton in automata(states):
            group = group_of(automaton)
            monoid = syntactic_monoid(automaton)
            assert monoid is not None
            assert (group is not None) == (monoid.idempotent.sum() == 1)
            if group is not None:
                listed, said = _facts(automaton, monoid, monoid.aperiodic), _facts_of_group(automaton, group)
                assert replace(said, derived=None) == listed
                met += 1
    assert met > 500


def test_a_group_that_is_too_large_to_list_is_not_said_to_be_solvable() -> None:
    seven = [[(q + 1) % 7, {0: 1, 1: 0}.get(q, q)] for q in range(7)]
    names = {str(q): {"a": str(a), "b": str(b)} for q, (a, b) in enumerate(seven)}
    permuted = {"alphabet": ["a", "b"], "start": "0", "accepting": ["0"], "moves": names}
    and_reset = {**permuted, "alphabet": ["a", "b", "r"], "moves": {q: {**row, "r": "0"} for q, row in names.items()}}
    for document, verdict in ((permuted, CONDITIONAL), (and_reset, OPEN)):
        found = {row.architecture: row for row in rows(facts_of(given_language(json.dumps(document))))}
        assert found["transformer-log-precision"].verdict == verdict
        assert "no group excludes it" not in found["transformer-log-precision"].why
