"""The shipped numbers of state tracking are those that a fresh table gives."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from separatrix.bounds.languages.class_counts import LANGUAGES, PERMUTATION_RESET, R_TRIVIAL, STAR_FREE, TWINS
from separatrix.bounds.languages.enumeration import automata
from separatrix.errors import BadInput
from separatrix.ledger.state_tracking import SHOWN, counted_in, state_tracking, tracked, tracked_groups
from separatrix.refuters.decided_tables import write_decided
from separatrix.tasks.languages.gallery import GALLERY


def test_a_fresh_table_of_three_states_gives_the_same_classes(tmp_path: Path) -> None:
    write_decided(3, tmp_path / "table.jsonl.gz")
    record, shipped = counted_in(tmp_path / "table.jsonl.gz"), state_tracking()
    assert record["by_states"] == {states: shipped.by_states[states] for states in (1, 2, 3)}
    assert record["checked"]["built by Mamba"] == sum(shipped.by_states[states][STAR_FREE] for states in (1, 2, 3))


@pytest.mark.slow  # two minutes
def test_a_fresh_table_of_four_states_gives_the_same_record(tmp_path: Path) -> None:
    write_decided(4, tmp_path / "table.jsonl.gz")
    record, shipped = counted_in(tmp_path / "table.jsonl.gz"), state_tracking()
    assert (record["claim"], record["checked"], record["by_states"]) == (shipped.claim, shipped.checked, shipped.by_states)


def test_what_the_checker_counted_is_what_the_classes_count() -> None:
    shipped = state_tracking()
    checked = shipped.checked
    assert shipped.count(LANGUAGES) == checked["languages"] == checked["rank-one, one layer: built"]
    assert shipped.count(STAR_FREE) == checked["built by Mamba"]
    assert shipped.count(LANGUAGES) - shipped.count(STAR_FREE) == checked["impossible for monotone stacks"]
    assert shipped.count(PERMUTATION_RESET) == checked["permutation-reset: one symmetric layer suffices"]
    assert shipped.count(TWINS) == checked["twins: impossible for one non-expansive layer"]
    assert not checked["open"]
    assert not checked["both"]


def test_languages_of_four_states_are_counted_again() -> None:
    """All of them, those in which no state that was left is entered again, and those whose letters permute or reset."""
    found = dict.fromkeys((LANGUAGES, R_TRIVIAL, PERMUTATION_RESET), 0)
    for automaton in automata(4):
        moves = automaton.moves
        reached = [{q} for q in range(4)]
        for _ in range(4):
            reached = [some | {r for q in some for r in moves[q]} for some in reached]
        found[LANGUAGES] += 1
        found[R_TRIVIAL] += not any(p != q and q in reached[p] and p in reached[q] for p in range(4) for q in range(4))
        found[PERMUTATION_RESET] += all(len({row[a] for row in moves}) in (1, 4) for a in (0, 1))
    assert found == {name: state_tracking().by_states[4][name] for name in found}


def test_every_verdict_on_a_language_with_a_name_is_that_of_decide() -> None:
    assert [one.name for one in state_tracking().languages] == [*GALLERY]
    for shipped in state_tracking().shown:
        fresh = tracked(shipped.name)
        assert (shipped.states, shipped.star_free) == (fresh["states"], fresh["star_free"])
        assert shipped.r_trivial == fresh["r_trivial"]
        assert {architecture: list(row) for architecture, row in shipped.rows.items()} == fresh["rows"]


def test_the_languages_of_the_page_are_those_that_it_names() -> None:
    assert tuple(one.name for one in state_tracking().shown) == SHOWN


@pytest.mark.slow  # half a minute
def test_every_verdict_on_a_group_is_that_of_decide() -> None:
    assert [asdict(one) for one in state_tracking().groups] == [
        {**one, "derived": tuple(one["derived"]), "built": tuple(one["built"])} for one in tracked_groups()
    ]


def test_groups_are_counted_as_the_benchmark_says() -> None:
    """86 transitive groups of 2 to 8 points, and 94 with a name, of which 72 are solvable; none is tracked inside the barrier."""
    groups = state_tracking().groups
    numbered = [one for one in groups if "T" in one.name]
    assert (len(numbered), len(groups)) == (86, 180)
    assert sum(one.solvable for one in groups) - sum(one.solvable for one in numbered) == 72
    assert {one.monotone for one in groups} == {"impossible at all lengths"}


def test_a_table_that_the_checker_refuses_gives_no_record(tmp_path: Path) -> None:
    (tmp_path / "table.jsonl").write_text("{}\n")
    with pytest.raises(BadInput, match="line 1"):
        counted_in(tmp_path / "table.jsonl")
