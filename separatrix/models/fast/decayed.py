"""Linear attention with decay: compiled on the CPU, elsewhere chunk by chunk, beside the recurrence that both must equal.

    S_t = e^(g_t) S_(t-1) + k_t v_t^T,   what a head reads is q_t S_t,   g_t <= 0

Retention has one g for each head, Mamba-2 one for each head and token, linear attention g = 0.
Within a chunk the tokens read each other by a masked product; what lies before the chunk is in its first S. So the cost is linear
in the length, and no state of a single token is ever stored.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional

from separatrix.models.fast.sharing import dense, kernels_for, shared, strided

CHUNK, WHOLE = 32, 48  # tokens of a chunk, measured to be the fastest; sequences up to WHOLE tokens are one chunk
FEW, WIDE = 1 << 18, 1 << 12  # where chunks cost less than the compiled kernel: few numbers of all states, or many of a single one


def attended(q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor | None) -> Tensor:
    """What heads read, the fastest way there is here."""
    worth = k.numel() * v.shape[3] >= FEW and k.shape[3] * v.shape[3] <= WIDE
    kernels = kernels_for(v, "separatrix.models.fast.compiled_decayed", "linear attention") if worth else None
    if kernels is None:
        return chunked(q, k, v, log_decay)
    stores = torch.is_grad_enabled() and any(x is not None and x.requires_grad for x in (q, k, v, log_decay))
    whole = functional.pad(v, (0, -v.shape[3] % (kernels.BYTES // v.element_size())))  # the kernels work on whole vectors of columns
    fades = None if log_decay is None else log_decay.expand(k.shape[:3])
    read: Tensor = _Compiled.apply(kernels, stores, q, k, whole, fades)  # type: ignore[no-untyped-call]
    return read[..., : v.shape[3]]


def naive(q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor | None) -> Tensor:
    """The recurrence: q, k [b, h, n, m], v [b, h, n, w], log_decay [b or 1, h, n] -> [b, h, n, w]."""
    S, read = torch.zeros(*k.shape[:2], k.shape[3], v.shape[3], dtype=v.dtype, device=v.device), []
    for t in range(k.shape[2]):
        S = S if log_decay is None else S * log_decay[:, :, t, None, None].exp()
        S = S + k[:, :, t, :, None] * v[:, :, t, None, :]
        read.append((q[:, :, t, :, None] * S).sum(dim=2))
    return torch.stack(read, dim=2)


def chunked(q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor | None, chunk: int = 0) -> Tensor:
    """The recurrence by chunks of so many tokens; 0 chooses their size."""
    n = k.shape[2]
    size = chunk or (n if n <= WHOLE else CHUNK)
    q, k, v = (split(x, size) for x in (q, k, v))  # [b, h, chunks, size, .]
    G = None if log_decay is None else split(log_decay[..., None], size)[..., 0].cumsum(dim=3)  # log decay since the chunk began
    weights = q @ k.transpose(-1, -2)
    read = (weights.tril() if G is None else weights * fading(G)) @ v
    if k.shape[2] > 1:
        since = q if G is None else q * G.exp()[..., None]
        read = read + since @ states(k, v, G)
    return read.flatten(2, 3)[:, :, :n]


def read_once(q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor | None, at: Tensor) -> Tensor:
    """What one query of each row, q [b, h, 1, m] at position `at` [b], reads: [b, h, 1, w]."""
    weights = q @ k.transpose(-1, -2)  # [b, h, 1, n]
    later = torch.arange(k.shape[2], device=k.device) > at[:, None, None, None]
    if log_decay is not None:
        G = log_decay.cumsum(dim=2)
        here = G.expand(len(at), -1, -1).gather(2, at[:, None, None].expand(-1, G.shape[1], 1))
        weights = weights * (here - G).masked_fill(later[:, :, 0], float("-inf")).exp()[:, :, None]
    return weights.masked_fill(later, 0.0) @ v


def split(x: Tensor, size: int) -> Tensor:
    """Tokens [b, h, n, d] in chunks [b, h, chunks, size, d], copied once; the last one is filled up with zeros."""
    missing = -x.shape[2] % size
    padded = functional.pad(x, (0, 0, 0, missing)) if missing else x.contiguous()
    return padded.reshape(*x.shape[:2], -1, size, x.shape[3])


def fading(G: Tensor) -> Tensor:
    """e^(G_t - G_s) for s <= t and 0 for later s, [.., t, s], of cumulated logarithms G [.., t]."""
    later = torch.ones(G.shape[-1], G.shape[-1], dtype=torch.bool, device=G.device).triu(1)
    return (G[..., :, None] - G[..., None, :]).masked_fill(later, float("-inf")).exp()  # masked before: there e^. may overflow


def states(k: Tensor, v: Tensor, G: Tensor | None) -> Tensor:
    """S before each chunk, [b, h, chunks, m, w]; all chunks are multiplied, also the last: the gradient of a slice is a copy of all."""
    left = k if G is None else k * (G[..., -1:] - G).exp()[..., None]
    *added, _ = (left.transpose(-1, -2) @ v).unbind(2)  # its gradient is one stack, not one sum for each
    fades = [None] * len(added) if G is None else G[..., -1, None, None].exp().unbind(2)
    before = [torch.zeros_like(added[0])]
    for part, fade in zip(added, fades, strict=False):
        before.append(part + (before[-1] if fade is None else before[-1] * fade))
    return torch.stack(before, dim=2)


class _Compiled(torch.autograd.Function):
    """The compiled kernels as one operation; heads are shared out over torch's threads."""

    @staticmethod
    def forward(ctx: Any, kernels: Any, stores: bool, q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor | None) -> Tensor:
        b, h, n, m = k.shape
        w, q, k, v = v.shape[3], dense(q), dense(k), dense(v)
        fade = v.new_ones(()).expand(b, h, n) if log_decay is None else log_decay.exp()
        y = v.new_empty(b, n, h, w).transpose(1, 2)  # token by token, as mixers go on
        stored = v.new_empty(b * h * w * -(-n // kernels.SPAN) * m if stores else 0)
        passed = [strided(x, 3) for x in (q, k, v, fade, y)]
        shared(lambda rows: kernels.forward(*passed, stored.numpy(), (h, n, m, w), rows.start, rows.stop), b * h)
        ctx.kernels = kernels
        ctx.save_for_backward(q, k, v, fade, stored)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, fade, stored = ctx.saved_tensors
        b, h, n, m = k.shape
        given = [torch.zeros_like(x) for x in (q, k, v, fade)]
        before = [strided(x, 3) for x in (q, k, v, fade)]
        after = [strided(x, 3) for x in (dense(gradients[0]), *given)]

        def part(rows: slice) -> None:
            ctx.kernels.backward(*before, stored.numpy(), *after, (h, n, m, v.shape[3]), rows.start, rows.stop)

        shared(part, b * h)
        return None, None, *(x if needed else None for x, needed in zip(given, ctx.needs_input_grad[2:], strict=True))
