"""The linear unit: a recurrence that is the same at every step, in parallel and token by token."""

from __future__ import annotations

import pytest
import torch

from separatrix.models.embedding import EmbeddingConfig
from separatrix.models.saved import describe, restore, weights_bytes
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig


def made(arithmetic: str, hybrid: bool) -> Transformer:
    unit, heads = LayerConfig(0, 0, 0, 3, state=2), LayerConfig(1, 2, 2, 2)
    config = TransformerConfig(
        embedding=EmbeddingConfig(plain=3),
        targets=2,
        width=3,
        layers=(unit, heads) if hybrid else (unit, unit),
        causal=hybrid,
        residual=True,
        arithmetic=arithmetic,
        length=9,
    )
    model = Transformer(config).double()
    draw = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randint(-8, 9, parameter.shape, generator=draw).double() / 16)
    return model


def test_it_computes_the_recurrence() -> None:
    model = made("float64", hybrid=False)
    unit = model.stack()[0].unit
    assert unit is not None
    x = torch.randn(2, 5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    h, expected = torch.zeros(2, 2, dtype=torch.float64), []
    for t in range(5):
        h = h @ unit.transition.T + x[:, t] @ unit.drive.T
        expected.append(h @ unit.out.T)
    assert torch.allclose(unit(x), torch.stack(expected, dim=1))
    assert torch.allclose(unit(x, torch.tensor([4, 2])), torch.stack([expected[4][0], expected[2][1]])[:, None])


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:12,6", "nearest:21", "float:5,8"])
@pytest.mark.parametrize("hybrid", [False, True])
def test_token_by_token_it_says_the_same(arithmetic: str, hybrid: bool) -> None:
    model = made(arithmetic, hybrid)
    tokens = torch.randint(0, 3, (4, 9), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        parallel, state = model(tokens), model.initial_state(4)
        for t in range(9):
            state, logits = model.step(state, tokens[:, t])
            assert torch.allclose(logits, parallel[:, t], atol=1e-12 if arithmetic == "float64" else 0)


def test_its_state_does_not_grow() -> None:
    model = made("float64", hybrid=False)
    assert [model.state_numbers(n) for n in (1, 9, 1000)] == [4, 4, 4]  # two layers of two registers; no mask is needed
    assert made("float64", hybrid=True).state_numbers(10) == 2 + 10 * (2 + 2)


def test_it_can_be_stored_and_restored() -> None:
    model = made("float64", hybrid=True)
    again = restore(describe(model), weights_bytes(model))
    tokens = torch.tensor([[0, 1, 2, 2]])
    assert torch.equal(again(tokens), model(tokens))
    assert not any(name.startswith("layers.0.attention") for name in model.state_dict())
