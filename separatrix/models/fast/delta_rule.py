"""The delta rule: compiled on the CPU, elsewhere chunk by chunk, beside the recurrence that both must equal.

    S_t = e^(g_t) (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T,   what a head reads is q_t S_t

A step first erases what k_t reads and then writes v_t in its place, by the share beta_t. With u_t the difference that is written,
S_t = e^(g_t) S_(t-1) + k_t u_t^T, and within a chunk the u_t solve one triangular system:

    u_t + beta_t sum over s < t of e^(G_t - G_s) <k_t, k_s> u_s = beta_t (v_t - e^(G_t) k_t S),   S before the chunk
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional

from separatrix.models.fast.decayed import fading, split
from separatrix.models.fast.sharing import dense, kernels_for, shared, strided

CHUNK = 32


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, log_decay: Tensor | None) -> Tensor:
    """What heads read, the fastest way there is here: the compiled kernel wins from one token on, and up to heads of width 256."""
    kernels = kernels_for(v, "separatrix.models.fast.compiled_delta", "the delta rule")
    if kernels is None:
        return chunked(q, k, v, beta, log_decay)
    stores = torch.is_grad_enabled() and any(x is not None and x.requires_grad for x in (q, k, v, beta, log_decay))
    whole = functional.pad(v, (0, -v.shape[3] % (kernels.BYTES // v.element_size())))  # the kernels work on whole vectors of columns
    read: Tensor = _Compiled.apply(kernels, stores, q, k, whole, beta, log_decay)  # type: ignore[no-untyped-call]
    return read[..., : v.shape[3]]


def naive(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, log_decay: Tensor | None) -> Tensor:
    """The recurrence: q, k [b, h, n, m], v [b, h, n, w], beta and log_decay [b, h, n] -> [b, h, n, w]."""
    S, read = torch.zeros(*k.shape[:2], k.shape[3], v.shape[3], dtype=v.dtype, device=v.device), []
    for t in range(k.shape[2]):
        g = None if log_decay is None else log_decay[:, :, t]
        S = following(S, k[:, :, t], v[:, :, t], beta[:, :, t], g)
        read.append((q[:, :, t, :, None] * S).sum(dim=2))
    return torch.stack(read, dim=2)


def following(S: Tensor, k: Tensor, v: Tensor, beta: Tensor, log_decay: Tensor | None) -> Tensor:
    """The next S [b, h, m, w], from k [b, h, m], v [b, h, w], beta and log_decay [b, h] of one token."""
    S = S if log_decay is None else S * log_decay.exp()[..., None, None]
    u = beta[..., None] * (v - (k[..., None] * S).sum(dim=2))
    return S + k[..., None] * u[:, :, None, :]


def chunked(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, log_decay: Tensor | None, chunk: int = CHUNK) -> Tensor:
    """The delta rule by chunks of so many tokens."""
    n, width = k.shape[2], v.shape[3]
    size = min(chunk, n)
    q, k, v = (split(x, size) for x in (q, k, v))  # [b, h, chunks, size, .]
    beta = split(beta[..., None], size)
    if log_decay is None:
        since, fade, end = None, None, None
    else:
        G = split(log_decay[..., None], size)[..., 0].cumsum(dim=3)
        since, fade, end = G.exp()[..., None], fading(G), (G[..., -1:] - G).exp()[..., None]
    pairs = k @ k.transpose(-1, -2)
    system = beta * (pairs if fade is None else pairs * fade)  # read below its diagonal only
    right = torch.cat([beta * v, beta * (k if since is None else k * since)], dim=-1)
    solved = torch.linalg.solve_triangular(system, right, upper=False, unitriangular=True)
    written, erased = solved.split([width, k.shape[4]], dim=-1)  # u = written - erased S
    weights = q @ k.transpose(-1, -2)
    weights = weights.tril() if fade is None else weights * fade
    from_state, into_state = (q if since is None else q * since), (k if end is None else k * end).transpose(-1, -2)
    S, read = torch.zeros(*k.shape[:2], k.shape[4], width, dtype=v.dtype, device=v.device), []
    chunks = [x.unbind(2) for x in (written, erased, weights, from_state, into_state)]  # its gradient is one stack, not one sum for each
    faded = [None] * k.shape[2] if since is None else since[:, :, :, -1:].unbind(2)
    for (wrote, erase, weight, reading, writing), fading_by in zip(zip(*chunks, strict=True), faded, strict=True):
        u = wrote - erase @ S
        read.append(weight @ u + reading @ S)
        S = (S if fading_by is None else S * fading_by) + writing @ u
    return torch.cat(read, dim=2)[:, :, :n]


class _Compiled(torch.autograd.Function):
    """The compiled kernels as one operation; heads are shared out over torch's threads."""

    @staticmethod
    def forward(ctx: Any, kernels: Any, stores: bool, q: Tensor, k: Tensor, v: Tensor, beta: Tensor, log_decay: Tensor | None) -> Tensor:
        b, h, n, m = k.shape
        w, q, k, v = v.shape[3], dense(q), dense(k), dense(v)
        fade = v.new_ones(()).expand(b, h, n) if log_decay is None else log_decay.exp()
        y = v.new_empty(b, n, h, w).transpose(1, 2)  # token by token, as mixers go on
        stored = v.new_empty(b * h * w * -(-n // kernels.SPAN) * m if stores else 0)
        passed = [strided(x, 3) for x in (q, k, v, beta, fade, y)]
        shared(lambda rows: kernels.forward(*passed, stored.numpy(), (h, n, m, w), rows.start, rows.stop), b * h)
        ctx.kernels = kernels
        ctx.save_for_backward(q, k, v, beta, fade, stored)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, beta, fade, stored = ctx.saved_tensors
        b, h, n, m = k.shape
        given = [torch.zeros_like(x) for x in (q, k, v, beta, fade)]
        before = [strided(x, 3) for x in (q, k, v, beta, fade)]
        after = [strided(x, 3) for x in (dense(gradients[0]), *given)]

        def part(rows: slice) -> None:
            ctx.kernels.backward(*before, stored.numpy(), *after, (h, n, m, v.shape[3]), rows.start, rows.stop)

        shared(part, b * h)
        return None, None, *(x if needed else None for x, needed in zip(given, ctx.needs_input_grad[2:], strict=True))
