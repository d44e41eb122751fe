"""DeltaProduct: factors in their order, one token at a time and all at once; reflections keep the size of what they do not write."""

from __future__ import annotations

import pytest
import torch

from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models.mixers.deltaproduct import DeltaProduct, DeltaProductConfig, deltaproduct


def filled(config: DeltaProductConfig, width: int) -> DeltaProduct:
    mixer = config.build(width, arithmetic("float64")).double()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in mixer.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return mixer


def unit(x: torch.Tensor) -> torch.Tensor:
    return x / (x @ x + 1e-6).sqrt()


def test_each_token_multiplies_by_its_factors_in_order() -> None:
    mixer = filled(DeltaProductConfig(2, 3, 2, 3), 5)
    x = torch.randn(2, 6, 5, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    mixed, eye = mixer(x), torch.eye(3, dtype=torch.float64)
    for row in range(2):
        S = torch.zeros(2, 3, 2, dtype=torch.float64)
        for t in range(6):
            keys, values, shares = ((matrix @ x[row, t]).reshape(3, 2, -1) for matrix in (mixer.key, mixer.value, mixer.share))
            for j in range(3):
                for h in range(2):
                    k, beta = unit(keys[j, h]), 2 / (1 + torch.exp(-shares[j, h, 0]))
                    S[h] = (eye - beta * torch.outer(k, k)) @ S[h] + beta * torch.outer(k, values[j, h])
            queries = (mixer.query @ x[row, t]).reshape(2, 3)
            read = torch.stack([unit(queries[h]) @ S[h] / 3**0.5 for h in range(2)])
            normed = read / (read.square().mean(dim=1, keepdim=True) + 1e-6).sqrt() * mixer.norm.weight
            assert torch.allclose(mixed[row, t], mixer.out @ normed.flatten())


def test_token_by_token_is_all_at_once_with_gradients() -> None:
    mixer = filled(DeltaProductConfig(2, 4, 4, 2), 8)
    x = torch.randn(3, 7, 8, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    together = mixer(x)
    together.square().sum().backward()
    gradients = {name: parameter.grad.clone() for name, parameter in mixer.named_parameters()}
    mixer.zero_grad()
    state, outputs = mixer.initial_state(3), []
    for t in range(7):
        state, mixed = mixer.step(state, x[:, t], t)
        outputs.append(mixed)
    apart = torch.stack(outputs, dim=1)
    assert torch.allclose(together, apart)
    apart.square().sum().backward()
    for name, parameter in mixer.named_parameters():
        assert parameter.grad.abs().sum() > 0
        assert torch.allclose(gradients[name], parameter.grad, rtol=1e-6, atol=1e-8), name


def test_without_writes_nothing_grows() -> None:
    mixer = filled(DeltaProductConfig(1, 4, 3, 3), 6)
    with torch.no_grad():
        mixer.value.zero_()
    S = torch.randn(1, 1, 4, 3, generator=torch.Generator().manual_seed(4), dtype=torch.float64)
    for t in range(20):
        x = torch.randn(1, 6, generator=torch.Generator().manual_seed(t), dtype=torch.float64)
        (after,), _ = mixer.step((S,), x, t)
        assert after.norm() <= S.norm() * (1 + 1e-12)
        S = after


def test_heads_that_do_not_fit_are_refused() -> None:
    assert deltaproduct(8) == DeltaProductConfig(4, 2, 2, 2)
    with pytest.raises(BadInput, match="deltaproduct: width 6 is not divisible by heads 4"):
        deltaproduct(6)
