"""The delta rule, chunk by chunk, beside the recurrence that it must equal.

    S_t = e^(g_t) (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T,   what a head reads is q_t S_t

A step first erases what k_t reads and then writes v_t in its place, by the share beta_t. With u_t the difference that is written,
S_t = e^(g_t) S_(t-1) + k_t u_t^T, and within a chunk the u_t solve one triangular system:

    u_t + beta_t sum over s < t of e^(G_t - G_s) <k_t, k_s> u_s = beta_t (v_t - e^(G_t) k_t S),   S before the chunk
"""

from __future__ import annotations

import torch
from torch import Tensor

from separatrix.models.fast.decayed import fading, split

CHUNK = 32


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
    """The same, so many tokens at a time."""
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
