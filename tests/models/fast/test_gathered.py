"""Gathered keys: the same outputs and gradients as the whole mask, for windows and block-sparse masks."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from separatrix.arithmetic import arithmetic
from separatrix.models.fast.gathered import can_gather, read_gathered
from separatrix.models.masks import BlockSparse, Causal, Mask, Window
from separatrix.models.mixers.attention import AttentionConfig, MultiHeadAttention

MASKS: list[Mask] = [
    Window(1),
    Window(3),
    Window(8),
    *(BlockSparse(B, k, c) for B, k, c in product((1, 4, 5), (1, 2), (0, 1, 3)) if c <= B),
]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("mask", MASKS, ids=str)
def test_the_outputs_and_gradients_are_those_of_the_whole_mask(mask: Mask, dtype: torch.dtype) -> None:
    generator, tolerance = torch.Generator().manual_seed(0), 1e-12 if dtype == torch.float64 else 2e-6
    for n in (1, 7, 20, 33):
        parts = [torch.randn(2, 3, n, 4, generator=generator, dtype=dtype).requires_grad_() for _ in range(3)]
        visible = mask.visible(torch.arange(n)[None, None], n)
        naive = arithmetic("float64").attend(*parts, visible, "softmax")
        read = read_gathered(*parts, mask)
        torch.testing.assert_close(read, naive, rtol=0, atol=tolerance)
        slope = torch.randn(naive.shape, generator=generator, dtype=dtype)
        ours, theirs = (torch.autograd.grad(y, parts, slope) for y in (read, naive))
        torch.testing.assert_close(ours, theirs, rtol=0, atol=8 * tolerance)


def test_it_is_used_where_it_reads_at_most_half_of_the_keys() -> None:
    def heads(mask: Mask, scaled: bool = True) -> MultiHeadAttention:
        return AttentionConfig(1, 2, 2, mask=mask, scaled=scaled).build(4, arithmetic("float32"))

    assert can_gather(heads(BlockSparse(16, 1, 1)), 400)  # 32 near keys and 25 global ones
    assert not can_gather(heads(BlockSparse(16, 1, 1)), 70)
    assert can_gather(heads(Window(8)), 32)
    assert not can_gather(heads(Window(8)), 31)
    assert not can_gather(heads(Causal()), 400)
    assert not can_gather(heads(Window(8), scaled=False), 400)  # as constructions have it: its proof speaks of the whole mask
