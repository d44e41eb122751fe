"""A trained model of hard attention: right on every word of the length that it was trained on, and refuted at a hundred symbols."""

from __future__ import annotations

import itertools

import pytest
import torch

from examples.hard_attention import hard_attention
from separatrix.checker import check_document, sealed
from separatrix.models.model import Model
from separatrix.refuters.restrictions import certificates, refuted
from separatrix.tasks import Task, make_task
from separatrix.training.budget import Budget
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
        (make_task("parity", length=12), make_task("parity", length=100), 0.99),
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
