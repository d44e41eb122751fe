"""Least widths with a chain: the best seed at each size, and an answer that asks for all three kinds of attention."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from separatrix.runs.spec import read_spec
from separatrix.studies.chain_widths import MODELS, PLAN, PROGRAMS, SWEEP, answer, best_of_seeds, figure, powers_of, rows


def result(accuracy: float) -> dict[str, Any]:
    return {"state_bits": 64, "seconds": 36, "validations": [[5, accuracy]], "test": {"step": 5, "accuracy": accuracy, "greedy": None}}


def learned(passes: Callable[[str, int, int], float]) -> list[dict[str, Any]]:
    """Rows in which a seed of a kind learns from a width on."""
    return rows([result(0.95 if width >= passes(kind, N, seed) else 0.5) for _, kind, N, width, seed in PLAN])


def test_the_power_is_that_of_the_best_seed() -> None:
    some = [row for row in learned(lambda _, N, seed: 0 if seed == 1 else 10 * N) if row["task"] == "Copying"]
    best = best_of_seeds(some)
    assert {row["seed"] for row in best} == {1}
    assert len(best) == sum(len(sizes) for sizes in PROGRAMS[0].widths.values())
    assert {row["width"] for row in best} == {widths[0] for sizes in PROGRAMS[0].widths.values() for widths in sizes.values()}


def test_of_seeds_with_equal_widths_the_widest_failure_is_kept() -> None:
    common = {"series": "linear", "length": 8, "width": 6}
    assert best_of_seeds([{**common, "failed_width": None}, {**common, "failed_width": 4}, {**common, "width": 8, "failed_width": 6}]) == [
        {**common, "failed_width": 4}
    ]


def test_it_holds_only_if_every_kind_has_its_own_power_and_not_the_other() -> None:
    def row(kind: str, N: int, width: int, failed: int) -> dict[str, Any]:
        return {"task": "Copying", "kind": "learned", "series": kind, "length": N, "width": width, "failed_width": failed, "status": "run"}

    flat = [row("standard", N, 8, 7) for N in (4, 16, 64)]
    roots = [row(kind, N, 4 * k, 4 * k - 1) for kind in ("linear", "sparse") for N, k in ((4, 1), (16, 2), (64, 4))]
    assert answer([*flat, *roots]).verdict == "held"
    assert "standard 0.00" in answer([*flat, *roots]).sentence
    assert "one seed" in answer([*flat, *roots]).sentence
    assert answer([*flat, *roots[:2]]).verdict == "untested"  # no sparse attention
    assert answer([*flat, *roots[:2], *(row("sparse", N, 8, 7) for N in (4, 16, 64))]).verdict == "untested"
    assert answer([*roots, *(row("standard", N, N, N - 1) for N in (4, 16, 64))]).verdict == "untested"

    assert answer([*roots, *(row("standard", N, 8, 1) for N in (4, 16, 64))]).verdict == "untested"  # an interval with both powers
    few = [one for one in (*flat, *roots) if one["length"] != 16]
    assert answer(few).verdict == "untested"  # two sizes make no line
    assert "too few sizes" in answer(few).sentence


def test_a_size_that_nothing_tried_learned_is_said() -> None:
    some = learned(lambda kind, N, _: 1000 if (kind, N) == ("sparse", 32) else 0)
    assert "nothing tried was wide enough for sparse at N = 32, which the powers leave out" in answer(some).sentence
    assert set(powers_of([row for row in some if row["task"] == "Copying"])) == set(MODELS)


def test_sparse_blocks_have_about_the_root_of_all_tokens() -> None:
    blocks = {run.length: dict(run.model_parameters)["block"] for run in SWEEP if (run.task, run.model) == ("copy", "block-sparse")}
    assert blocks == {N: round((2 * N) ** 0.5) for N in blocks}
    assert blocks[8] == 4


@pytest.mark.parametrize("kind", MODELS)
def test_models_of_all_kinds_can_be_made(kind: str) -> None:
    run = next(run for run, (_, other, *_) in zip(SWEEP, PLAN, strict=True) if other == kind)
    assert read_spec(run.spec.document()).fresh_model() is not None


def test_the_figure_has_a_panel_for_each_task_that_was_run() -> None:
    (panel,) = figure([row for row in learned(lambda *_: 0) if row["task"] == "Copying"])["concat"]
    assert len(panel["encoding"]["color"]["scale"]["domain"]) == len(MODELS)
    (nothing,) = figure(rows([None] * len(PLAN)))["concat"]
    assert nothing["encoding"]["text"]["value"] == "nothing has been run yet"
