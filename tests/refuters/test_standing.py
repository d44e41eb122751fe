"""A model beside its peers: like with like, a place as a range, no task on which everybody guesses."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from separatrix.models.cost_formulas import SIZED
from separatrix.refuters import standing
from separatrix.refuters.standing import interval, main, peer_rows, standing_of
from separatrix.refuters.suite import BUDGETS, LAYERS, SUITE, WIDTH, usual_sizes

TESTS = 1000


def report(model: str, *tasks: tuple[float, ...], layers: int | None = 2, width: int | None = 64) -> dict[str, Any]:
    """A model whose accuracies on each task, one for each seed, are these; chance is a half."""
    rows = [
        {"task": f"t{i}", "length": 4, "accuracies": list(shares), "chance": 0.5, "parameters": 100 + i, "state_bits": 10 * i}
        for i, shares in enumerate(tasks)
    ]
    return {"model": model, "layers": layers, "width": width, "budget": {"steps": 1}, "tasks": rows}


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = [
        report("good", (1.0, 0.98, 0.99), (0.5, 0.51, 0.5), (0.9, 0.92, 0.91)),
        report("poor", (0.6, 0.62, 0.61), (0.5, 0.5, 0.49), (0.5, 0.52, 0.51)),
    ]
    monkeypatch.setattr(standing, "peer_rows", lambda scale: shipped if scale == "quick" else [])


def placed(mine: dict[str, Any], scale: str = "quick") -> dict[str, Any]:
    found = standing_of(mine["model"], scale, TESTS, mine)
    assert found is not None
    return found


@pytest.mark.usefixtures("peers")
def test_a_task_on_which_every_peer_stays_at_chance_is_not_part_of_the_rank() -> None:
    found = placed(report("mine", (0.7, 0.7, 0.7), (1.0, 1.0, 1.0), (0.7, 0.7, 0.7)))
    assert found["left_out"] == ["t1"]
    assert found["tasks"] == 2
    assert [(row["model"], round(row["score"], 6)) for row in found["rows"]] == [("good", 0.95), ("mine", 0.7), ("poor", 0.56)]


@pytest.mark.usefixtures("peers")
def test_a_place_is_a_range_as_wide_as_the_intervals_are() -> None:
    steady = placed(report("mine", (0.7, 0.7, 0.7), (0.5, 0.5, 0.5), (0.7, 0.7, 0.7)))
    assert (steady["place"], steady["places"]) == (2, (2, 2))
    shaky = placed(report("mine", (0.4, 1.0, 0.7), (0.5, 0.5, 0.5), (0.7, 0.7, 0.7)))
    assert (shaky["place"], shaky["places"]) == (2, (1, 3))
    single = placed(report("mine", (0.7,), (0.5,), (0.7,)))
    assert single["places"] == (1, 3)  # one seed tells no place from another


@pytest.mark.usefixtures("peers")
def test_a_model_of_another_shape_stands_beside_the_peers_and_has_no_place() -> None:
    shares = ((0.7, 0.7, 0.7), (0.5, 0.5, 0.5), (0.7, 0.7, 0.7))
    for layers, width, why in ((1, 64, "1 x 64"), (2, 32, "2 x 32"), (None, None, "its depth is its own")):
        found = placed(report("mine", *shares, layers=layers, width=width))
        assert (found["place"], found["places"]) == (None, None)
        assert why in found["why_no_place"]
        assert len(found["rows"]) == 3


@pytest.mark.usefixtures("peers")
def test_a_model_is_not_compared_with_itself_and_unknown_tasks_with_nothing() -> None:
    found = placed(report("good", (0.6, 0.6, 0.6), (0.5, 0.5, 0.5), (0.6, 0.6, 0.6)))
    assert sorted(row["model"] for row in found["rows"]) == ["good", "poor"]
    four = report("mine", *[(0.6,)] * 4)
    assert standing_of("mine", "quick", TESTS, four) is None  # a task that the peers were not asked about
    assert standing_of("mine", "quick", TESTS, report("mine", ())) is None  # every task was skipped
    assert standing_of("mine", "laptop", TESTS, report("mine", (0.6,))) is None
    chance = report("mine", (), (0.9, 0.9, 0.9))
    assert standing_of("mine", "quick", TESTS, chance) is None  # scored only where all peers guess


def test_the_interval_is_students() -> None:
    """Of 1, 2, 3 percent: mean 2, standard deviation 1, and 4.303 / sqrt 3 = 2.484 to either side."""
    assert interval([0.51, 0.52, 0.53]) == pytest.approx((0.52 - 0.02484, 0.52 + 0.02484), abs=1e-5)
    assert interval([0.0, 1.0, 1.0]) == (0.0, 1.0)  # within what an accuracy can be
    assert interval([0.5]) is None


def test_a_mixer_or_a_bare_name_is_sized_as_the_peers_are_and_a_configuration_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mixer:\n    def __init__(self, width): ...\ndef whole(vocabulary): ...\n")
    assert usual_sizes(f"{tmp_path}/mine.py:Mixer", {}) == {"layers": LAYERS, "width": WIDTH}
    assert usual_sizes(f"{tmp_path}/mine.py:Mixer", {"width": "16"}) == {"layers": LAYERS, "width": "16"}
    assert usual_sizes("mamba", {}) == usual_sizes("transformer", {}) == {"layers": LAYERS, "width": WIDTH}
    assert usual_sizes("mamba-1-32", {}) == usual_sizes(f"{tmp_path}/mine.py:whole", {}) == {}


def test_what_is_shipped_is_about_the_suite_as_it_is_and_about_peers_of_one_shape() -> None:
    shipped = peer_rows("quick")
    assert len(shipped) >= 4
    asked = [(item.task, item.at("quick").length) for item in SUITE]
    for each in shipped:
        assert each["model"].removesuffix("-2-64") in SIZED
        assert (each["layers"], each["width"]) == (LAYERS, WIDTH)
        assert each["budget"] == asdict(BUDGETS["quick"])  # rows of another budget would not be like with like
        assert [(row["task"], row["length"]) for row in each["tasks"]] == asked
        assert all(0 <= share <= 1 for row in each["tasks"] for share in row["accuracies"])
        assert all(row["state_bits"] > 0 and 0 < row["chance"] < 1 for row in each["tasks"])


def test_rows_to_ship_are_cut_from_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = report("x-2-64", (0.5, 0.6))
    (tmp_path / "r.json").write_text(json.dumps({**whole, "scale": "quick", "standing": None}))
    main([str(tmp_path / "r.json")])
    assert json.loads(capsys.readouterr().out) == whole
