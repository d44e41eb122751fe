"""A streamed read-out is the naive one: the same numbers, with no embedding of the sequence ever made."""

from __future__ import annotations

import pytest
import torch

from separatrix.models.embedding import EmbeddingConfig, PlaceConfig
from separatrix.models.positions import BLOCK
from separatrix.models.streaming import can_stream
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig

BITS = 16


def random_model(open_gates: bool, causal: bool = False, residual: bool = False) -> Transformer:
    """One layer, two heads, a sign address and a quadratic one, random weights."""
    torch.manual_seed(0)
    sign = PlaceConfig("sign", BITS, BITS)
    embedding = EmbeddingConfig(8, 3 * BLOCK, sign, (sign, PlaceConfig("quadratic", 2), PlaceConfig("sign", BITS, BITS, shift=1)), True)
    config = TransformerConfig(embedding, 8, 24, (LayerConfig(2, 6, 5, 7),), causal=causal, residual=residual, arithmetic="float64")
    model = Transformer(config).double()
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
        streamed, naive = model(tokens, at=-1), model.readout(model.hidden(tokens, at))[:, 0]
    assert torch.allclose(streamed, naive, rtol=0, atol=1e-11)
    assert float(naive.abs().max()) > 0.1


def test_short_inputs_and_two_layers_are_not_streamed() -> None:
    model = random_model(True)
    assert not can_stream(model, torch.zeros(1, 100, dtype=torch.int64), torch.tensor([99]))
    assert not can_stream(model, torch.zeros(1, 2 * BLOCK, dtype=torch.int64), torch.tensor([7]))  # not read at the end
