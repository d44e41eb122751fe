"""Reading a place: by linear attention, by block-sparse attention, by two digits; and how the printed forms fail."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.constructions import build, construction
from separatrix.constructions.yang2024.payloads import square_blocks
from separatrix.models.masks import BlockSparse
from tests.constructions.yang2024.test_dynamic_programs import wrong


def aggregated(m: int, mu: float, rng: np.random.Generator, M: float) -> tuple[float, float]:
    """The largest error of AGG over m blocks, and the printed weight of a token of the same block against the true one."""
    L = m * m
    block, target, values = np.arange(L) % m, rng.integers(m, size=40), rng.uniform(-M, M, L)
    phi = lambda u: torch.nn.functional.elu(torch.tensor(u)).numpy() + 1  # noqa: E731
    key, query = phi(mu * (np.eye(m)[block] - 1)), phi(mu * (np.eye(m)[target] - 1))
    weights = query @ key.T
    read = weights @ values / weights.sum(axis=1)
    means = np.array([values[block == b].mean() for b in range(m)])
    return float(np.abs(read - means[target]).max()), float(weights.max())


@pytest.mark.parametrize("m", [4, 8, 16])
@pytest.mark.parametrize("eps", [1e-1, 1e-3, 1e-6])
def test_linear_attention_averages_a_block_up_to_epsilon_at_the_lemmas_scale(m: int, eps: float) -> None:
    M = 10.0
    off, largest = aggregated(m, math.log(2 * M * m**3 / eps), np.random.default_rng(m), M)
    assert off <= eps
    mu = math.log(2 * M * m**3 / eps)
    assert largest == pytest.approx(1 + (m - 1) * math.exp(-2 * mu), rel=1e-9)  # the paper prints e^-mu


def test_a_scale_too_small_mixes_the_blocks() -> None:
    off, _ = aggregated(12, 3.0, np.random.default_rng(0), 10.0)
    assert off > 0.1


@cache
def sparse_reader(n: int, B: int, local: int, far: int) -> Built:
    return build("reverse-sum/sparse", length=n, symbols=4, block=B, local=local, far=far)


@pytest.mark.parametrize(("n", "B"), [(14, 5), (47, 10), (60, 17)])
@pytest.mark.parametrize(("local", "far"), [(1, 1), (2, 1), (3, 2)])
def test_block_sparse_reads_are_exact_for_any_blocks(n: int, B: int, local: int, far: int) -> None:
    assert wrong(sparse_reader(n, B, local, far), rows=2) == 0


def test_uniform_attention_over_the_last_block_as_printed_reads_other_blocks() -> None:
    """Lemma A.12, layer 2: the visible set also holds global tokens, and early tokens have fewer than B before them."""
    B, n = 5, 30
    mask, x = BlockSparse(B, 1, 1), np.random.default_rng(0).uniform(-1, 1, n)
    mistaken = 0
    for i in range(n):
        seen = mask.visible(torch.tensor(i), n).numpy()
        own = [j for j in range(n) if j <= i and j // B == i // B]
        mistaken += not math.isclose(x[seen].mean() * B, x[own].sum(), abs_tol=1e-9)
    assert mistaken / n >= 0.8


def test_blocks_cover_every_position_once() -> None:
    for L in (2, 9, 10, 50):
        blocks = square_blocks(L)
        places = {(blocks.block(i), blocks.slot(i)) for i in range(1, L + 1)}
        assert len(places) == L
        assert math.ceil(math.sqrt(L)) == blocks.W
        assert max(b for b, _ in places) == blocks.count


def test_two_digits_reach_where_squares_do_not() -> None:
    """Squares of positions end at 16 in bfloat16 and at 4096 in float32; two digits reach 64, and further than anything is built."""
    sizes = construction("reverse-sum/standard").sizes
    digits = {"positions": "two-digit"}
    for arithmetic, longest, reaches in (("bfloat16", 7, 31), ("float16", 15, 255), ("float32", 2047, 16_000)):
        for settings, n in (({}, longest), (digits, reaches)):
            assert sizes({"length": n, "symbols": 2}, settings, arithmetic) is not None, (arithmetic, settings)
        assert sizes({"length": longest + 9, "symbols": 2}, {}, arithmetic) is None
    for arithmetic, n in (("bfloat16", 31), ("float32", 300), ("fixed:40,14", 20)):
        assert wrong(build("reverse-sum/standard", length=n, symbols=2, arithmetic=arithmetic, positions="two-digit"), rows=2) == 0
