"""A model among those of the zoo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from separatrix.models.zoo import ZOO
from separatrix.refuters import standing
from separatrix.refuters.probe import SUITE
from separatrix.refuters.standing import main, standing_of, zoo_rows


def rows(*accuracies: float | None) -> list[dict[str, Any]]:
    return [{"task": f"t{i}", "length": 4, "accuracy": share, "state_bits": 10 * i} for i, share in enumerate(accuracies)]


@pytest.fixture
def zoo(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = [{"model": "good", "tasks": rows(1.0, 0.8)}, {"model": "poor", "tasks": rows(0.2, 0.6)}]
    monkeypatch.setattr(standing, "zoo_rows", lambda scale: shipped if scale == "quick" else [])


@pytest.mark.usefixtures("zoo")
def test_models_stand_in_the_order_of_their_mean_accuracy_over_the_tasks_they_share() -> None:
    found = standing_of("mine", "quick", rows(0.6, 0.6))
    assert found is not None
    assert [(row["model"], round(row["score"], 6)) for row in found["rows"]] == [("good", 0.9), ("mine", 0.6), ("poor", 0.4)]
    assert (found["place"], found["tasks"]) == (2, 2)
    skipped = standing_of("mine", "quick", rows(None, 0.7))  # a task that was skipped counts for nobody
    assert skipped is not None
    assert [row["score"] for row in skipped["rows"]] == [0.8, 0.7, 0.6]


@pytest.mark.usefixtures("zoo")
def test_a_model_of_the_zoo_is_not_compared_with_itself_and_other_tasks_with_nothing() -> None:
    found = standing_of("good", "quick", rows(0.1, 0.1))
    assert found is not None
    assert [row["model"] for row in found["rows"]] == ["poor", "good"]
    assert standing_of("mine", "quick", rows(0.6, 0.6, 0.6)) is None  # a task that the zoo was not asked about
    assert standing_of("mine", "quick", rows(None)) is None
    assert standing_of("mine", "laptop", rows(0.6)) is None


def test_what_is_shipped_is_about_the_suite_as_it_is_and_about_models_of_the_zoo() -> None:
    shipped = zoo_rows("quick")
    assert len(shipped) >= 4
    asked = [(item.task, item.at("quick").length) for item in SUITE]
    for each in shipped:
        assert each["model"].removesuffix("-2-64") in ZOO
        assert [(row["task"], row["length"]) for row in each["tasks"]] == asked
        assert all(0 <= row["accuracy"] <= 1 and row["state_bits"] > 0 for row in each["tasks"])


def test_rows_to_ship_are_cut_from_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = {"model": "x-2-64", "tasks": [{**row, "chance": 0.5} for row in rows(0.5)], "standing": None}
    (tmp_path / "r.json").write_text(json.dumps(report))
    main([str(tmp_path / "r.json")])
    assert json.loads(capsys.readouterr().out) == {"model": "x-2-64", "tasks": rows(0.5)}
