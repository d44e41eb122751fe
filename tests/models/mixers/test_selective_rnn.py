"""The gated linear recurrence against its definition, and its two kinds of gates."""

from __future__ import annotations

import pytest
import torch

from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models.mixers.selective_rnn import SelectiveRnn, SelectiveRnnConfig, selective_rnn


def drawn(gates: str, state: int = 3, width: int = 4) -> SelectiveRnn:
    unit = SelectiveRnnConfig(state, gates).build(width, arithmetic("float64")).double()  # type: ignore[arg-type]
    draw = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in unit.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=draw, dtype=torch.float64))
    return unit


@pytest.mark.parametrize("gates", ["signed", "positive"])
@torch.no_grad()
def test_it_is_its_definition(gates: str) -> None:
    unit = drawn(gates)
    x = torch.randn(2, 6, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    h, every = unit.initial.expand(2, -1), []
    for t in range(6):
        g = x[:, t] @ unit.gate.T + unit.gate_bias
        h = (g.clamp(min=0) if gates == "positive" else g) * h + x[:, t] @ unit.drive.T + unit.drive_bias
        every.append(h)
    assert torch.allclose(unit.inside(x, None)["registers"], torch.stack(every, 1))
    assert torch.allclose(unit.mix(x), torch.stack(every, 1) @ unit.out.T)


@torch.no_grad()
def test_a_repeated_token_moves_a_positive_number_in_one_direction_and_turns_a_signed_one() -> None:
    x = torch.ones(1, 40, 4, dtype=torch.float64)
    for gates, monotone in (("positive", True), ("signed", False)):
        unit = drawn(gates)
        unit.gate.fill_(-0.2)
        unit.gate_bias.fill_(0.0 if gates == "signed" else 1.4)  # gates -0.8 and 0.6
        moved = unit.inside(x, None)["registers"][0].diff(dim=0)
        assert bool(((moved >= 0).all(dim=0) | (moved <= 0).all(dim=0)).all()) == monotone


def test_sizes_and_refusals() -> None:
    assert (selective_rnn(width=7).state, selective_rnn(width=7).gates, selective_rnn(7, 2, "positive").state) == (7, "signed", 2)
    with pytest.raises(BadInput, match="gates must be signed or positive, found 'odd'"):
        SelectiveRnnConfig(1, "odd")  # type: ignore[arg-type]
