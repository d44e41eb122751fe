"""Studies that train: a sweep that can be stopped, and rows that belong to the code that made them."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.runs.run import run
from separatrix.studies import study, study_rows
from separatrix.studies.learned import TrainingRun, cells_of, compared, learn, percentages, seen, sweep
from separatrix.studies.panel import COLOURS, OTHERS, PAPER_INK, PRINTED
from separatrix.studies.stored import shipped_results
from separatrix.training.budget import Budget

TINY = Budget(steps=4, batch=4, validate_every=2, validation=10, test=20)
CELLS = (TrainingRun("dyck", 4, "lstm-1-8", TINY), TrainingRun("dyck", 6, "tf-1-8", TINY))


def quiet(_: TrainingRun) -> Any:
    return lambda _: None


def test_a_row_holds_its_run_and_what_came_out() -> None:
    row = learn(CELLS[0])
    _, rows = run(CELLS[0].spec, None)
    assert row["run"] == CELLS[0].spec.document()
    assert row["state_bits"] == 2 * 8 * 32  # (h, c) of width 8
    assert row["parameters"] == 4 * 8 + 4 * (2 * 8 * 8 + 2 * 8) + 2 * 8 + 2  # embedding, four gates with two biases, read-out
    assert row["test"]["accuracy"] == rows[-1]["accuracy"]
    assert row["validations"] == [[r["step"], r["accuracy"]] for r in rows if r["kind"] == "validation"]
    assert [step for step, _ in row["validations"]] == [2, 4]


def test_a_sweep_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    first = next(sweep(CELLS, path, quiet))
    rest = list(sweep(CELLS, path, quiet))
    assert [row["digest"] for row in (first, *rest)] == [cell.spec.digest for cell in CELLS]
    assert list(sweep(CELLS, path, quiet)) == []
    assert [json.loads(line) for line in path.read_text().splitlines()] == [first, *rest]


def test_a_cell_that_was_not_run_is_missed() -> None:
    with pytest.raises(
        BadInput, match="study beyond-length: lstm-1-8 at N = 4 has not been run; `separatrix study beyond-length --run` trains it"
    ):
        shipped_results(replace(study("beyond-length"), cells=cells_of(CELLS[:1])))


def test_lookup_rows_have_ours_and_the_papers() -> None:
    rows = study_rows(study("lookup-printed"))
    ours = {(row["series"], row["length"]): row for row in rows if row["status"] in ("run", "printed")}
    assert [ours["LSTM-(3,256) in the paper", N]["accuracy"] for N in (20, 50, 100)] == [100.0, 49.8, 18.2]  # bhattamishra2024 Figure 2
    assert all(ours["tf-1-64, batches of 256", N]["accuracy"] > 99 for N in (20, 50))
    assert ours["gru-1-64, batches of 256", 20]["state_bits"] == 64 * 32
    assert ours["tf-1-64, longer", 20]["state_bits"] == 2 * 64 * 21 * 32  # keys and values of 21 tokens
    assert len({tuple(row) for row in rows}) == 1  # one table: the same columns everywhere


def test_what_a_shorter_sweep_of_brackets_had_stands_beside_the_longer_one() -> None:
    rows = {(row["series"], row["length"]): row for row in study_rows(study("dyck-printed")) if row["status"] == "run"}
    assert rows["tf-2-64, earlier", 100]["accuracy"] < rows["tf-2-64", 100]["accuracy"]
    assert all(rows["lstm-1-64, earlier", N]["accuracy"] > 99 for N in (50, 100))


def test_percentages_keep_the_order_of_the_rows() -> None:
    rows = [{"N": 1, "accuracy": 3.0, "of": "zebra"}, {"N": 2, "accuracy": 4.0, "of": "ant"}]
    panel = percentages(rows, "A title", ("N", "length"), "of")
    assert panel["encoding"]["color"]["scale"]["domain"] == ["zebra", "ant"]
    assert panel["encoding"]["y"]["scale"]["domain"] == [0, 100]


def named(panel: dict[str, Any]) -> list[tuple[str, str, float]]:
    """Name, colour and height of what stands at the ends of the curves."""
    (names,) = [layer for layer in panel["layer"] if layer["mark"]["type"] == "text"]
    return [(row["name"].replace("\n", " "), row["ink"], row["at"]) for row in names["data"]["values"]]


def test_every_seed_is_a_point_and_every_series_is_named_at_its_end() -> None:
    rows = [
        {"series": name, "width": width, "accuracy": share, "status": "run"}
        for name in ("lstm-1", "b")
        for width in (32, 64)
        for share in (40.0, 60.0)
    ]
    panel = seen(rows, "Two", ("width", "width"), chance=25.0)
    assert [row["accuracy"] for row in panel["data"]["values"]] == [row["accuracy"] for row in rows]
    assert [(name, ink) for name, ink, _ in named(panel)] == [("lstm-1", COLOURS["LSTM"]), ("b", OTHERS[0]), ("chance", PAPER_INK)]
    assert panel["encoding"]["color"]["legend"] is None
    heights = sorted(at for _, _, at in named(panel))
    assert all(after - before >= 100 * 12 / panel["height"] for before, after in pairwise(heights))  # a line of letters apart
    dotted = [layer["data"]["values"] for layer in panel["layer"] if layer["mark"].get("strokeDash") == [1, 3]]
    assert dotted == [[{"chance": 25.0}]]


def test_a_paper_is_grey_and_a_model_has_its_colour_whatever_stands_beside_it() -> None:
    def panel(*at: tuple[str, int]) -> dict[str, Any]:
        return compared([{"series": name, "N": N, "accuracy": 50} for name, N in at], "", ("N", "N"), (8, 16))

    both = {name: ink for name, ink, _ in named(panel(("gru-1-8", 8), ("tf-1-8", 8), (f"TF-(1,8) {PRINTED}", 16)))}
    alone = {name: ink for name, ink, _ in named(panel(("tf-1-8", 8)))}
    assert both == {"gru-1-8": COLOURS["GRU"], "tf-1-8": COLOURS["TF"], f"TF-(1,8) {PRINTED}": PAPER_INK}
    assert alone["tf-1-8"] == both["tf-1-8"]


def test_more_than_eight_series_have_a_legend() -> None:
    rows = [{"series": f"s{i}", "N": N, "accuracy": 50} for i in range(9) for N in (8, 16)]
    assert compared(rows, "", ("N", "N"), (8, 16))["encoding"]["color"]["legend"] is not None
    assert compared(rows[2:], "", ("N", "N"), (8, 16))["encoding"]["color"]["legend"] is None
