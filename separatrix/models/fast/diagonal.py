"""Diagonal state spaces as a convolution, beside the recurrence that it must equal.

    s_t = a s_(t-1) + u_t,   y_t = Re sum over n of c_n s_(t,n)       each channel by itself, a and c complex

So y is u convolved with K_j = Re sum over n of c_n a_n^j. Powers are taken in two steps, a^(STRIDE i) a^j, each from one exponential by
doubling, because exponentials of complex numbers are slow. Up to SHORT tokens the convolution is a triangular matrix product; beyond, two
FFTs of about twice the length.
The FFT's rounding reaches back: there an output may change in its last bits with later tokens.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional

STRIDE, SHORT = 32, 128


def naive(u: Tensor, log_a: Tensor, c: Tensor) -> Tensor:
    """The recurrence: u [b, n, channels], log_a and c complex [channels, N] -> [b, n, channels]."""
    a, s, y = log_a.exp(), torch.zeros(len(u), *c.shape, dtype=c.dtype, device=u.device), []
    for t in range(u.shape[1]):
        s = a * s + u[:, t, :, None]
        y.append((c * s).sum(dim=-1).real)
    return torch.stack(y, dim=1)


def convolved(u: Tensor, log_a: Tensor, c: Tensor) -> Tensor:
    """The diagonal recurrence as a convolution."""
    n = u.shape[1]
    K = kernel(log_a, c, n)
    return by_product(u, K) if n <= SHORT else by_fft(u, K)


def kernel(log_a: Tensor, c: Tensor, n: int) -> Tensor:
    """K_0 .. K_(n-1), [channels, n]."""
    left = c * powers(log_a * STRIDE, -(-n // STRIDE))  # [i, channels, N]
    right = powers(log_a, min(n, STRIDE))  # [j, channels, N]
    real = torch.cat([left.real, -left.imag], dim=2).transpose(0, 1) @ torch.cat([right.real, right.imag], dim=2).permute(1, 2, 0)
    return real.flatten(1)[:, :n]


def powers(log_a: Tensor, count: int) -> Tensor:
    """a^0 .. a^(count-1), along a new first dimension: those found so far times the next power of two."""
    found, square = torch.ones_like(log_a)[None], log_a.exp()
    while len(found) < count:
        found = torch.cat([found, found[: count - len(found)] * square])
        square = square * square
    return found


def by_product(u: Tensor, K: Tensor) -> Tensor:
    """sum over s <= t of K_(t-s) u_s as a product with a triangular Toeplitz matrix for each channel."""
    n = u.shape[1]
    backwards = functional.pad(K.flip(1), (0, n - 1))  # K_(n-1) .. K_0, then zeros: row t reads from K_t on
    toeplitz = backwards.unfold(1, n, 1).flip(1)  # [channels, t, s]
    return (toeplitz @ u.permute(2, 1, 0)).permute(2, 1, 0).contiguous()  # in the order of u, so that what follows is fast


def by_fft(u: Tensor, K: Tensor) -> Tensor:
    """The convolution through Fourier transforms, padded so that nothing wraps around."""
    y: Tensor = _ByFft.apply(u, K)  # type: ignore[no-untyped-call]
    return y


def smooth(least: int) -> int:
    """The least even number from `least` on without a prime factor above 5: transforms of such sizes are fast."""
    size = least + least % 2
    while size // math.gcd(size, 60**30) > 1:
        size += 2
    return size


class _ByFft(torch.autograd.Function):
    """Gradients are convolutions too, with what is conjugate: automatic ones transform twice as many numbers."""

    @staticmethod
    def forward(ctx: Any, u: Tensor, K: Tensor) -> Tensor:
        ctx.n, ctx.size = u.shape[1], smooth(2 * u.shape[1])
        of_u, of_K = torch.fft.rfft(u.transpose(1, 2), n=ctx.size), torch.fft.rfft(K, n=ctx.size)
        ctx.save_for_backward(of_u, of_K)
        return _back(of_u * of_K, ctx).transpose(1, 2).contiguous()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, due: Tensor) -> tuple[Tensor | None, Tensor | None]:
        of_u, of_K = ctx.saved_tensors
        of_due = torch.fft.rfft(due.transpose(1, 2), n=ctx.size)
        for_u, for_K = ctx.needs_input_grad
        return (
            _back(of_due * of_K.conj(), ctx).transpose(1, 2).contiguous() if for_u else None,
            _back((of_due * of_u.conj()).sum(dim=0), ctx) if for_K else None,
        )


def _back(spectrum: Tensor, ctx: Any) -> Tensor:
    """The first n numbers of a spectrum's sequence."""
    sequence: Tensor = torch.fft.irfft(spectrum, n=ctx.size)[..., : ctx.n]
    return sequence


def read_once(u: Tensor, log_a: Tensor, c: Tensor, at: Tensor) -> Tensor:
    """y at position `at` [b] of each row alone, [b, 1, channels]."""
    K = kernel(log_a, c, u.shape[1])
    apart = at[:, None] - torch.arange(u.shape[1], device=u.device)  # [b, s]
    weights = K[:, apart.clamp(min=0)].masked_fill(apart < 0, 0.0)  # [channels, b, s]
    return torch.einsum("dbs,bsd->bd", weights, u)[:, None]
