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
from separatrix.refuters.beside_accuracy import chance, looks_ahead
from separatrix.refuters.probe import SUITE, probe
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


MIXER = """
import torch
from torch import nn

class Last(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.out = nn.Linear(width, width)

    def forward(self, x):
        return self.out(torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1))
"""


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
    report = probe("lstm-1-8", seeds=1)
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
    honest, ahead = probe(written(tmp_path, both=False), seeds=1), probe(written(tmp_path, both=True), seeds=1)
    assert honest["causal"] is True
    assert all(row["skipped"] is None for row in honest["tasks"])
    assert ahead["causal"] is False
    assert ahead["standing"] is None
    assert honest["layers"] is None  # a whole model has a depth of its own, so it stands beside the peers and has no place among them
    assert honest["standing"]["place"] is None
    rows = rows_of(ahead)
    for task in ("copy", "arithmetic"):  # a reader of later tokens copies the answers of a row that holds them
        assert "not causal: token" in rows[task]["skipped"]
        assert rows[task]["accuracy"] is None
    assert rows["parity"]["accuracy"] is not None
    assert rows["parity"]["state_bits"] is None


@pytest.mark.usefixtures("tiny")
def test_a_mixer_is_trained_in_as_many_layers_as_its_peers_and_its_state_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "mixer.py").write_text(MIXER)
    report = probe(f"{tmp_path / 'mixer.py'}:Last", seeds=2)
    assert (report["layers"], report["width"]) == (2, 64)
    assert report["standing"]["place"] is not None
    for peer in report["standing"]["rows"]:
        assert (peer["layers"], peer["width"]) == (2, 64)
    for row in report["tasks"]:
        assert row["state_bits"] is None  # it has no step, so nobody knows
        assert len(row["accuracies"]) == 2
    parity = rows_of(report)["parity"]
    block = 2 * 64 + (64 * 64 + 64) + 2 * 64 + (64 * 256 + 256) + (256 * 64 + 64)  # norm, mixer, norm, feed-forward part; no positions
    assert parity["parameters"] == 3 * 64 + 2 * block + 2 * 64 + (64 * 2 + 2)
    other = probe(f"{tmp_path / 'mixer.py'}:Last", chosen={"layers": "1"}, seeds=1)
    assert other["layers"] == 1
    assert "1 x 64" in other["standing"]["why_no_place"]
    assert all(row["interval"] is None for row in other["tasks"])


@pytest.mark.usefixtures("tiny")
def test_a_training_that_diverges_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    hot = replace(suite.BUDGETS["quick"], rate=1e30, clip=0.0)
    monkeypatch.setattr(suite, "BUDGETS", {"quick": hot})
    report = probe("elman-1-8", seeds=1)
    assert all(row["diverged"] == [0] for row in report["tasks"])


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
    report = probe(str(tmp_path), seeds=1)
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
