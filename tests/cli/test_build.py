"""`separatrix build`: which weights depend on the length, and files for other engines."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from separatrix.cli import main
from tests.cli.calling import answer, refusal
from tests.runs.optional import ONNX


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


@ONNX.required
def test_a_file_for_other_engines_stands_beside_the_weights(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["build", "index-lookup", "--length", "8", "--format", "onnx", "--out", str(tmp_path / "built")]) == 0
    assert "model.onnx" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "built").iterdir()) == ["claim.json", "model.onnx", "model.safetensors"]


@ONNX.required
def test_a_format_that_other_engines_have_not_is_refused_and_nothing_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "built")
    line = refusal(capsys, "build", "index-lookup", "--length", "8", "--arithmetic", "fixed:24,10", "--format", "onnx", "--out", out)
    assert line == "--format onnx: engines that read ONNX compute in float64 or float32, not in fixed:24,10"
    assert not (tmp_path / "built").exists()
    assert "expected --out DIR" in refusal(capsys, "build", "index-lookup", "--length", "8", "--format", "onnx")
    assert "'pickle' is not one of" in refusal(capsys, "build", "index-lookup", "--length", "8", "--format", "pickle")


def test_without_the_extra_an_export_names_it_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("separatrix.models.exported")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "onnx", None)
    line = refusal(capsys, "build", "index-lookup", "--length", "8", "--format", "onnx", "--out", str(tmp_path / "built"))
    assert line == "this command needs onnx: pip install 'separatrix[onnx]'"
    assert not (tmp_path / "built").exists()


def test_training_from_built_weights_says_whether_it_stays(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["build", "copy/elman", "--length", "4", "--set", "symbols=2", "--init", "10", "--rate", "1e-4"]
    found = answer(capsys, *arguments)["init"]
    assert (found["start"], found["end"], found["stays"], found["noise"]) == (1.0, 1.0, True, 0.0)
    assert main(arguments) == 0
    said = "on cross-entropy: right on 100.0% of the inputs before, 100.0% after: gradient descent stays\n"
    assert said in capsys.readouterr().out


def test_weights_lost_in_noise_do_not_stay(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "build", "mqar/mamba2", "--length", "8", "--init", "2", "--noise", "0.5", "--rate", "1e-4", "--seed", "3")[
        "init"
    ]
    assert found["start"] < 0.9
    assert not found["stays"]


def test_settings_of_training_without_training_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = "--noise, --rate and --seed are about training from the built weights: expected --init STEPS beside them"
    assert refusal(capsys, "build", "copy/elman", "--length", "4", "--noise", "0.1") == line
    assert "must not be negative, found -0.1" in refusal(capsys, "build", "copy/elman", "--length", "4", "--init", "2", "--noise", "-0.1")
    exact = refusal(capsys, "build", "index-lookup", "--length", "4", "--arithmetic", "fixed:40,10", "--init", "2")
    assert exact == "training needs a native float, found a model in fixed:40,10"


def test_the_size_with_generated_positions_stands_beside_the_size_with_a_table_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    """From N = 16 to 1024 the first grows as a power of log N, the second as N."""
    short, long = (answer(capsys, "build", "equality", "--length", N) for N in ("16", "1024"))
    assert long["generated_bits"] < 2.5**3 * short["generated_bits"]  # (10/4)^3
    assert long["representation_bits"] > 16 * short["representation_bits"]
    assert main(["build", "equality", "--length", "16"]) == 0
    assert f"bits with generated positions   {short['generated_bits']:,}" in capsys.readouterr().out
