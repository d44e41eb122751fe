"""The first hour of someone with a model or a mixer of their own, on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from separatrix.cli import main
from tests.cli.calling import answer

MINE = """
from types import SimpleNamespace

import torch
from torch import nn

class TinyLM(nn.Module):
    def __init__(self, vocabulary, targets):
        super().__init__()
        self.table = nn.Embedding(vocabulary, targets)

    def forward(self, tokens):
        return SimpleNamespace(logits=self.table(tokens))

class Peer(nn.Module):
    def __init__(self, vocab_size, num_classes):
        super().__init__()
        self.table = nn.Embedding(vocab_size, num_classes)

    def forward(self, input_ids):
        return self.table(input_ids)

class Flat(TinyLM):
    def forward(self, tokens):
        return self.table(tokens)[:, 0]

class FromConfig(nn.Module):
    def __init__(self, vocabulary, config):
        super().__init__()

class Mix(nn.Module):
    def __init__(self, dim, key=2):
        super().__init__()
        self.key, self.weight = key, nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.weight * torch.cat([torch.zeros_like(x[:, : self.key]), x], dim=1)[:, : x.shape[1]]

class Breaks(TinyLM):
    def forward(self, tokens):
        return self.table(tokens + 1000)

class Broken(nn.Module):
    def forward(self, x):
        return x @ x

class Ahead(nn.Module):
    def forward(self, x):
        return x + x.mean(dim=1, keepdim=True)

def odd(word):
    return word.count("1") % 2
"""
QUICK = ["--steps", "3", "--batch", "4", "--set", "budget.validation=5", "--set", "budget.test=5"]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def train(capsys: pytest.CaptureFixture[str], model: str, *more: str, task: tuple[str, ...] = ("index-lookup",)) -> dict[str, Any]:
    return answer(capsys, "train", *task, "--length", "5", "--model", model, *QUICK, *more)


@pytest.mark.parametrize("name", ["TinyLM", "Peer", "Mix"])
def test_models_and_mixers_are_taken_as_they_are(capsys: pytest.CaptureFixture[str], mine: Path, name: str) -> None:
    """Parameters without a type, other names for the sizes, and outputs that are objects."""
    assert train(capsys, f"{mine}:{name}")["rows"][-1]["kind"] == "test"


def test_one_seed_is_one_run(capsys: pytest.CaptureFixture[str], mine: Path) -> None:
    one, same, other = (train(capsys, f"{mine}:TinyLM", "--seed", seed)["rows"] for seed in ("3", "3", "4"))
    assert one == same
    assert one != other


def test_a_mixers_own_arguments_are_set(capsys: pytest.CaptureFixture[str], mine: Path) -> None:
    trained = train(capsys, f"{mine}:Mix", "--set", "model.key=1", "--set", "model.layers=2")
    assert trained["run"]["model_parameters"] == {"key": "1", "layers": "2"}


def test_a_run_is_evaluated_from_any_folder(
    capsys: pytest.CaptureFixture[str], mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    train(capsys, "mine.py:Mix", "--out", "run")
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path / "away")
    for code in ("../mine.py", "../mine.py:Mix", str(mine)):
        assert answer(capsys, "evaluate", "../run", "--code", code, "--examples", "5")["scores"][0]["length"] == 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["index-lookup", "--model", "HERE:Ahead"], "mixer Ahead is not causal: its output at token 1 changes with the tokens after it"),
        (["index-lookup", "--model", "HERE:Flat"], "model Flat: expected logits [b, n, targets] for tokens [1, 6], found [1, 64]"),
        (["index-lookup", "--model", "HERE:Breaks"], "model Breaks fails on tokens [1, 6]: IndexError: index out of range in self"),
        (["index-lookup", "--model", "HERE:Broken"], "mixer Broken fails: RuntimeError: "),
        (["index-lookup", "--model", "HERE:FromConfig"], "HERE:FromConfig needs config, which no task determines"),
        (
            ["index-lookup", "--model", "HERE:Mix", "--set", "model.kye=2"],
            "expected one of vocabulary, targets, width, layers, length, positions, feedforward, dropout, deviation, seed, key; "
            "did you mean 'key'?",
        ),
        (["index-lookup", "--model", "HERE:Nothing"], "no 'Nothing' in"),
        (["index-lookup", "--model", "stack", "--set", "model.mixers=gru,lstn"], "unknown mixer 'lstn'; did you mean 'lstm'?"),
        (["index-lookup", "--model", "hybrid-lstn-2-16+1"], "unknown mixer 'lstn'; did you mean 'lstm'?"),
        (["index-lookup", "--model", "lstm-1-8", "--set", "model.window=4"], "model lstm-1-8 has no parameter 'window'"),
        (["index-lookup", "--model", "window-1-8", "--set", "model.window=0"], "mask window: size must be at least 1"),
        (["index-lookup", "--model", "register-file"], "register-file cannot be trained"),
    ],
)
def test_what_cannot_be_is_one_line_and_code_2(
    capsys: pytest.CaptureFixture[str], mine: Path, tmp_path: Path, arguments: list[str], says: str
) -> None:
    command = [argument.replace("HERE", str(mine)) for argument in arguments]
    assert main(["train", *command, "--length", "5", *QUICK, "--out", str(tmp_path / "run")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.strip().splitlines()) == 1
    assert says.replace("HERE", str(mine)) in printed.err
    assert not (tmp_path / "run").exists()


def test_a_run_does_not_bring_its_code_along(
    capsys: pytest.CaptureFixture[str], mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    task = ("function", "--set", "function=mine.py:odd")
    train(capsys, "gru-1-4", "--out", "run", task=task)
    assert main(["evaluate", "run", "--examples", "5"]) == 2
    assert "this file needs to run the code mine.py:odd: pass --code" in capsys.readouterr().err
    assert answer(capsys, "evaluate", "run", "--code", "mine.py", "--examples", "5", "--length", "6")["scores"][0]["length"] == 6
    mine.write_text(MINE + "\n# another day\n")
    assert main(["evaluate", "run", "--code", "mine.py", "--examples", "5"]) == 2
    assert "mine.py is not the code that was used" in capsys.readouterr().err


def test_who_asks_sees_where_their_own_code_failed(capsys: pytest.CaptureFixture[str], mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEPARATRIX_TRACEBACK", "1")
    assert main(["train", "index-lookup", "--length", "5", "--model", f"{mine}:Breaks", *QUICK]) == 2
    printed = capsys.readouterr().err
    assert "return self.table(tokens + 1000)" in printed
    assert printed.splitlines()[-1].startswith("separatrix: model Breaks fails")


def test_a_model_that_is_made_for_the_evaluation_fits_its_longest_input(capsys: pytest.CaptureFixture[str], mine: Path) -> None:
    arguments = ("evaluate", f"{mine}:TinyLM", "index-lookup", "--length", "5", "--length", "9", "--examples", "40")
    assert [(row["length"], row["refused"]) for row in answer(capsys, *arguments)["scores"]] == [(5, None), (9, None)]
