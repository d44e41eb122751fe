"""A short causal convolution with a SiLU after it: compiled on the CPU, and beside it torch's own operations, which run everywhere else.

    y_t = silu(b + sum over j of w_j x_(t - K + 1 + j)),   j = 0 .. K - 1          each channel by itself

x [b, n, C], taps w [C, K], bias [C] or None for 0 -> y [b, n, C]; inputs before the first are 0
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional

from separatrix.models.fast.sharing import kernels_for, shared


def convolved(x: Tensor, taps: Tensor, bias: Tensor | None) -> Tensor:
    """y, the fastest way there is here."""
    kernels = kernels_for(x, "separatrix.models.fast.compiled_convolution", "the short convolution")
    if kernels is None:
        return naive(x, taps, bias)
    missing = -len(taps) % (kernels.BYTES // x.element_size())  # the kernels work on whole vectors of channels
    filled = [functional.pad(tensor, (0, missing)) for tensor in (x, taps.T, taps.new_zeros(len(taps)) if bias is None else bias)]
    y: Tensor = _Compiled.apply(kernels, *filled)  # type: ignore[no-untyped-call]
    return y[..., : len(taps)]


def naive(x: Tensor, taps: Tensor, bias: Tensor | None) -> Tensor:
    """The short convolution, one tap after the other: the reference."""
    n, size = x.shape[1], taps.shape[1]
    padded = functional.pad(x, (0, 0, size - 1, 0))
    y = padded[:, :n] * taps[:, 0]
    for j in range(1, size):
        y = torch.addcmul(y, padded[:, j : j + n], taps[:, j])
    return functional.silu(y if bias is None else y + bias)


class _Compiled(torch.autograd.Function):
    """The compiled kernels as one operation, with taps [K, C]; rows are shared out over torch's threads."""

    @staticmethod
    def forward(ctx: Any, kernels: Any, x: Tensor, taps: Tensor, bias: Tensor) -> Tensor:
        x, taps, bias = x.contiguous(), taps.contiguous(), bias.contiguous()
        y = torch.empty_like(x)
        passed = [tensor.detach().view(-1).numpy() for tensor in (x, taps, bias, y)]
        shared(lambda rows: kernels.forward(*passed, x.shape[1], rows.start, rows.stop), len(x))
        ctx.kernels = kernels
        ctx.save_for_backward(x, taps, bias)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        x, taps, bias = ctx.saved_tensors
        dx = torch.empty_like(x)
        passed = [tensor.detach().view(-1).numpy() for tensor in (x, taps, bias, gradients[0].contiguous(), dx)]

        def part(rows: slice) -> tuple[Tensor, Tensor]:
            added = torch.zeros_like(taps), torch.zeros_like(bias)
            ctx.kernels.backward(*passed, *(tensor.view(-1).numpy() for tensor in added), x.shape[1], rows.start, rows.stop)
            return added

        dtaps, dbias = (torch.stack(parts).sum(dim=0) for parts in zip(*shared(part, len(x)), strict=True))
        return None, dx, dtaps, dbias
