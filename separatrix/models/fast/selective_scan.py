"""The selective scan: compiled on the CPU, and beside it the recurrence that it must equal, which runs everywhere else.

    h_t = e^(delta_t A) h_(t-1) + delta_t u_t B_t,   y_t = <C_t, h_t> + d u_t          each of E channels with N numbers of state

u, delta [b, n, E], A [E, N] with no positive entry, B, C [b, n, N], skip d [E] or None for 0 -> y [b, n, E]
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from separatrix.models.fast.sharing import kernels_for, shared


def selective_scan(u: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, skip: Tensor | None = None) -> Tensor:
    """y, the fastest way there is here."""
    kernels = kernels_for(u, "separatrix.models.fast.compiled_scan", "the selective scan")
    if kernels is None:
        return naive(u, delta, A, B, C, skip)
    skip = u.new_zeros(u.shape[2]) if skip is None else skip
    y: Tensor = _Compiled.apply(kernels, u, delta, A, B, C, skip)  # type: ignore[no-untyped-call]
    return y


def naive(u: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, skip: Tensor | None = None) -> Tensor:
    """The scan, token by token: the reference."""
    h, y = torch.zeros(len(u), *A.shape, dtype=u.dtype, device=u.device), []
    for t in range(u.shape[1]):
        h = following(h, u[:, t], delta[:, t], A, B[:, t])
        y.append((h * C[:, t, None, :]).sum(dim=-1))
    return torch.stack(y, dim=1) if skip is None else torch.stack(y, dim=1) + skip * u


def following(h: Tensor, u: Tensor, delta: Tensor, A: Tensor, B: Tensor) -> Tensor:
    """The next state [b, E, N], from u, delta [b, E] and B [b, N] of one token."""
    return (delta[..., None] * A).exp() * h + (delta * u)[..., None] * B[:, None, :]


class _Compiled(torch.autograd.Function):
    """The compiled kernels as one operation; rows are shared out over torch's threads."""

    @staticmethod
    def forward(ctx: Any, kernels: Any, u: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, skip: Tensor) -> Tensor:
        u, delta, B, C, skip = (x.detach().contiguous() for x in (u, delta, B, C, skip))
        by_number = A.detach().T.contiguous()  # [N, E]
        rows, n, E = u.shape
        y, stored = torch.empty_like(u), u.new_empty(rows, -(-n // kernels.SPAN), len(by_number), E)
        inputs = [x.numpy() for x in (u, delta, B, C, y, stored)]

        def part(span: slice) -> None:
            u_, delta_, B_, C_, y_, stored_ = (x[span] for x in inputs)
            kernels.forward(u_, delta_, by_number.numpy(), B_, C_, skip.numpy(), y_, stored_)

        shared(part, rows)
        ctx.kernels = kernels
        ctx.save_for_backward(u, delta, by_number, B, C, skip, stored)
        return y

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        u, delta, A, B, C, skip, stored = ctx.saved_tensors
        dy = gradients[0].contiguous()
        du, ddelta, dB, dC = (torch.empty_like(x) for x in (u, delta, B, C))
        every = [x.numpy() for x in (u, delta, B, C, stored, dy, du, ddelta, dB, dC)]

        def part(span: slice) -> tuple[Tensor, Tensor]:
            u_, delta_, B_, C_, stored_, dy_, du_, ddelta_, dB_, dC_ = (x[span] for x in every)
            dA, dskip = torch.zeros_like(A), torch.zeros_like(skip)
            ctx.kernels.backward(
                u_, delta_, A.numpy(), B_, C_, skip.numpy(), stored_, dy_, du_, ddelta_, dA.numpy(), dB_, dC_, dskip.numpy()
            )
            return dA, dskip

        dA, dskip = (torch.stack(parts).sum(dim=0) for parts in zip(*shared(part, len(u)), strict=True))
        return None, du, ddelta, dA.T, dB, dC, dskip
