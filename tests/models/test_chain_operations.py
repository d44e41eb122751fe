"""Operations by formula: the paper's orders with their constants, and Table 2 with and without mixing."""

from __future__ import annotations

import math

import pytest

from separatrix.errors import BadInput
from separatrix.models.chain_operations import attended_pairs, operations
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.models.masks import BlockSparse, Causal, Mask, Window
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_attention import LinearAttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.papers import statement


def config(mixer: MixerConfig, D: int) -> ModelConfig:
    """Three layers with hidden units four times the width, and 21 words: the experiments of the fourth paper."""
    return ModelConfig(EmbeddingConfig(21), (LayerConfig(mixer, FeedForwardConfig(4 * D)),) * 3, ReadoutConfig(21), D)


def heads(D: int, mask: Mask) -> AttentionConfig:
    return AttentionConfig(4, D // 4, D // 4, mask=mask)


def test_pairs_are_counted_by_brute_force() -> None:
    for mask in (Causal(), Window(7), BlockSparse(5, 1, 1), BlockSparse(4, 2, 3)):
        for L in (1, 6, 23):
            assert attended_pairs(mask, L) == sum(int(mask.visible(_index(i), L).sum()) for i in range(L))  # type: ignore[union-attr]


def _index(i: int):  # type: ignore[no-untyped-def]
    import torch

    return torch.tensor(i)


def test_table_2_with_mixing() -> None:
    """The widths that reach 90 %, at lengths 87, 221, 355, 505; the printed numbers leave the mixing out."""
    lengths = (87, 221, 355, 505)
    shown = statement("yang2024 Table 2").entries[0].holds
    for row, widths in (("standard", (64, 128, 128, 128)), ("linear", (256, 512, 512, 512)), ("sparse", (128, 256, 256, 256))):
        costs = []
        for L, D in zip(lengths, widths, strict=True):
            block = 2 ** int(math.log2(math.sqrt(L)))
            mixer = (
                LinearAttentionConfig(4, D // 4, D // 4)
                if row == "linear"
                else heads(D, Causal() if row == "standard" else BlockSparse(block, 1, 1))
            )
            costs.append(operations(config(mixer, D), L))
        assert f"{row} {', '.join(f'{cost.total / 1e9:.3f}' for cost in costs)}" in shown
        assert all(math.isclose(cost.weights - 42 * L * D, 72 * L * D * D) for cost, L, D in zip(costs, lengths, widths, strict=True))


def slope(mixer_at, L: int) -> float:  # type: ignore[no-untyped-def]
    """By which power the operations grow when the length is doubled."""
    one, two = (operations(config(*mixer_at(n)), n).total for n in (L, 2 * L))
    return math.log2(two / one)


@pytest.mark.parametrize(
    ("mixer_at", "power"),
    [  # constant width; width sqrt L, in blocks of sqrt L
        (lambda _: (heads(64, Causal()), 64), 2.0),
        (lambda L: (heads(8, BlockSparse(math.isqrt(L), 1, 1)), 8), 1.4),  # 3/2 in the limit
        (lambda L: (LinearAttentionConfig(4, math.isqrt(L) // 4, math.isqrt(L) // 4), math.isqrt(L)), 2.0),
        (lambda L: (heads(math.isqrt(L) // 4 * 4, BlockSparse(math.isqrt(L), 1, 1)), math.isqrt(L)), 2.0),
        (lambda _: (heads(64, Window(64)), 64), 1.0),
    ],
)
def test_the_orders_of_table_1_are_slopes(mixer_at, power: float) -> None:  # type: ignore[no-untyped-def]
    assert slope(mixer_at, 40_000) == pytest.approx(power, abs=0.15)


def test_a_mixer_without_a_formula_is_refused() -> None:
    with pytest.raises(BadInput, match="no formula for the mixer linear-rnn"):
        operations(config(LinearRnnConfig(3), 8), 10)
