"""Studies whose cells are runs by rate, width or place: what was not run says so, and every scale can be swept."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.papers import statement
from separatrix.runs.trial import make_trial
from separatrix.studies import attention_place, changes_found, positions_asked, rates, recall_learned, studies, study, wide_or_deep
from separatrix.studies.cell_table import known_hours, run_digest
from separatrix.studies.cells import study_cells
from separatrix.studies.learned import few_steps, run_row
from separatrix.studies.programs_learned import SWEEP as PROGRAMS
from separatrix.studies.stored import shipped_results
from separatrix.tasks import make_task
from separatrix.tasks.capabilities import tokens_read

SWEPT = ("dyck-printed", "equality-one", "lstm-widths", "programs-learned", "rates")
OPEN = ("attention-place", "beyond-printed", "recall-learned", "wide-or-deep")  # questions that no paper has a grid for


def result(accuracy: float, greedy: float | None = None) -> dict[str, Any]:
    test = {"step": 10, "examples": 100, "accuracy": accuracy, "greedy": greedy, "asked": []}
    return {"parameters": 5, "state_bits": 64, "seconds": 360, "validations": [[5, 0.5], [10, accuracy]], "test": test}


@pytest.mark.parametrize(
    ("name", "scale"), [*itertools.product(SWEPT, ("smoke", "laptop", "paper")), *itertools.product(OPEN, ("smoke", "laptop"))]
)
def test_every_scale_has_trials_and_no_two_are_the_same(name: str, scale: str) -> None:
    trials = [make_trial(cell) for cell in study_cells(name, scale)]
    assert len({trial.key for trial in trials}) == len(trials) > 0
    if scale == "laptop":
        assert {trial.configuration["run"]["seed"] for trial in trials} >= {0}
        assert [trial.configuration["run"] for trial in trials] == [cell["run"] for cell in study(name).cells]


@pytest.mark.parametrize("name", OPEN)
def test_an_open_question_has_no_scale_of_a_paper(name: str) -> None:
    with pytest.raises(BadInput, match=f"study {name} has no cells at scale paper"):
        study_cells(name, "paper")


@pytest.mark.parametrize("name", [*SWEPT, *OPEN])
def test_nothing_is_claimed_that_was_not_run(name: str) -> None:
    one = study(name)
    rows = one.rows([None] * len(one.cells))
    assert {row["status"] for row in rows} <= {"not run", "not run (overnight)"}
    assert all(row["accuracy"] is None for row in rows)
    assert one.figure(rows)["concat"][0]["encoding"]["text"]["value"] == "nothing has been run yet"


def test_what_is_only_partly_run_does_not_count_as_measured() -> None:
    """A figure or an experiment that a study cites says what is missing as long as one of its cells was not run."""
    met = 0
    for one in studies():
        if one.trains and one.partial and None in shipped_results(one):
            for cited in map(statement, one.cites):
                if cited.kind in ("figure", "experiment", "table"):
                    assert cited.status == "partly", (one.name, cited.key)
                    met += 1
    assert met > 5


def test_a_row_has_the_same_columns_whether_or_not_it_was_run() -> None:
    done, missing = run_row({"series": "a"}, result(0.9)), run_row({"series": "a"}, None, 0.6)
    assert set(done) == set(missing)
    assert (done["accuracy"], done["to_90"], done["core_hours"]) == (90.0, 10, 0.1)
    assert missing["status"] == "not run (overnight)"
    assert run_row({}, result(0.2, greedy=0.7))["accuracy"] == 70.0  # right answers after chains of its own count


def test_the_best_rate_of_a_model_is_the_one_whose_steps_are_drawn() -> None:
    results = [result(0.3 if run.budget.rate != 1e-3 else 0.95) for run in rates.SWEEP]
    panel = rates.figure(rates.rows(results))["concat"][1]
    assert {row["series"] for row in panel["data"]["values"]} == {f"{model}, rate 0.001" for model in rates.MODELS}
    assert [row["steps"] for row in panel["data"]["values"]][:2] == [5, 10]


def test_programs_are_trained_at_the_smallest_published_sizes() -> None:
    read = {(run.task, run.length): tokens_read(make_task(run.task, length=run.length)) for run in PROGRAMS}
    assert read == {
        ("lis-chain", 40): 83,
        ("edit-distance-chain", 6): 72,
        ("edit-distance-local-chain", 6): 159,
        ("arithmetic", 6): 86,  # 85 and the = before the expression
    }
    assert all(few_steps(run, 3).spec.fresh_model() is not None for run in PROGRAMS if run.model.endswith("-3-32"))


def test_what_one_layer_tells_grows_with_its_width_and_both_depths_are_drawn() -> None:
    results = [result(0.5)] * len(wide_or_deep.SWEEP)
    rows = wide_or_deep.rows(results)
    assert wide_or_deep.told(32, 20) == 4650  # 32 * 4 * (32 + log2 20) = 128 * 36.32 = 4649.2, rounded up
    panels = wide_or_deep.figure(rows)["concat"]
    assert len(panels) == 3
    assert {row["series"] for row in panels[0]["data"]["values"]} == {"one layer", "two layers"}


def test_every_place_of_attention_is_tried_and_its_way_is_drawn() -> None:
    rows = attention_place.rows([result(0.75)] * len(attention_place.SWEEP))
    ends = [row for row in rows if row["status"] == "run"]
    assert len(ends) == 2 * 4
    assert {tuple(row) for row in rows} == {tuple(rows[0])}  # one table: the same columns everywhere
    drawn = attention_place.figure(rows)["concat"][0]["data"]["values"]
    assert [(row["steps"], row["accuracy"]) for row in drawn[:2]] == [(5, 50.0), (10, 75.0)]
    mixers = [dict(run.model_parameters)["mixers"].split(",").index("attention") for run in attention_place.SWEEP[:3]]
    assert mixers == [0, 1, 2]


def test_seeds_are_points_and_what_was_not_run_is_counted_or_left_out_by_name() -> None:
    some = [result(0.5), result(0.9), *[None] * (len(recall_learned.SWEEP) - 2)]
    (panel,) = recall_learned.figure(recall_learned.rows(some))["concat"]
    assert [point["accuracy"] for point in panel["data"]["values"]] == [50.0, 90.0]
    assert panel["title"]["subtitle"] == "not run yet: 10 of 12"
    one = [result(0.5), *[None] * (len(wide_or_deep.SWEEP) - 1)]
    figure = wide_or_deep.figure(wide_or_deep.rows(one))
    assert [panel["title"]["text"] for panel in figure["concat"]] == ["Equality, N = 20"]
    assert figure["usermeta"]["left_out"] == ["Recall, N = 16", "Dyck-(2, 2), N = 20"]


def test_what_a_laptop_trains_in_all_studies_together_has_a_price() -> None:
    """Every cell that `sweep` runs on a laptop says how many core-hours one run takes, before it is run or after."""
    for name in [*SWEPT, *OPEN, "lookup-printed", "mamba-widths", "equality-random", "equality-copied", "trees-learned"]:
        hours = known_hours(name)
        assert all(hours.get(run_digest(cell), 0) > 0 for cell in study_cells(name, "laptop")), name


def test_places_are_counted_over_seeds_in_ten_groups() -> None:
    runs = positions_asked.FIGURE.runs()
    at = [i for i, run in enumerate(runs) if (run.model, run.length, run.budget.steps) == ("tf-1-64", 20, 20_000)]
    asked = [[place, 10, 10 if place <= 18 else 5] for place in range(1, 21)]
    results = [result(0.9) | {"test": {**result(0.9)["test"], "asked": asked}} if i in at else None for i in range(len(runs))]
    rows = positions_asked.rows(results)
    assert [row["accuracy"] for row in rows] == [100.0] * 9 + [50.0]
    assert (rows[9]["places"], rows[9]["asked"]) == ("19 to 20", 2 * 10 * len(at))
    assert [
        row["places"]
        for row in positions_asked.rows(study_results("lookup-printed"))
        if (row["length"], row["series"]) == (10, "deltanet-2-64, longer")
    ][:2] == [
        "1 to 1",
        "2 to 2",
    ]
    right = [one and one | {"test": {**one["test"], "asked": [[place, 10, 10] for place in range(1, 21)]}} for one in results]
    (whole,) = positions_asked.rows(right)
    assert (whole["group"], whole["places"], whole["asked"], whole["accuracy"]) == ("all", "1 to 20", 200 * len(at), 100.0)
    assert positions_asked.figure([])["concat"][0]["encoding"]["text"]["value"] == "nothing has been run yet"


def test_changes_are_counted_by_place_and_equal_strings_have_none() -> None:
    runs = changes_found.FIGURE.runs()
    asked = [[1, 90, 45], [10, 100, 0], [21, 1000, 990]]
    noted, unnoted = ({"test": {**result(0.5)["test"], "asked": places}} for places in (asked, [[21, 2000, 1000]]))
    results = [noted if one.length == 20 and one.model == "tf-2-64" else unnoted if one.length == 20 else None for one in runs]
    rows = changes_found.rows(results)
    assert [(row["series"], row["place"], row["changed"], row["accuracy"]) for row in rows] == [
        ("tf-2-64", 1, 90, 50.0),
        ("tf-2-64", 10, 100, 0.0),
        ("tf-2-64", "none", 1000, 99.0),
    ]
    drawn = changes_found.figure(rows)["concat"]
    assert [[row["place"] for row in panel["data"]["values"]] for panel in drawn] == [
        [1, 10, "none"]
    ]  # equal strings too: one answer to all is not what finds changes
    assert drawn[0]["encoding"]["x"]["sort"] == [*range(1, 11), "none"]
    assert changes_found.figure([])["concat"][0]["encoding"]["text"]["value"] == "nothing has been run yet"


def study_results(name: str) -> list[Any]:
    return shipped_results(study(name))
