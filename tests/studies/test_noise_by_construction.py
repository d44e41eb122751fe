"""Noise on the weights of each construction, and training from there."""

from __future__ import annotations

import pytest

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.studies.noise_by_construction import BUDGET, CELLS, CONSTRUCTIONS, DEVIATIONS, figure, run
from separatrix.training.output_bits import recover


def test_index_lookup_stands_small_noise_and_training_lowers_its_error() -> None:
    cell = next(cell for cell in CELLS if (cell["construction"], cell["deviation"]) == ("index-lookup", 0.03))
    before, after = run(cell)
    assert (before["after"], after["after"]) == ("with noise", f"after {BUDGET.steps} steps")
    assert after["squared_error"] < before["squared_error"]
    assert after["accuracy"] == 100.0
    panels = figure([before, after])["concat"]
    assert [len(panel["data"]["values"]) for panel in panels] == [0, 2]


def test_every_construction_meets_every_deviation() -> None:
    assert len(CELLS) == len(CONSTRUCTIONS) * len(DEVIATIONS)


def test_a_task_with_several_answers_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match="expected a task that is scored at one position of each input"):
        next(recover(build("copy", length=4), 0.1, BUDGET, 0))
