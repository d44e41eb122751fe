"""The model itself: states, read-outs, integer vectors, what it refuses."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import Any

import pytest
import torch
from torch.profiler import ProfilerActivity, profile

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.cost_formulas import SIZED
from separatrix.models.masks import All
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.model import Model, State, Stepper
from separatrix.models.transformer import transformer


def filled(config: ModelConfig) -> Model:
    model, draw = Model(config).double(), torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randint(-8, 9, parameter.shape, generator=draw).double() / 8)
    return model


def test_a_built_layer_without_mask_answers_at_every_last_token() -> None:
    built = build("index-lookup", length=8, symbols=4)
    tokens = torch.tensor([[3, 1, 2, 0, 1, 1, 2, 3, 4 + 2]])  # s_3 = 2
    state = built.model.initial_state(1)
    for t in range(tokens.shape[1]):
        state, logits = built.model.step(state, tokens[:, t])
        assert torch.allclose(logits, built.model(tokens[:, : t + 1], at=-1))
    assert int(logits.argmax()) == 2
    assert not built.model.causal


def test_exact_formats_are_stepped_exactly() -> None:
    built = build("index-lookup", length=4, symbols=2, address="quadratic", arithmetic="fixed:24,8")
    tokens = torch.tensor([[1, 0, 1, 1, 2 + 1]])
    state = built.model.initial_state(1)
    for t in range(5):
        state, logits = built.model.step(state, tokens[:, t])
    assert torch.equal(logits, built.model(tokens, at=-1))


def test_an_unmasked_layer_below_another_has_no_state() -> None:
    model = transformer(3, 2, width=8, layers=2, causal=False)
    for ask in (lambda: model.step(model.initial_state(1), torch.tensor([0])), lambda: model.state_bits(5), lambda: model.state_numbers(5)):
        with pytest.raises(BadInput, match="layer 1 of 2 has no causal mask, so the model has no state: every token reads all others"):
            ask()


def test_an_unmasked_layer_above_a_recurrence_has_one() -> None:
    layers = (LayerConfig(LinearRnnConfig(2)), LayerConfig(AttentionConfig(1, 2, 2, mask=All())))
    model = filled(ModelConfig(EmbeddingConfig(3), layers, ReadoutConfig(2), 3, "float64"))
    tokens, state = torch.tensor([[0, 2, 1, 1]]), model.initial_state(1)
    for t in range(4):
        state, logits = model.step(state, tokens[:, t])
        assert torch.allclose(logits, model(tokens[:, : t + 1], at=-1), rtol=0, atol=1e-12)


def test_layers_without_a_mixer_or_a_feed_forward_part() -> None:
    """y = x without a mixer, z = y without a feed-forward part; a residual connection is added only to a part that is there."""
    embedding = EmbeddingConfig(3)
    for residual in (False, True):
        layers = (LayerConfig(None, FeedForwardConfig(4), residual), LayerConfig(LinearRnnConfig(2), None, residual))
        model = filled(ModelConfig(embedding, layers, ReadoutConfig(2), 3, "float64"))
        tokens = torch.tensor([[0, 2, 1, 1, 0]])
        first, second = model.each_layer()
        assert (first.mixer, second.feedforward) == (None, None)
        assert first.feedforward is not None
        assert second.mixer is not None
        x = model.embedding(tokens)
        y = first.feedforward(x) + (x if residual else 0)
        z = second.mixer(y) + (y if residual else 0)
        assert torch.equal(model(tokens), model.readout(z))
        assert torch.equal(model(tokens, at=2), model(tokens)[:, 2])
        state = model.initial_state(1)
        for t in range(5):
            state, logits = model.step(state, tokens[:, t])
            assert torch.allclose(logits, model(tokens)[:, t], rtol=0, atol=1e-12)
        assert model.state_numbers(5) == 2


def test_a_norm_stands_before_every_part_and_before_no_other() -> None:
    layers = (LayerConfig(None, FeedForwardConfig(4), norm="layer"), LayerConfig(LinearRnnConfig(2), None, norm="rms"))
    names = Model(ModelConfig(EmbeddingConfig(3), layers, ReadoutConfig(2), 3)).state_dict()
    assert {name for name in names if "before" in name or "norm" in name} == {
        "layers.0.before_feedforward.weight", "layers.0.before_feedforward.bias", "layers.1.before_mixing.weight",
    }  # fmt: skip


def test_some_rows_of_a_state_go_on_alone() -> None:
    model = transformer(5, 3, width=8, layers=2, length=9).double()
    tokens = torch.randint(0, 5, (4, 6), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        state = model.initial_state(4)
        for t in range(5):
            state, _ = model.step(state, tokens[:, t])
        _, some = model.step(state.of_rows([3, 1]), tokens[[3, 1], 5])
        assert torch.allclose(some, model(tokens, at=-1)[[3, 1]], rtol=0, atol=1e-12)
    assert isinstance(state, State)
    assert isinstance(model, Stepper)


def test_a_model_reads_integer_vectors() -> None:
    """v E and the place, by hand: E = ((1, 0), (0, 2), (3, 0)), position t adds (t, t^2) times the identity."""
    embedding = EmbeddingConfig(3, places=(PlaceConfig("quadratic", 2),), reads="vectors")
    config = ModelConfig(embedding, (LayerConfig(AttentionConfig(1, 2, 2)),), ReadoutConfig(2), 2, "float64")
    model = filled(config)
    with torch.no_grad():
        model.embedding.table.copy_(torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]]))
        model.embedding.every_place()[0].weight.copy_(torch.eye(2))  # type: ignore[union-attr]
        vectors = torch.tensor([[[1, 2, 0], [0, -1, 4]]])
        assert model.embedding(vectors).tolist() == [[[1 + 1, 4 + 1], [12 + 2, -2 + 4]]]
        state, outputs = model.initial_state(1), []
        for t in range(2):
            state, logits = model.step(state, vectors[:, t])
            outputs.append(logits)
        assert torch.allclose(torch.stack(outputs, dim=1), model(vectors), rtol=0, atol=1e-12)
    exact = Model(replace(config, arithmetic="fixed:24,4")).double()
    exact.load_state_dict(model.state_dict())
    assert torch.allclose(exact.logits(exact.numbers.enter(exact.embedding(vectors))), model.readout(model.embedding(vectors)))


def test_inputs_of_another_shape_are_refused() -> None:
    vectors = Model(ModelConfig(EmbeddingConfig(3, reads="vectors"), (LayerConfig(LinearRnnConfig(1)),), ReadoutConfig(2), 2))
    for wrong in (torch.zeros(1, 2, dtype=torch.int64), torch.zeros(1, 2, 4, dtype=torch.int64), torch.zeros(1, 2, 3)):
        with pytest.raises(BadInput, match=r"^expected integer vectors \[rows, n, 3\], found .* of shape \["):
            vectors(wrong)
    model = transformer(5, 3, width=8)
    with pytest.raises(BadInput, match=r"^expected integer tokens \[rows, n\], found int64 of shape \[3\]$"):
        model(torch.zeros(3, dtype=torch.int64))
    with pytest.raises(BadInput, match=r"^read-out positions must be one per row in 0\.\.3$"):
        model(torch.zeros(1, 4, dtype=torch.int64), at=4)
    with pytest.raises(BadInput, match="state_bits: length must not be negative, found -1"):
        model.state_bits(-1)


@pytest.mark.parametrize(
    ("kind", "settings"), [*((kind, {}) for kind in SIZED if not kind.startswith("hybrid-")), ("dss", {"gated": True})]
)
def test_a_pass_takes_no_more_memory_than_is_estimated(kind: str, settings: dict[str, Any]) -> None:
    """The estimate decides how many rows are run at once. What is taken is what torch's profiler sees allocated at a time."""
    model, rows, n = make_model(kind, vocabulary=16, targets=16, width=32, layers=2, length=300, **settings), 8, 300
    assert isinstance(model, Model)
    tokens = torch.zeros(rows, n, dtype=torch.int64)
    for at in (None, torch.full((rows,), n - 1)):
        with torch.no_grad(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
            model(tokens, at=at)
        assert seen.profiler is not None
        events: Any = seen.profiler.kineto_results  # `seen.events()` has no order of what is allocated within an operation
        changes = [event.nbytes() for event in sorted(events.events(), key=lambda one: one.start_ns()) if event.name() == "[memory]"]
        assert rows * 4 * n * 32 < max(accumulate(changes)) < rows * model.bytes_of_a_row(n, once=at is not None)


def test_a_wide_model_needs_more_bytes_a_row() -> None:
    narrow, wide = build("index-lookup", length=1000).model, build("index-lookup", length=1000, address="one-hot").model
    assert wide.bytes_of_a_row(1001, once=True) > 20 * narrow.bytes_of_a_row(1001, once=True)
    assert wide.bytes_of_a_row(1001, once=True) > 1001 * wide.config.width * 8
    assert narrow.bytes_of_a_row(1001, once=False) > narrow.bytes_of_a_row(1001, once=True)
