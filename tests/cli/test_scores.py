"""What stands beside good or strange numbers of a training."""

from __future__ import annotations

import math

from separatrix.cli.scores import label_lines, training_warnings
from separatrix.tasks import make_task

PARITY = make_task("parity", length=8)


def losses(*values: float) -> list[dict[str, object]]:
    return [{"kind": "training", "step": 100 * i, "loss": value} for i, value in enumerate(values, 1)]


def test_a_label_that_never_changes_is_told() -> None:
    (said,) = training_warnings(make_task("regular", length=7, language="(aa)*"), [], 0)
    assert said.startswith("every one of 64 examples has the answer 0: a model that ignores its input is right")
    assert training_warnings(PARITY, [], 0) == []
    assert training_warnings(make_task("copy", length=3, symbols=2), [], 0) == []


def test_a_training_that_diverged_is_told_even_if_its_loss_is_a_number() -> None:
    (said,) = training_warnings(PARITY, losses(0.7, 8.8e29), 0)
    assert said.startswith("the training diverged: the loss is 8.8e+29 at step 200, where guessing costs 0.693")
    assert training_warnings(PARITY, losses(8.8e29, 3 * math.log(2)), 0) == []  # it has come back


def test_what_a_label_means_is_said_of_languages_alone() -> None:
    assert label_lines(PARITY) == ["label 1: the word is in the language, 0: it is not (PARITY: say whether the number of 1s is even)"]
    assert label_lines(make_task("index-lookup", length=4)) == []
