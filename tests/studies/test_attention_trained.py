"""Attention learned in place of softmax: what anneals is judged as hard attention."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from separatrix.studies import attention_trained
from separatrix.studies.attention_trained import CELLS, WAYS, figure, run
from separatrix.training import evaluation


def test_annealed_attention_is_judged_as_hard_attention_after_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention_trained, "BUDGET", replace(attention_trained.BUDGET, steps=8, validate_every=8, validation=10))
    judged, original = list[str](), evaluation.evaluate

    def evaluated(model: Any, task: Any, examples: int, seed: int) -> Any:
        if examples != attention_trained.BUDGET.validation:
            judged.append(getattr(model.each_layer()[0].mixer, "way", "softmax"))
        return original(model, task, examples, seed)

    monkeypatch.setattr(evaluation, "evaluate", evaluated)
    rows = [row for cell in CELLS if cell["task"] == "Index lookup" for row in run(cell)]
    assert [row["attention"] for row in rows] == list(WAYS)
    assert judged == ["softmax", "top-2", "hard", "hard", "linear"]
    assert all(0 <= row["accuracy"] <= 100 for row in rows)
    panel = figure(rows)["concat"][0]
    assert panel["encoding"]["y"]["sort"] == list(WAYS)


@pytest.mark.slow
def test_what_has_a_gradient_is_learned_and_hard_attention_is_not() -> None:
    shares = {row["attention"]: row["accuracy"] for cell in CELLS if cell["task"] == "Index lookup" for row in run(cell)}
    assert min(shares[way] for way in ("softmax", "top-2", "annealed, then hard")) > 95
    assert shares["hard"] < 40
