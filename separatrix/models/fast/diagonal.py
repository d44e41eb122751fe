"""Diagonal state spaces as a convolution, beside the recurrence that it must equal.

    s_t = a s_(t-1) + u_t,   y_t = Re sum over n of c_n s_(t,n)       each channel by itself, a and c complex

So y is u convolved with K_j = Re sum over n of c_n a_n^j. Powers are taken in two steps, a^(STRIDE i) a^j, so that few exponentials
are computed. Up to SHORT tokens the convolution is a triangular matrix product; beyond, two FFTs of twice the length.
The FFT's rounding reaches back: there an output may change in its last bits with later tokens.
"""

from __future__ import annotations

import torch
from torch import Tensor

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
    low = torch.arange(STRIDE, device=c.device, dtype=c.real.dtype)
    high = torch.arange(-(-n // STRIDE), device=c.device, dtype=c.real.dtype) * STRIDE
    left = c[:, None, :] * (log_a[:, None, :] * high[:, None]).exp()  # [channels, i, N]
    right = (log_a[:, :, None] * low).exp()  # [channels, N, j]
    real = torch.cat([left.real, -left.imag], dim=2) @ torch.cat([right.real, right.imag], dim=1)
    return real.flatten(1)[:, :n]


def by_product(u: Tensor, K: Tensor) -> Tensor:
    """sum over s <= t of K_(t-s) u_s as a product with a triangular Toeplitz matrix for each channel."""
    n = u.shape[1]
    apart = torch.arange(n, device=u.device)[:, None] - torch.arange(n, device=u.device)
    toeplitz = K[:, apart.clamp(min=0)].tril()  # [channels, t, s]
    return (toeplitz @ u.permute(2, 1, 0)).permute(2, 1, 0)


def by_fft(u: Tensor, K: Tensor) -> Tensor:
    """The convolution through Fourier transforms, padded so that nothing wraps around."""
    n = u.shape[1]
    size = 2 * n
    spectrum = torch.fft.rfft(u.transpose(1, 2), n=size) * torch.fft.rfft(K, n=size)
    y: Tensor = torch.fft.irfft(spectrum, n=size)
    return y[..., :n].transpose(1, 2)


def read_once(u: Tensor, log_a: Tensor, c: Tensor, at: Tensor) -> Tensor:
    """y at position `at` [b] of each row alone, [b, 1, channels]."""
    K = kernel(log_a, c, u.shape[1])
    apart = at[:, None] - torch.arange(u.shape[1], device=u.device)  # [b, s]
    weights = K[:, apart.clamp(min=0)].masked_fill(apart < 0, 0.0)  # [channels, b, s]
    return torch.einsum("dbs,bsd->bd", weights, u)[:, None]
