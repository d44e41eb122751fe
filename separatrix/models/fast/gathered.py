"""Attention to near tokens and a few global ones, without the keys that nobody may read.

Under a window or a block-sparse mask a block of B queries reads the tokens of its own block and of the `local` blocks before it, and the
global tokens, which are the same for all. So keys are gathered by block, and n (local + 1) B + n G logits take the place of n^2.
The naive computation is `MultiHeadAttention.attend` with the whole mask; a test compares outputs and gradients.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from separatrix.models.masks import BlockSparse, Mask, Window

if TYPE_CHECKING:
    from separatrix.models.mixers.attention import MultiHeadAttention


def can_gather(heads: MultiHeadAttention, n: int) -> bool:
    """For heads as they are trained, where it reads at most half of the keys. Built weights keep the order that their proof speaks of."""
    usual = heads.config.scaled and heads.config.scores == "softmax" and heads.numbers.format.kind == "native"
    shape = _shape(heads.config.mask)
    if not usual or shape is None:
        return False
    block, local, ends = shape
    return 2 * ((local + 1) * block + n // block * ends) <= n


def read_gathered(q: Tensor, k: Tensor, v: Tensor, mask: Mask) -> Tensor:
    """What queries q [b, h, n, m] read of keys k and values v, [b, h, n, w]."""
    shape = _shape(mask)
    assert shape is not None
    (block, local, ends), n = shape, q.shape[2]
    blocks = -(-n // block)
    place = torch.arange(blocks * block, device=q.device).reshape(blocks, block)  # of queries
    near = (torch.arange(-local, 1, device=q.device)[:, None] * block + torch.arange(block, device=q.device)).flatten()
    near = near + torch.arange(blocks, device=q.device)[:, None] * block  # of the keys that a block gathers
    reach = place[:, :, None] - near[:, None, :]
    seen = (reach >= 0) & (reach < local * block) & (near >= 0)[:, None, :]
    queries = _blocks(q, block, blocks)  # [b, h, blocks, block, m]
    taken = near.clamp(0, n - 1)
    logits = (queries @ k[:, :, taken].transpose(-1, -2)).masked_fill(~seen, float("-inf"))
    far = (torch.arange(blocks, device=q.device)[:, None] * block + torch.arange(block - ends, block, device=q.device)).flatten()
    far = far[: n // block * ends + max(0, n % block - (block - ends))]
    distant = (queries @ k[:, :, None, far].transpose(-1, -2)).masked_fill(place[:, :, None] - far < local * block, float("-inf"))
    weights = torch.softmax(torch.cat([logits, distant], dim=-1), dim=-1)
    read = weights[..., : near.shape[1]] @ v[:, :, taken] + weights[..., near.shape[1] :] @ v[:, :, None, far]
    return read.flatten(2, 3)[:, :, :n]


def _blocks(x: Tensor, block: int, blocks: int) -> Tensor:
    padded = functional.pad(x, (0, 0, 0, blocks * block - x.shape[2]))
    return padded.reshape(*x.shape[:2], blocks, block, x.shape[3])


def _shape(mask: Mask) -> tuple[int, int, int] | None:
    """(block, local blocks, global tokens of a block); None for a mask that is neither."""
    if isinstance(mask, Window):
        return mask.size, 1, 0
    return (mask.block, mask.local, mask.global_) if isinstance(mask, BlockSparse) else None
