"""The two studies of languages: what stands beside what was measured is proven, and every row is drawn."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.certificates.verify import verify
from separatrix.constructions import build
from separatrix.studies import study, study_rows
from separatrix.studies.beyond_length import TASKS
from separatrix.studies.next_symbol import LENGTHS, SOURCES, levels_at
from separatrix.tasks import make_task
from separatrix.tasks.next_symbol import NextSymbol


@pytest.mark.parametrize(("title", "task", "N", "chosen", "bits"), TASKS, ids=[title for title, *_ in TASKS])
def test_the_machines_beside_trained_models_are_proven_at_the_longest_length(
    title: str, task: str, N: int, chosen: tuple[tuple[str, Any], ...], bits: int
) -> None:
    built = build(f"{task}/recurrent", length=4 * N, **dict(chosen))
    assert (verify(built).strength, built.sizes()["state_bits"]) == ("proven", bits), title


def test_each_task_has_a_machine_and_two_models_at_three_lengths() -> None:
    rows = study_rows(study("beyond-length"))
    assert len(rows) == 4 * 3 * 3
    assert {row["series"] for row in rows} == {"built machine", "lstm-1-64", "tf-2-64"}
    by = {(row["task"], row["series"], row["length"] // row["trained_at"]): row["accuracy"] for row in rows}
    assert all(by[title, "built machine", times] == 100 for title, *_ in TASKS for times in (1, 2, 4))
    assert by["PARITY", "lstm-1-64", 4] > 99  # one that has found the two states
    assert all(by[title, "tf-2-64", 4] < 70 for title, *_ in TASKS)  # and nothing that goes on


def test_no_measured_cross_entropy_lies_below_the_optimum_and_the_levels_are_in_order() -> None:
    rows = study_rows(study("next-symbol"))
    assert len(rows) == 2 * 5 * len(LENGTHS)
    for row in rows:
        if row["series"].endswith("trained"):
            assert row["above"] > -0.02  # twenty thousand prefixes
    for title, source, p in SOURCES:
        for n in LENGTHS:
            at = {row["series"]: row["nats"] for row in rows if (row["source"], row["length"]) == (title, n)}
            assert at["built, proven"] < at["floor of softmax attention, limit as n grows"] < at["unigram"]
            task = make_task(source, length=n, p=p)
            assert isinstance(task, NextSymbol)
            assert levels_at(source, p, n)["optimal"] == task.cross_entropies.optimal


@pytest.mark.parametrize("name", ["beyond-length", "next-symbol"])
def test_every_row_is_drawn_once(name: str) -> None:
    rows = study_rows(study(name))
    drawn = [row for panel in study(name).figure(rows)["concat"] for row in panel["data"]["values"]]
    assert drawn == rows
