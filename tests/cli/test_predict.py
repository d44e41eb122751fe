"""`separatrix predict`: what it prints for built and for given models, and what it refuses in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.cli import main
from tests.tasks.languages.test_sources import THREE

SMALL = """
from tests.refuters.soft_models import soft_model

def small(vocabulary, targets, length):
    return soft_model(0, length, 1, 1, 0.01, vocabulary=vocabulary, targets=targets, extent=length)

def masked(vocabulary, targets, length):
    from separatrix.models import make_model
    return make_model("transformer", vocabulary=vocabulary, targets=targets, width=8, length=length)

def loud(vocabulary, targets, length):
    return soft_model(0, length, 1, 1, 2.0, vocabulary=vocabulary, targets=targets, extent=length)
"""


def test_built_predictors_are_certified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "c.json"
    assert main(["predict", "built", "dyck-2-next", "--length", "40", "--depth", "20", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "the optimum is 0.735622 nats" in printed
    assert "fixed:46,40, 46 bits of state" in printed
    assert "% of the prefixes of 40 symbols are deeper, and nothing is said about them" in printed
    assert main(["check", str(out)]) == 0
    assert "proven: 2DYCK, next symbol, p = 0.25, at most 20 brackets open" in capsys.readouterr().out


def test_an_automaton_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.json").write_text(json.dumps(THREE))
    assert main(["predict", "built", str(tmp_path / "s.json"), "--length", "30"]) == 0
    printed = capsys.readouterr().out
    assert "3 states, optimum" in printed
    assert "proven: a source of 3 states over 2 symbols" in printed


def test_a_model_is_measured_and_bounded_from_below(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = tmp_path / "models.py", tmp_path / "floor.json"
    code.write_text(SMALL)
    line = ["parity-next", "--length", "12", "--examples", "300"]
    assert main(["predict", f"{code}:small", *line, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "nats over 300 prefixes" in printed
    assert "proven: PARITY, next symbol, p = 0.5, N = 12, read at the last symbol: at least 0.19" in printed
    assert main(["check", str(out)]) == 0
    capsys.readouterr()
    assert main(["predict", f"{code}:masked", *line]) == 0
    assert "no lower bound: layer 1: expected softmax attention without mask, bias or rotary positions" in capsys.readouterr().out
    assert main(["predict", f"{code}:loud", *line, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["floor"] < 0.8664
    assert main(["predict", f"{code}:loud", *line, "--out", str(out)]) == 2
    assert "--out: there is no bound to certify" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["built", "parity", "--length", "9"], "parity is not a random source: expected parity-next, dyck-2-next, or a .json file"),
        (["built", "parity-next", "--length", "0"], "length N must be at least 1, found 0"),
        (["built", "parity-next", "--length", "9", "--depth", "3"], "--depth is for `predict built dyck-2-next`"),
        (["built", "dyck-2-next", "--length", "600"], "600 open brackets need numbers of 1206 bits: expected at most 1024"),
        (["built", "none.json", "--length", "9"], "cannot read a source"),
        (["nothing", "parity-next", "--length", "9"], "'nothing' is not a model"),
        (["built", "parity-next", "--length", "9", "--set", "p=2"], "p must lie between 0 and 1, found 2.0"),
    ],
)
def test_what_cannot_be_predicted_is_refused_in_one_line(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", *arguments]) == 2
    refused = capsys.readouterr().err
    assert says in refused
    assert refused.count("\n") == 1
