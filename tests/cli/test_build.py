"""`separatrix build --compare`: which weights depend on the length."""

from __future__ import annotations

import pytest

from separatrix.cli import main
from tests.cli.calling import answer, refusal


def test_weights_that_serve_both_lengths_are_called_uniform(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["build", "index-lookup", "--length", "16", "--compare", "64", "--set", "address=quadratic"]
    document = answer(capsys, *arguments)
    assert (document["uniform"], document["depends_on_length"]) == (True, {})
    assert main(arguments) == 0
    assert "from N = 16 to 64: all weights are the same" in capsys.readouterr().out


def test_the_tensors_that_follow_the_length_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Equality with quadratic addresses multiplies an average over N tokens by N; everything else stays."""
    arguments = ["build", "equality", "--length", "16", "--compare", "64", "--set", "address=quadratic"]
    document = answer(capsys, *arguments)
    assert (document["uniform"], document["depends_on_length"]) == (False, {"layers.1.feedforward.inner": "values"})
    assert main(arguments) == 0
    assert "from N = 16 to 64: these tensors change\n  layers.1.feedforward.inner: values\n" in capsys.readouterr().out


def test_without_another_length_nothing_is_said_about_uniformity(capsys: pytest.CaptureFixture[str]) -> None:
    assert not {"uniform", "depends_on_length"} & answer(capsys, "build", "index-lookup", "--length", "16").keys()


def test_two_lengths_that_are_one_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = refusal(capsys, "build", "equality", "--length", "8", "--compare", "8")
    assert line == "--compare expects another length than --length 8, found the same"
