"""The suite: models that are known to do a thing, or not to, and a model that reads ahead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from separatrix.constructions import build
from separatrix.refuters import probe as suite
from separatrix.refuters.probe import SUITE, chance, looks_ahead, probe
from separatrix.tasks import make_task

MODELS = """
from torch import nn

class Whole(nn.Module):
    def __init__(self, vocab_size, num_classes, width=8):
        super().__init__()
        self.embedding, self.rnn = nn.Embedding(vocab_size, width), nn.GRU(width, width, batch_first=True, bidirectional=BOTH)
        self.out = nn.Linear(width * (2 if BOTH else 1), num_classes)

    def forward(self, tokens):
        return self.out(self.rnn(self.embedding(tokens))[0])
"""


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite that takes a second: four tasks, a few steps."""
    chosen = {"index-lookup", "parity", "copy", "arithmetic"}
    monkeypatch.setattr(suite, "SUITE", tuple(item for item in SUITE if item.task in chosen))
    few = replace(suite.BUDGETS["quick"], steps=6, batch=8, warmup=0, validate_every=3, validation=10, test=60)
    monkeypatch.setattr(suite, "BUDGETS", {"quick": few})
    monkeypatch.setattr(suite, "EVALUATIONS", {"quick": 100})


def rows_of(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["task"]: row for row in report["tasks"]}


def written(folder: Path, both: bool) -> str:
    path = folder / f"mine_{both}.py"
    path.write_text(f"BOTH = {both}\n{MODELS}")
    return f"{path}:Whole"


def test_every_skill_is_in_the_suite_at_two_scales() -> None:
    assert len({item.skill for item in SUITE}) == len(SUITE) == 10
    for item in SUITE:
        assert item.at("laptop").length > item.at("quick").length


@pytest.mark.usefixtures("tiny")
def test_a_name_is_trained_on_every_task() -> None:
    report = probe("lstm-1-8")
    rows = rows_of(report)
    assert report["trained"] is True
    assert report["causal"] is True
    assert {*rows} == {"index-lookup", "parity", "copy", "arithmetic"}
    for row in rows.values():
        assert row["skipped"] is None
        assert 0 <= row["accuracy"] <= 1
        assert row["steps"] == 6
        assert row["state_bits"] == 2 * 8 * 32  # h and c, in float32, at every length
    assert rows["parity"]["needed_bits"] == 1
    assert rows["parity"]["lengths"][1]["length"] == 16
    assert rows["copy"]["retained_bits"] is not None
    assert rows["parity"]["failure"]["found"] is True  # six steps teach nobody parity
    assert rows["arithmetic"]["failure"] is None


@pytest.mark.usefixtures("tiny")
def test_a_whole_model_of_ones_own_is_trained_and_one_that_reads_ahead_is_caught(tmp_path: Path) -> None:
    honest, ahead = probe(written(tmp_path, both=False)), probe(written(tmp_path, both=True))
    assert honest["causal"] is True
    assert all(row["skipped"] is None for row in honest["tasks"])
    assert ahead["causal"] is False
    assert ahead["standing"] is None
    assert honest["standing"]["place"] >= 1
    rows = rows_of(ahead)
    for task in ("copy", "arithmetic"):  # a reader of later tokens copies the answers of a row that holds them
        assert "not causal: token" in rows[task]["skipped"]
        assert rows[task]["accuracy"] is None
    assert rows["parity"]["accuracy"] is not None
    assert rows["parity"]["state_bits"] is None


@pytest.mark.usefixtures("tiny")
def test_a_built_model_is_asked_as_it_is_about_its_own_task(tmp_path: Path) -> None:
    build("index-lookup/recurrent", length=10, symbols=8).save(tmp_path / "built")
    report = probe(str(tmp_path / "built"))
    rows = rows_of(report)
    assert report["trained"] is False
    assert rows["index-lookup"]["accuracy"] == 1.0
    assert rows["index-lookup"]["retained_bits"] == rows["index-lookup"]["needed_bits"] == 30  # ten symbols of three bits
    assert rows["index-lookup"]["failure"]["found"] is False
    assert "the model is for index-lookup" in rows["parity"]["skipped"]


@pytest.mark.usefixtures("tiny")
def test_a_hugging_face_config_without_weights_is_trained(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    transformers.GPT2Config(n_layer=1, n_embd=8, n_head=2, n_positions=64).save_pretrained(tmp_path)
    report = probe(str(tmp_path))
    row = rows_of(report)["parity"]
    assert report["trained"] is True
    assert row["state_bits"] == 2 * 8 * 32 * 9  # keys and values of nine tokens, by the formula of the config


def test_where_a_model_looks_ahead_is_said() -> None:
    class Last(nn.Module):
        """Repeats its last token everywhere."""

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            return nn.functional.one_hot(tokens[:, -1:].expand_as(tokens), 3).float()

    task = make_task("parity", length=4)
    assert looks_ahead(Last(), task) == "token 5 changes the output at token 1"


def test_chance_is_the_share_of_the_commonest_answer() -> None:
    assert 0.5 <= chance(make_task("parity", length=8), 400) < 0.56
    assert chance(make_task("copy", length=3, symbols=4), 10) == 4**-3
