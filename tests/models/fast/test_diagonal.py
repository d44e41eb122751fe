"""Diagonal state spaces: the convolution is the recurrence, with its gradients, on both sides of every size at which the way changes."""

from __future__ import annotations

import pytest
import torch
from sympy import primefactors
from torch import Tensor

from separatrix.models.fast.diagonal import SHORT, STRIDE, by_fft, by_product, convolved, kernel, naive, powers, read_once, smooth


def system(seed: int) -> tuple[Tensor, Tensor]:
    """log a and c of 3 channels of 5 numbers."""
    draw = torch.Generator().manual_seed(seed)
    fading, turning = torch.rand(3, 5, generator=draw, dtype=torch.float64), torch.randn(3, 5, generator=draw, dtype=torch.float64)
    c = torch.randn(3, 5, generator=draw, dtype=torch.complex128)
    return torch.complex(-0.01 - 0.3 * fading, 2 * turning).requires_grad_(), c.requires_grad_()


@pytest.mark.parametrize("n", [2, 7, STRIDE - 1, STRIDE, STRIDE + 1, 100, SHORT, SHORT + 1, 211])
def test_the_convolution_and_its_gradients_are_those_of_the_recurrence(n: int) -> None:
    log_a, c = system(n)
    u, weights = (torch.randn(2, n, 3, dtype=torch.float64) for _ in range(2))
    u.requires_grad_()
    found, due = convolved(u, log_a, c), naive(u, log_a, c)
    assert torch.allclose(found, due, rtol=1e-12, atol=1e-12)
    assert found.is_contiguous()
    mine, its = (torch.autograd.grad((y * weights).sum(), (u, log_a, c)) for y in (found, due))
    for one, other in zip(mine, its, strict=True):
        assert torch.allclose(one, other, rtol=1e-10, atol=1e-10)


def test_both_ways_to_convolve_agree_where_either_could_be_taken() -> None:
    log_a, c = system(0)
    for n in (1, 2, 64, SHORT, SHORT + 5):
        u = torch.randn(2, n, 3, dtype=torch.float64)
        K = kernel(log_a, c, n)
        assert K.shape == (3, n)
        assert torch.allclose(by_product(u, K), by_fft(u, K), rtol=1e-12, atol=1e-12)


def test_one_position_of_each_row_is_that_of_the_recurrence() -> None:
    log_a, c = system(3)
    u, at = torch.randn(4, 40, 3, dtype=torch.float64), torch.tensor([0, 5, 39, 20])
    due = naive(u, log_a, c)[torch.arange(4), at]
    assert torch.allclose(read_once(u, log_a, c, at)[:, 0], due, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13, 32])
def test_powers_by_doubling_are_exponentials(count: int) -> None:
    log_a, _ = system(1)
    steps = torch.arange(count, dtype=torch.float64)[:, None, None]
    assert torch.allclose(powers(log_a, count), (steps * log_a).exp(), rtol=1e-12, atol=1e-12)


def test_sizes_of_transforms_have_small_factors() -> None:
    for least in range(1, 900):
        size = smooth(least)
        assert least <= size <= max(2 * least, 2)
        assert size % 2 == 0
        assert set(primefactors(size)) <= {2, 3, 5}
        assert not any(set(primefactors(smaller)) <= {2, 3, 5} for smaller in range(least + least % 2, size, 2))
