"""Kernels that work chunk by chunk, and convolutions: the outputs and gradients of the recurrence, in float64 and in float32."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import torch
from torch import Tensor

from separatrix.models.fast import decayed, delta_rule, diagonal

EXACT = {torch.float64: 1e-11, torch.float32: 3e-5}
dtypes = pytest.mark.parametrize("dtype", list(EXACT))


def drawn(dtype: torch.dtype, *shapes: Sequence[int]) -> list[Tensor]:
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype).requires_grad_() for shape in shapes]


def alike(fast: Callable[..., Tensor], naive: Callable[..., Tensor], inputs: list[Tensor]) -> None:
    """Relative to the largest number of each."""
    y, wanted = fast(*inputs), naive(*inputs)
    slope = torch.randn(wanted.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64).to(y.dtype)
    grads = [torch.autograd.grad(each, inputs, slope, materialize_grads=True) for each in (y, wanted)]  # 0 of what one token does not use
    for ours, theirs in zip((y, *grads[0]), (wanted, *grads[1]), strict=True):
        assert float((ours - theirs).detach().abs().max()) <= EXACT[y.dtype] * float(theirs.detach().abs().max())


@dtypes
@pytest.mark.parametrize("n", [1, 5, 12, 30])
@pytest.mark.parametrize("fades", ["not at all", "by head", "by token"])
def test_decayed_attention(dtype: torch.dtype, n: int, fades: str) -> None:
    q, k, v = drawn(dtype, (2, 3, n, 4), (2, 3, n, 4), (2, 3, n, 5))
    rate = {"not at all": None, "by head": torch.tensor([0.0, -0.1, -40.0]).to(dtype)[None, :, None].expand(1, 3, n),
            "by token": -drawn(dtype, (2, 3, n))[0].detach().exp()}[fades]  # fmt: skip
    inputs = [q, k, v] + ([] if rate is None else [rate.clone().requires_grad_()])

    def in_chunks(kernel: Callable[..., Tensor], *chunk: int) -> Callable[..., Tensor]:
        return lambda q, k, v, rate=None: kernel(q, k, v, rate, *chunk)

    alike(in_chunks(decayed.chunked, 7), in_chunks(decayed.naive), inputs)
    alike(in_chunks(decayed.chunked), in_chunks(decayed.naive), inputs)
    at = torch.tensor([n - 1, n // 2])
    rows = torch.arange(2)

    def once(q: Tensor, k: Tensor, v: Tensor, rate: Tensor | None = None) -> Tensor:
        return decayed.read_once(q[rows, :, at][:, :, None], k, v, rate, at)

    alike(once, lambda *tensors: decayed.naive(*tensors[:3], tensors[3] if len(tensors) > 3 else None)[rows, :, at][:, :, None], inputs)


@dtypes
@pytest.mark.parametrize("n", [1, 6, 30])
@pytest.mark.parametrize("fades", [False, True])
def test_the_delta_rule(dtype: torch.dtype, n: int, fades: bool) -> None:
    q, k, v, share, rate = drawn(dtype, (2, 3, n, 4), (2, 3, n, 4), (2, 3, n, 5), (2, 3, n), (2, 3, n))
    k, share = (torch.nn.functional.normalize(k.detach(), dim=-1), 2 * share.detach().sigmoid())
    inputs = [q, k.requires_grad_(), v, share.requires_grad_()] + ([(-rate.detach().exp()).requires_grad_()] if fades else [])

    def in_chunks(kernel: Callable[..., Tensor], *chunk: int) -> Callable[..., Tensor]:
        return lambda q, k, v, share, rate=None: kernel(q, k, v, share, rate, *chunk)

    alike(in_chunks(delta_rule.chunked, 7), in_chunks(delta_rule.naive), inputs)
    alike(in_chunks(delta_rule.chunked), in_chunks(delta_rule.naive), inputs)


@dtypes
@pytest.mark.parametrize("n", [1, 33, 70])
def test_diagonal_state_spaces(dtype: torch.dtype, n: int) -> None:
    u, fading, turning, real, imaginary = drawn(dtype, (2, n, 3), (3, 4), (3, 4), (3, 4), (3, 4))

    def system(*tensors: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return tensors[0], torch.complex(-tensors[1].exp(), tensors[2]), torch.complex(tensors[3], tensors[4])

    inputs = [u, fading, turning, real, imaginary]
    alike(lambda *tensors: diagonal.convolved(*system(*tensors)), lambda *tensors: diagonal.naive(*system(*tensors)), inputs)

    def by_fft(*tensors: Tensor) -> Tensor:
        u, log_a, c = system(*tensors)
        return diagonal.by_fft(u, diagonal.kernel(log_a, c, n))

    alike(by_fft, lambda *tensors: diagonal.naive(*system(*tensors)), inputs)
    at = torch.tensor([n - 1, n // 2])
    alike(lambda *tensors: diagonal.read_once(*system(*tensors), at)[:, 0],
          lambda *tensors: diagonal.naive(*system(*tensors))[torch.arange(2), at], inputs)  # fmt: skip
