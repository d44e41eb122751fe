"""The one evaluator: padding is not seen, work is cut by bytes, and models of others are taken as they are."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from separatrix.certificates import evaluator
from separatrix.certificates.evaluator import fed_back, logits_of, parts, predictions, rows_of, scored_logits
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.masks import All, Causal
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.model import Model
from separatrix.models.transformer import transformer
from separatrix.tasks import Batch
from separatrix.tasks.equality import EqNcp, EqRandom
from separatrix.tasks.index_lookup import IndexLookup


def random_model(causal: bool, targets: int) -> Model:
    layer = LayerConfig(AttentionConfig(1, 2, 2, mask=Causal() if causal else All()), FeedForwardConfig(3))
    model, draw = Model(ModelConfig(EmbeddingConfig(4), (layer,) * 2, ReadoutConfig(targets), 4, "float64", 41)).double(), torch.Generator()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=draw.manual_seed(parameter.numel()), dtype=torch.float64))
    return model


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("task", [EqRandom(40, 3, "training"), EqNcp(40, 3, "training")])
def test_rows_of_different_lengths_are_read_as_if_alone(causal: bool, task: EqRandom | EqNcp) -> None:
    model, batch = random_model(causal, task.targets), task.sample(1, 40)
    assert len({*batch.lengths.tolist()}) > 5
    together = logits_of(model, batch)
    alone = [logits_of(model, rows_of(batch, slice(r, r + 1), int(batch.lengths[r]))) for r in range(40)]
    assert np.allclose(together, np.concatenate(alone), atol=1e-12)


def test_gradients_flow_through_rows_that_run_apart() -> None:
    model, task = random_model(False, 2), EqRandom(12, 3, "training")
    scored_logits(model, task.sample(0, 9)).square().sum().backward()  # type: ignore[no-untyped-call]
    assert all(p.grad is not None and bool(p.grad.isfinite().all()) for p in model.parameters())


def test_cutting_work_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    built = build("mqar", length=16, address="quadratic")
    batch = built.task.sample(0, 30)
    whole, predicted = logits_of(built.model, batch), predictions(built.model, batch)
    n = batch.tokens.shape[1]
    monkeypatch.setattr(evaluator, "AT_ONCE", 4 * built.model.bytes_of_a_row(n, once=False))
    assert [len(part.tokens) for part in parts(built.model, batch)] == [4] * 7 + [2]
    assert np.allclose(logits_of(built.model, batch), whole, atol=1e-12)
    assert np.array_equal(predictions(built.model, batch), predicted)
    monkeypatch.setattr(evaluator, "AT_ONCE", 1)
    assert len(list(parts(built.model, batch))) == 30  # never less than a row


def test_a_wide_model_runs_few_rows_at_a_time() -> None:
    """A row of 1000 one-hot places takes about 64 MB; 2^22 tokens at a time would take 67 GB."""
    built = build("index-lookup", length=1000, address="one-hot")
    rows = len(next(parts(built.model, built.task.sample(0, 100))).tokens)
    assert 1 <= rows <= 16


class Peer(nn.Module):
    """A model as libraries write them: what it gives is an object."""

    def __init__(self, vocabulary: int, targets: int) -> None:
        super().__init__()
        self.table = nn.Embedding(vocabulary, targets)

    def forward(self, input_ids: Tensor) -> object:
        return SimpleNamespace(logits=self.table(input_ids), past=None)


def test_a_model_that_gives_an_object_is_read_by_its_logits() -> None:
    task = IndexLookup(length=4, symbols=3)
    model, batch = Peer(task.vocabulary, task.targets), task.sample(0, 5)
    expected = model.table(torch.from_numpy(batch.tokens))[torch.from_numpy(batch.mask)]
    assert torch.equal(scored_logits(model, batch), expected)
    assert predictions(model, batch).shape == batch.tokens.shape


class Broken(nn.Module):
    def __init__(self, gives: object) -> None:
        super().__init__()
        self.gives = gives

    def forward(self, _tokens: Tensor) -> object:
        return self.gives


@pytest.mark.parametrize(
    ("gives", "message"),
    [(torch.zeros(2), r"\[2\]"), (torch.zeros(2, 5), r"\[2, 5\]"), (torch.zeros(2, 4, 3), r"\[2, 4, 3\]"), ("x", "str")],
)
def test_a_model_of_another_shape_is_refused(gives: object, message: str) -> None:
    with pytest.raises(BadInput, match=rf"^model Broken: expected logits \[b, n, targets\] for tokens \[2, 5\], found {message}$"):
        scored_logits(Broken(gives), IndexLookup(length=4).sample(0, 2))


def test_a_model_that_is_asked_once_works_there_alone() -> None:
    """Seen by its read-out: one row for each input, not one for each token."""
    model, task = transformer(4 + 6, 4, width=8, length=7), IndexLookup(length=6, symbols=4)
    shapes: list[tuple[int, ...]] = []
    model.readout.register_forward_pre_hook(lambda _, inputs: shapes.append(tuple(inputs[0].shape)))
    scored_logits(model, task.sample(0, 3))
    assert shapes == [(3, 1, 8)]


def test_predictions_are_fed_back() -> None:
    built = build("eq-ncp", length=8)
    batch = built.task.sample(0, 20)
    assert np.array_equal(fed_back(built.model, batch), predictions(built.model, batch))
    wrong = Batch(batch.tokens.copy(), batch.targets, batch.mask, batch.lengths)
    first = int(wrong.mask[0].argmax())
    wrong.tokens[:, first + 1] = (wrong.tokens[:, first + 1] + 1) % 2  # what stands there is replaced by what was said
    assert np.array_equal(fed_back(built.model, wrong), predictions(built.model, batch))
