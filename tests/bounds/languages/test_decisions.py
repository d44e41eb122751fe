"""Facts and rows of languages that others use, and the rules that lead from one to the other."""

from __future__ import annotations

import pytest

from separatrix.bounds.languages.decisions import facts_of, rows
from separatrix.bounds.languages.verdict_rules import BARRIER, BUILT, CITED, IMPOSSIBLE, INSIDE_WITH_POSITIONS, LEVELS, OUTSIDE, RULES
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
