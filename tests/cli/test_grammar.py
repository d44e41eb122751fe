"""MODEL TASK everywhere; the older order is understood; a model may be a name."""

from __future__ import annotations

import pytest

from separatrix.cli import main
from separatrix.cli.grammar import model_and_task
from tests.cli.calling import answer, refusal


def test_either_order_is_understood() -> None:
    assert model_and_task("tf-1-8", "parity") == model_and_task("parity", "tf-1-8") == ("tf-1-8", "parity")
    assert model_and_task("mine.py:Model", "mine.py:Task") == ("mine.py:Model", "mine.py:Task")


def test_a_model_by_name_is_attacked_with_fresh_weights_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attack", "elman-1-8", "parity", "--length", "4"]) == 1
    shown = capsys.readouterr().out
    assert "FAILS" in shown
    assert "label 1: the word is in the language, 0: it is not (PARITY: say whether the number of 1s is even)" in shown
    assert "elman-1-8 is untrained: its weights are fresh, from seed 0" in shown
    assert answer(capsys, "attack", "parity", "elman-1-8", "--length", "4", code=1)["position"] == 5
    assert "'nothing-1-8' is not a model" in refusal(capsys, "attack", "nothing-1-8", "parity", "--length", "4")


def test_train_takes_a_model_and_a_task(capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--length", "4", "--steps", "2", "--set", "budget.test=8", "--set", "budget.validation=8")
    new, old, swapped = (
        answer(capsys, "train", *words, *few)["digest"]
        for words in (("elman-1-8", "parity"), ("parity", "--model", "elman-1-8"), ("parity", "elman-1-8"))
    )
    assert new == old == swapped
    for words in (("parity",), ("elman-1-8", "parity", "--model", "elman-1-8"), ("a", "b", "c")):
        assert "train expects MODEL TASK" in refusal(capsys, "train", *words, "--length", "4")
