"""The cells of a study, as trials: data that names a registered kind and a run that can be made."""

from __future__ import annotations

import pytest

from separatrix.constructions import construction
from separatrix.errors import BadInput
from separatrix.runs.spec import read_spec
from separatrix.studies import STUDIES, studies
from separatrix.studies.cell_table import cell_rows, known_hours
from separatrix.studies.cells import SCALES, study_cells
from separatrix.studies.learned import OVERNIGHT, TrainingRun, trial
from separatrix.studies.recall_learned import SWEEP
from separatrix.training.budget import Budget


def test_the_laptop_scale_of_recall_learned_is_the_sweep_behind_its_figure() -> None:
    cells = study_cells("recall-learned", "laptop")
    assert [read_spec(cell["run"]).digest for cell in cells] == [cell.spec.digest for cell in SWEEP]


def test_every_cell_of_every_study_is_a_run_that_can_be_made() -> None:
    met = 0
    for study in STUDIES:
        for scale in SCALES:
            try:
                cells = study_cells(study, scale)
            except BadInput as error:
                if "has no cells" not in str(error) and "reads the rows of" not in str(error):
                    raise
                continue
            met += 1
            for cell in cells:
                if cell["kind"] == "recover":
                    assert construction(cell["run"]["model"]).task_at(**cell["run"]["model_parameters"]).length > 0
                    continue
                assert cell["kind"] == "train"
                assert read_spec(cell["run"]).training_task().length > 0
    assert met >= 2


def test_the_smoke_scale_is_small() -> None:
    budgets = [read_spec(cell["run"]).budget for cell in study_cells("recall-learned", "smoke")]
    assert len(budgets) == 2
    assert max(budget.steps * budget.batch for budget in budgets) <= 2000


def test_the_laptop_scale_takes_about_seven_hours_of_two_cores_without_what_is_left_for_the_night() -> None:
    hours = [hours for study in studies() if study.trains and not study.results_of for hours in known_hours(study.name).values()]
    assert 10 < sum(each for each in hours if each < OVERNIGHT) < 16
    assert sum(hours) > 50


def test_unknown_studies_and_scales_are_refused() -> None:
    with pytest.raises(BadInput, match="unknown scale 'tiny': expected one of smoke, laptop, paper"):
        study_cells("recall-learned", "tiny")
    with pytest.raises(BadInput, match="unknown study 'lookups'"):
        study_cells("lookups", "smoke")
    with pytest.raises(BadInput, match="study positions-asked reads the rows of lookup-printed: sweep that one"):
        study_cells("positions-asked", "laptop")


def test_the_rest_of_a_budget_is_shown_only_where_cells_cannot_be_told_apart_without() -> None:
    runs = [TrainingRun("dyck", 4, "lstm-1-8", Budget(steps=5, batch=batch), seed) for batch, seed in ((4, 0), (8, 1), (8, 0))]
    assert [list(row) for row in cell_rows([trial(run) for run in runs[:2]])] == [["model", "task", "length", "seed", "rate", "steps"]] * 2
    assert [row["batch"] for row in cell_rows([trial(run) for run in runs])] == [4, 8, 8]
