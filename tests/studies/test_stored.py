"""Results of a study's cells, one by one, with a line of progress for each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from separatrix.studies import stored, study, study_rows
from separatrix.studies.stored import computed_results, shipped, shipped_results
from separatrix.studies.study import cell_digest


def test_every_cell_is_announced_before_it_is_computed() -> None:
    told: list[str] = []
    cells = ({"length": 4}, {"length": 8})
    one = replace(study("precision"), name="two-cells", cells=cells, run=lambda cell: (len(told), cell["length"]), rows=list, trains=False)
    assert study_rows(one, told.append) == [(1, 4), (2, 8)]
    assert told == ["[1/2] two-cells length=4", "[2/2] two-cells length=8"]
    assert computed_results(one) == [(2, 4), (2, 8)]  # and in silence where nobody listens


def test_results_that_are_shipped_are_not_computed() -> None:
    learned = study("next-symbol")
    told: list[str] = []
    assert len(computed_results(learned, told.append)) == len(learned.cells)
    assert told == []


def test_a_run_that_two_studies_ask_for_is_stored_once_and_found_by_both() -> None:
    wide, printed = ({cell_digest(cell["run"]) for cell in study(name).cells} for name in ("mamba-widths", "lookup-printed"))
    assert wide & printed & shipped().keys()
    found = {result["digest"] for result in shipped_results(study("mamba-widths")) if result is not None}
    assert found == wide & shipped().keys()


def test_no_result_is_shipped_twice() -> None:
    lines = [line for place in (Path(stored.__file__).parent / "data").glob("*.jsonl") for line in place.read_text().splitlines()]
    assert len(lines) == len(shipped())
