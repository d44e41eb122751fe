"""Trained models that score well, and an input on which each fails: by a restriction for hard attention, by search for others."""

from __future__ import annotations

import itertools

import pytest
import torch

from examples.hard_attention import hard_attention
from separatrix.checker import check_document, sealed
from separatrix.models.model import Model
from separatrix.refuters.attack import attack
from separatrix.refuters.failures import replay
from separatrix.refuters.restrictions import certificates, refuted
from separatrix.runs.run import run
from separatrix.runs.spec import RunSpec
from separatrix.tasks import Task, make_task
from separatrix.training.budget import Budget
from separatrix.training.evaluation import evaluate
from separatrix.training.loop import train

BUDGET = Budget(steps=1500, batch=256, rate=2e-3, validate_every=250, validation=1000, enough=1.0)


def trained(task: Task, longest: int, seed: int = 0) -> Model:
    model = hard_attention(task.vocabulary, task.targets, longest, seed)
    for _ in train(model, task, BUDGET, seed):
        pass
    return model


@torch.no_grad()
def accuracy(model: Model, task: Task) -> float:
    """Over every word."""
    words = torch.tensor(list(itertools.product(*task.alphabets())))
    due = torch.tensor([task.answer(word) for word in words.tolist()])
    return float((model(words, at=-1).argmax(dim=-1) == due).double().mean())


@pytest.mark.parametrize(
    ("short", "long", "least"),
    [
        pytest.param(make_task("parity", length=12), make_task("parity", length=100), 0.99, marks=pytest.mark.slow),
        (make_task("dyck", length=12, types=1, depth=6), make_task("dyck", length=100, types=1, depth=50), 0.9),
    ],
    ids=["parity", "1dyck"],
)
def test_what_scores_well_at_twelve_symbols_is_refuted_at_a_hundred(short: Task, long: Task, least: float) -> None:
    model = trained(short, long.token_count)
    assert accuracy(model, short) >= least
    found = refuted(model, long)
    assert found is not None
    assert long.token_count - found.free <= 12 + 2  # a token for each head, the end or the last bracket, and what balances
    restriction, pair = certificates(model, long, found)
    for document in (restriction, pair):
        verdict = check_document(document)
        assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
    x, y = (torch.tensor([list(word)]) for word in found.completions)
    assert int(model(x, at=-1).argmax()) == int(model(y, at=-1).argmax()) == found.said
    assert long.answer(found.completions[0]) != long.answer(found.completions[1])
    if short.name == "parity":  # every bit that a head reads matters, whatever the others are
        for place in range(12):
            looser = [None if p == place else token for p, token in enumerate(found.restriction)]
            verdict = check_document(sealed({**restriction, "restriction": looser, "free": found.free + 1}))
            assert "what the model says depends on the places" in verdict.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "task", "budget"),
    [
        ("tf-1-64", make_task("index-lookup", length=50), Budget(1400, 256, 1e-3, validate_every=700, validation=2000, enough=1.0)),
        (
            "lstm-1-64",
            make_task("dyck", length=20),
            Budget(3000, 128, 3e-3, clip=1.0, validate_every=250, validation=2000, enough=1.0),
        ),
    ],
    ids=["tf-1-64 on index lookup", "lstm-1-64 on dyck"],
)
def test_what_is_right_on_two_thousand_random_inputs_fails_on_an_input_with_a_certificate(name: str, task: Task, budget: Budget) -> None:
    model, _ = run(RunSpec(task.name, {"length": task.length}, name, {}, budget), None)
    assert evaluate(model, task, 2000, 12345).accuracy == 1.0
    result = attack(model, name, task, evaluations=100_000)
    assert result.found is not None
    assert result.found.why_not == ""
    verdict = check_document(result.document())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
    said = int(model(torch.tensor([result.document()["tokens"]]))[0, -1].argmax())
    assert said == result.document()["said"] != task.answer(result.document()["tokens"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["llama", "mamba"])
def test_a_model_of_transformers_that_we_train_fails_with_a_record_that_replays(name: str) -> None:
    pytest.importorskip("transformers")
    task = make_task("dyck", length=8)
    budget = Budget(400, 64, 3e-3, clip=1.0, schedule="cosine", validate_every=100, validation=500)
    model, _ = run(RunSpec("dyck", {"length": 8}, f"examples/hugging_face.py:{name}", {}, budget), None)
    assert evaluate(model, task, 1000, 12345).accuracy > 0.9
    result = attack(model, name, task)
    assert result.found is not None
    assert result.found.why_not.startswith("the checker cannot run a ")
    record = result.document()
    assert replay(record, model) == ""
    with torch.no_grad():
        next(model.parameters()).add_(1e-3)
    assert replay(record, model) == "these are other weights"
