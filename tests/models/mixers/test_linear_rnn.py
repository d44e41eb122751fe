"""The linear recurrence: the same at every step, in parallel and token by token."""

from __future__ import annotations

import pytest
import torch

from separatrix.arithmetic import arithmetic
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnn, LinearRnnConfig, linear_rnn
from separatrix.models.model import Model


def make(number_format: str, hybrid: bool) -> Model:
    unit = LayerConfig(LinearRnnConfig(2), FeedForwardConfig(3), residual=True)
    heads = LayerConfig(AttentionConfig(1, 2, 2), FeedForwardConfig(2), residual=True)
    config = ModelConfig(EmbeddingConfig(3), (unit, heads) if hybrid else (unit, unit), ReadoutConfig(2), 3, number_format, 9)
    model, draw = Model(config).double(), torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randint(-8, 9, parameter.shape, generator=draw).double() / 16)
    return model


def test_it_computes_the_recurrence() -> None:
    unit = make("float64", hybrid=False).each_layer()[0].mixer
    assert isinstance(unit, LinearRnn)
    x = torch.randn(2, 5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    h, registers, expected = torch.zeros(2, 2, dtype=torch.float64), [], []
    for t in range(5):
        h = h @ unit.transition.T + x[:, t] @ unit.drive.T
        registers.append(h)
        expected.append(h @ unit.out.T)
    assert torch.allclose(unit(x), torch.stack(expected, dim=1))
    assert torch.allclose(unit(x, torch.tensor([4, 2])), torch.stack([expected[4][0], expected[2][1]])[:, None])
    assert torch.allclose(unit.inside(x, None)["registers"], torch.stack(registers, dim=1))


def test_its_state_does_not_grow() -> None:
    assert [make("float64", hybrid=False).state_numbers(n) for n in (1, 9, 1000)] == [4, 4, 4]  # two layers of two registers
    assert make("float64", hybrid=True).state_numbers(10) == 2 + 10 * (2 + 2)


@torch.no_grad()
def test_a_fresh_one_remembers_over_one_token_to_512() -> None:
    """Rates from e^-1 to e^(-1/512), each register on its own; drive and read-out keep the size of the stream."""
    unit = linear_rnn(width=400).build(400, arithmetic("float32"))
    with torch.no_grad():
        torch.manual_seed(0)
        unit.start(0.02, 1.0)
    rates = unit.transition.diagonal()
    assert torch.equal(unit.transition, torch.diag(rates))
    assert float(rates[0]) == pytest.approx(0.36788, abs=1e-5)  # e^-1
    assert float(rates[-1]) == pytest.approx(0.998049, abs=1e-6)  # e^(-1/512)
    assert float(unit.drive.std()) == pytest.approx(0.05, rel=0.01)
    assert float(unit.out.std()) == pytest.approx(0.05, rel=0.01)


def test_it_has_as_many_registers_as_the_stream_is_wide_unless_it_is_said() -> None:
    assert linear_rnn(width=7).state == 7
    assert linear_rnn(width=7, state=3).state == 3
