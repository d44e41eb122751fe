"""Bits at a cut: the efficient-Transformer page's figures, layer by layer, and the least width with room for so many bits."""

from __future__ import annotations

import math

import pytest

from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.masks import BlockSparse, Window
from separatrix.models.model import Model
from separatrix.models.state_at_cut import LayerCut, bits_at_cut, least_width


def made(name: str, **chosen: object) -> Model:
    model = make_model(name, **{"vocabulary": 256, "targets": 2, "length": 400, **chosen})
    assert isinstance(model, Model)
    return model


@pytest.mark.parametrize(
    ("name", "chosen", "bits"),
    [
        ("tf-3-256", {}, 250 * 8 + 2 * 250 * 256 * 16),  # 2,050,000: token ids below, D numbers for each token above
        ("lintf-3-256", {}, 3 * (256 * 256 // 4 + 256) * 16),  # 798,720
        ("retnet-3-256", {}, 1_572_864),
        ("lstm-3-256", {}, 2 * 3 * 256 * 16),  # 24,576
        ("gru-3-256", {}, 3 * 256 * 16),
        ("dss-3-256", {}, 1_572_864),
        ("mamba-3-256", {}, 466_944),
        ("window-3-256", {"window": 64}, 63 * 8 + 2 * 63 * 256 * 16),  # 516,600
        ("block-sparse-3-256", {"block": 16}, 29 * 8 + 2 * 29 * 256 * 16),  # 237,800: 15 near tokens and 14 global ones
        ("stack", {"mixers": "linear-attention,window,linear-attention", "width": 256, "window": 64}, 790_528),
    ],
)
def test_three_layers_of_width_256_after_250_tokens_of_8_bits_in_16_bit_numbers(name: str, chosen: dict[str, object], bits: int) -> None:
    assert made(name, **chosen).bits_at_cut(250, "float16") == bits


def test_what_a_token_is_worth_is_at_most_its_vector() -> None:
    """Above the first mixer a cached key and value are functions of one vector of the stream; fewer key and value numbers count less."""
    assert bits_at_cut([LayerCut(tokens=10, numbers_each=64), LayerCut(tokens=10, numbers_each=64)], 32, 16, 8) == 10 * 8 + 10 * 32 * 16
    assert bits_at_cut([LayerCut(numbers=1), LayerCut(tokens=10, numbers_each=8)], 32, 16, 8) == 16 + 10 * 8 * 16


def test_visible_tokens_follow_the_formula() -> None:
    """min(n, kB - 1) near ones and those at the ends of blocks before them, counted one by one."""
    for mask in (Window(5), BlockSparse(4, 1, 1), BlockSparse(5, 2, 2), BlockSparse(7, 1, 0)):
        for n in range(40):
            later = [j for j in range(n) if any(mask_reads(mask, i, j) for i in range(n, n + 60))]
            assert mask.carried(n) == len(later)


def mask_reads(mask: Window | BlockSparse, i: int, j: int) -> bool:
    if isinstance(mask, Window):
        return i - mask.size < j <= i
    return j <= i and (j > i - mask.local * mask.block or j % mask.block >= mask.block - mask.global_)


@pytest.mark.parametrize(("bits", "p"), [(1206, 16), (1206, 1), (50_000, 16), (10**6, 32)])
def test_the_least_width_of_linear_attention_is_that_of_its_closed_form(bits: int, p: int) -> None:
    """D >= (H/2)(sqrt(1 + 4R/H) - 1) with R = bits / (M p), for M = 3 layers and H = 4 heads; here D is a multiple of H."""
    M, H = 3, 4
    closed = H / 2 * (math.sqrt(1 + 4 * bits / (M * p) / H) - 1)

    def cut_of(D: int) -> list[LayerCut]:
        return [LayerCut(numbers=D * D // H + D)] * M

    assert least_width(cut_of, bits, p, 8, step=H) == H * math.ceil(closed / H)


def test_where_no_width_has_room_there_is_none() -> None:
    """One layer of sparse attention carries tokens alone, however wide it is."""
    assert least_width(lambda D: [LayerCut(tokens=20, numbers_each=2 * D)], 161, 16, 8) is None
    assert least_width(lambda D: [LayerCut(tokens=20, numbers_each=2 * D)], 160, 16, 8) == 1
    with pytest.raises(BadInput, match="step must be at least 1"):
        least_width(lambda _: [], 1, 1, 1, step=0)
