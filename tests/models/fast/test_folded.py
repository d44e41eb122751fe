"""Attention of one query without keys or values is attention with them."""

from __future__ import annotations

import pytest
import torch

from separatrix.arithmetic import arithmetic
from separatrix.models.fast.folded import attend_folded, can_fold
from separatrix.models.masks import All, BlockSparse, Causal, Mask, Window
from separatrix.models.mixers.attention import AttentionConfig


@pytest.mark.parametrize("mask", [All(), Causal(), Window(3), BlockSparse(3, 1, 1)])
@pytest.mark.parametrize("biased", [True, False])
def test_outputs_and_gradients_are_those_of_keys_and_values(mask: Mask, biased: bool) -> None:
    heads = AttentionConfig(3, 4, 4, mask=mask, scaled=True, bias=biased).build(12, arithmetic("float64")).double()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in heads.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    x = torch.randn(4, 9, 12, generator=generator, dtype=torch.float64, requires_grad=True)
    at, push = torch.tensor([0, 8, 3, 5]), torch.randn(4, 1, 12, generator=generator, dtype=torch.float64)
    inputs = [x, *heads.parameters()]
    folded, naive = attend_folded(heads, x, at), heads.attend(x, at)
    assert torch.allclose(folded, naive, rtol=0, atol=1e-12)
    assert torch.allclose(naive, heads.attend(x, None)[torch.arange(4), at][:, None], rtol=0, atol=1e-12)
    one = torch.autograd.grad(folded, inputs, push, allow_unused=True, materialize_grads=True)
    other = torch.autograd.grad(naive, inputs, push, allow_unused=True, materialize_grads=True)
    for a, b in zip(one, other, strict=True):
        assert torch.allclose(a, b, rtol=0, atol=1e-11)


def test_only_heads_as_they_are_trained_are_folded() -> None:
    usual = AttentionConfig(2, 4, 4, scaled=True, bias=True)
    assert can_fold(usual.build(8, arithmetic("float32")))
    for other in (
        AttentionConfig(2, 4, 4),
        AttentionConfig(2, 4, 4, scaled=True, rotary=True),
        AttentionConfig(2, 4, 4, "hard", scaled=True),
    ):
        assert not can_fold(other.build(8, arithmetic("float32")))
