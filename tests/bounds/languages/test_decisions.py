"""Facts and rows of languages that others use, and the rules that lead from one to the other."""

from __future__ import annotations

import pytest

from separatrix.bounds.languages.decisions import facts_of, rows
from separatrix.bounds.languages.verdict_rules import BARRIER, BUILT, IMPOSSIBLE, INSIDE_WITH_POSITIONS, LEVELS, OPEN, OUTSIDE, RULES
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
        ("dyck-2-3", None, OPEN),  # star-free, but its cascade has too many states to be built
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
        assert not last.fact or (last.fact == some[0].fact and last.value != some[0].value)


def test_what_is_built_names_a_construction_that_there_is() -> None:
    named = {rule.by for some in RULES.values() for rule in some if rule.verdict == BUILT}
    assert named <= {*CONSTRUCTIONS}
    assert {f"regular/{name}" for name in LEVELS} <= named
    assert not any(rule.by for some in RULES.values() for rule in some if rule.verdict != BUILT)
