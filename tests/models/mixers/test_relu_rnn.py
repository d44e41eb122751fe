"""The recurrence through ReLUs: by its definition, from its stored first state, in floats and exact formats."""

from __future__ import annotations

import torch

from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.mixers.relu_rnn import ReluRnn, ReluRnnConfig, relu_rnn
from separatrix.models.model import Model


def make(number_format: str) -> Model:
    config = ModelConfig(EmbeddingConfig(3), (LayerConfig(ReluRnnConfig(2, 5)),), ReadoutConfig(2), 3, number_format, 9)
    model, draw = Model(config).double(), torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randint(-8, 9, parameter.shape, generator=draw).double() / 16)
    return model


def test_it_computes_the_recurrence_from_its_first_state() -> None:
    unit = make("float64").each_layer()[0].mixer
    assert isinstance(unit, ReluRnn)
    x = torch.randn(2, 5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    h, states, expected = unit.initial.expand(2, -1), [], []
    assert unit.initial.abs().min() > 0
    for t in range(5):
        h = (h @ unit.transition.T + x[:, t] @ unit.drive.T + unit.bias).clamp(min=0) @ unit.back.T
        states.append(h)
        expected.append(h @ unit.out.T)
    assert torch.allclose(unit(x), torch.stack(expected, dim=1))
    assert torch.allclose(unit.inside(x, None)["registers"], torch.stack(states, dim=1))


def test_its_hidden_units_are_not_part_of_its_state() -> None:
    assert [make("float64").state_numbers(n) for n in (1, 9, 1000)] == [2, 2, 2]


def test_a_fresh_one_keeps_most_of_its_state() -> None:
    """Pairs of units relu(h) and relu(-h): without input every register decays by one factor, whatever its sign."""
    for hidden in (8, 16):
        unit = relu_rnn(width=4, hidden=hidden).build(4, make("float64").numbers)
        with torch.no_grad():
            unit.start(0.02, 1.0)
        h = torch.tensor([[1.0, -2.0, 0.5, 0.0]])
        (after,), _ = unit.following((h,), torch.zeros(1, 4))
        assert torch.allclose(after, 0.95 * h)


def test_sizes_default_to_two_units_a_number() -> None:
    assert (relu_rnn(width=7).state, relu_rnn(width=7).hidden, relu_rnn(width=7, state=3).hidden) == (7, 14, 6)
