"""A streamed read-out is the naive one: the same numbers, with no embedding of the sequence ever made."""

from __future__ import annotations

import pytest
import torch

from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.fast.streaming import can_stream, streamed_numbers
from separatrix.models.masks import All, Causal, Window
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.model import Model
from separatrix.models.positions import BLOCK

BITS = 16


def random_model(open_gates: bool, causal: bool = False, residual: bool = False, layers: int = 1) -> Model:
    """Two heads, a sign address and a quadratic one, random weights."""
    torch.manual_seed(0)
    sign = PlaceConfig("sign", BITS, BITS)
    embedding = EmbeddingConfig(8, 3 * BLOCK, sign, (sign, PlaceConfig("quadratic", 2), PlaceConfig("sign", BITS, BITS, shift=1)), True)
    layer = LayerConfig(AttentionConfig(2, 6, 5, mask=Causal() if causal else All()), FeedForwardConfig(7), residual)
    model = Model(ModelConfig(embedding, (layer,) * layers, ReadoutConfig(8), 24, "float64")).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.3)
        model.embedding.every_place()[1].weight.mul_(1e-9)  # type: ignore[union-attr]
        if open_gates:
            model.embedding.gate[:8] = 1  # type: ignore[index]
        for place in (model.embedding.number, *model.embedding.every_place()):
            if place is not None and place.address.kind == "sign":
                place.store(torch.eye(BITS))
    return model


@pytest.mark.parametrize("open_gates", [True, False])
@pytest.mark.parametrize("number_inside", [True, False])
@pytest.mark.parametrize(("causal", "residual"), [(False, False), (True, True)])
def test_a_streamed_read_out_equals_the_naive_one(open_gates: bool, number_inside: bool, causal: bool, residual: bool) -> None:
    model, n = random_model(open_gates, causal, residual), BLOCK + 1000
    tokens = torch.randint(0, 8, (2, n), generator=torch.Generator().manual_seed(1))
    tokens[:, -1] = torch.tensor([8 + 5, 8 + BLOCK])
    if number_inside:
        tokens[0, 17] = 30
    at = torch.full((2,), n - 1)
    assert can_stream(model, tokens, at)
    with torch.no_grad():
        streamed, naive = model(tokens, at=-1), model.logits(model.hidden(tokens, at))[:, 0]
    assert torch.allclose(streamed, naive, rtol=0, atol=1e-11)
    assert float(naive.abs().max()) > 0.1


def blunt(model: Model) -> Model:
    """Heads that look at all keys about alike, so that none can be left out unseen."""
    with torch.no_grad():
        model.each_layer()[0].mixer.query *= 0.01  # type: ignore[union-attr,operator]
    return model


@pytest.mark.parametrize("p", [1, BLOCK - 1, BLOCK, BLOCK + 999])
@pytest.mark.parametrize(("where", "number"), [(0, 8), (BLOCK - 2, 8), (BLOCK - 1, 8), (BLOCK, 8), (0, 1), (BLOCK, 1)])
def test_a_number_may_stand_anywhere_and_ask_for_any_place(p: int, where: int, number: int) -> None:
    """The first place, the last one, and both sides of the border between two blocks."""
    model, n = blunt(random_model(True)), BLOCK + 1000
    tokens = torch.randint(0, 8, (2, n), generator=torch.Generator().manual_seed(2))
    tokens[:, where], tokens[:, -1] = 8 + number - 1, 8 + p - 1
    with torch.no_grad():
        streamed, naive = model(tokens, at=-1), model.logits(model.hidden(tokens, torch.full((2,), n - 1)))[:, 0]
    assert torch.allclose(streamed, naive, rtol=0, atol=1e-11)


def test_the_last_token_may_begin_a_block() -> None:
    """Position n = 2 BLOCK stands alone in a block of its own."""
    model, n = blunt(random_model(True)), 2 * BLOCK
    tokens = torch.randint(0, 8, (1, n), generator=torch.Generator().manual_seed(3))
    tokens[:, -1] = 8 + 41
    with torch.no_grad():
        streamed, naive = model(tokens, at=-1), model.logits(model.hidden(tokens, torch.tensor([n - 1])))[:, 0]
    assert torch.allclose(streamed, naive, rtol=0, atol=1e-11)


def test_the_first_token_is_read_too() -> None:
    """Blocks are aligned in the position, which counts from 1: the first one is a token short."""
    model, n = blunt(random_model(True)), BLOCK + 10
    tokens = torch.zeros(2, n, dtype=torch.int64)
    tokens[1, 0] = 5
    with torch.no_grad():
        one, other = model(tokens, at=-1)
    assert float((one - other).abs().max()) > 1e-9


def test_only_long_inputs_of_one_plain_layer_read_at_their_end_are_streamed() -> None:
    model, at = random_model(True), torch.tensor([2 * BLOCK - 1])
    long = torch.zeros(1, 2 * BLOCK, dtype=torch.int64)
    assert can_stream(model, long, at)
    assert 0 < streamed_numbers(model, 2 * BLOCK) < model.bytes_of_a_row(2 * BLOCK, once=False) / 100
    assert not can_stream(model, torch.zeros(1, 100, dtype=torch.int64), torch.tensor([99]))
    assert not can_stream(model, long, torch.tensor([7]))
    assert not can_stream(random_model(True, layers=2), long, at)
    for heads in (AttentionConfig(2, 6, 5, mask=Window(9)), AttentionConfig(2, 6, 5, "hard"), AttentionConfig(2, 6, 5, scaled=True)):
        layer = LayerConfig(heads, FeedForwardConfig(7))
        assert not can_stream(Model(ModelConfig(model.config.embedding, (layer,), ReadoutConfig(8), 24)), long, at)
