import pytest
import torch

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.saved import weights_bytes
from separatrix.models.transformer import transformer
from separatrix.training.budget import Budget
from separatrix.training.loop import LossRow, train
from separatrix.training.recovery import disturbed, output_bits


def test_the_code_of_a_target_is_read_off_the_unembedding() -> None:
    bits = output_bits(build("index-lookup", length=5, symbols=4).model)
    assert sorted(map(tuple, bits.code.tolist())) == [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]  # two bits, all four codes
    assert len(bits.coordinates) == 2


def test_the_error_of_built_weights_is_zero_and_stays_zero() -> None:
    built = build("index-lookup", length=10, symbols=8)
    before = weights_bytes(built.model)
    budget = Budget(steps=20, batch=16, rate=0.1, report_every=5, validate_every=20, validation=50)
    losses = [e.loss for e in train(built.model, built.task, budget, 0, objective=output_bits(built.model)) if isinstance(e, LossRow)]
    assert losses == [0.0] * 4
    assert weights_bytes(built.model) == before


def test_a_gradient_flows_once_the_bits_are_off() -> None:
    built = build("index-lookup", length=6, symbols=4)
    noisy = disturbed(built.model, 0.2, seed=0)
    error = output_bits(built.model)(noisy, built.task.sample(0, 32))
    error.backward()  # type: ignore[no-untyped-call]
    slopes = [p.grad for p in noisy.parameters() if p.grad is not None]
    assert float(error.detach()) > 0
    assert any(bool((slope != 0).any()) for slope in slopes)
    assert torch.isfinite(torch.cat([slope.flatten() for slope in slopes])).all()


def test_what_has_no_output_bits_is_refused() -> None:
    with pytest.raises(BadInput, match="the model does not decode bits"):
        output_bits(transformer(5, 3, width=8))
    bits = output_bits(build("copy", length=4).model)
    with pytest.raises(BadInput, match="expected a task that is scored at one position of each input"):
        bits(build("copy", length=4).model, build("copy", length=4).task.sample(0, 4))
