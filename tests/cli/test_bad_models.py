"""Models that cannot be, as the command line meets them: one line, exit code 2."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from separatrix.checker import sealed
from separatrix.cli import main
from tests.cli.calling import refusal

Edit = Callable[[dict[str, Any]], object]
UNCHAINED = """
from separatrix.tasks.equality import Equality

class Unchained(Equality):
    name = "unchained"

    def chain(self, tokens):
        return (0, 1)
"""


@pytest.fixture
def built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A built folder of equality."""
    assert main(["build", "equality", "--length", "4", "--out", str(tmp_path / "built")]) == 0
    capsys.readouterr()
    return tmp_path / "built"


def first_mixer(model: dict[str, Any]) -> dict[str, Any]:
    mixer: dict[str, Any] = model["layers"][0]["mixer"]
    return mixer


LSTM = {"kind": "lstm"}


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda model: first_mixer(model).update(kind="lstn"), "model.layers[0].mixer: unknown mixer 'lstn': expected one of attention"),
        (
            lambda model: first_mixer(model).update(mask={"kind": "diagonal"}),
            "mixer attention.mask: unknown mask 'diagonal': expected one of all, causal, window, block-sparse",
        ),
        (
            lambda model: first_mixer(model).update(mask={"kind": "window", "size": 0}),
            "mask window: size must be at least 1, the token itself, found 0",
        ),
        (
            lambda model: model["layers"][0].update(mixer={**LSTM, "mask": {"kind": "causal"}}),
            "model.layers[0].mixer lstm has no field 'mask': expected exactly (none)",
        ),
        (
            lambda model: (model["layers"][0].update(mixer=LSTM), model.update(arithmetic="fixed:20,8")),
            "fixed:20,8 has no exact form of an LSTM: expected a native float, such as float64",
        ),
        (
            lambda model: first_mixer(model).update(scaled=True) or model.update(arithmetic="nearest:9"),
            "nearest:9 has no exact form of scaled logits",
        ),
    ],
)
def test_a_stored_model_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str], built: Path, edit: Edit, says: str) -> None:
    claim = json.loads((built / "claim.json").read_text())
    edit(claim["program"]["model"])
    (built / "claim.json").write_text(json.dumps(claim))
    assert says in refusal(capsys, "evaluate", str(built), "equality", "--length", "4", "--examples", "5")


def test_a_stored_model_as_it_was_built_is_evaluated(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    assert main(["evaluate", str(built), "equality", "--length", "4", "--examples", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"][0]["accuracy"] == 1.0


def test_a_greedy_program_without_a_stop_token_is_refused(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    claim = json.loads((built / "claim.json").read_text())
    claim["program"]["decoder"] = {"kind": "greedy", "stop": 2, "limit": 10}  # equality has the targets 0 and 1
    (built / "claim.json").write_text(json.dumps(claim))
    said = refusal(capsys, "evaluate", str(built), "equality", "--length", "4", "--examples", "5")
    assert said == "greedy: a chain needs a stop token among the targets 0..1, found 2"


def test_a_chain_of_a_users_task_without_a_stop_token_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "unchained.py").write_text(UNCHAINED)
    said = refusal(capsys, "sample", f"{tmp_path}/unchained.py:Unchained", "--length", "4")
    assert said == "unchained: a chain needs a stop token, but the task has none"


def test_a_certificate_of_version_1_is_named_as_such(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(json.dumps(sealed({"schema": "separatrix/certificate", "version": 1, "kind": "construction"})))
    assert "a certificate of version 1 is no longer read: write it again with `separatrix verify`" in refusal(capsys, "check", str(path))
