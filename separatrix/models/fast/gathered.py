"""Attention to near tokens and a few global ones, without the keys that no query may read.

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
    queries, keys, values = (_blocks(x, block) for x in (q, k, v))  # [b, h, blocks, block, .]
    place = torch.arange(queries.shape[2] * block, device=q.device).reshape(-1, block)
    near = place[:, :1] + torch.arange(-local * block, block, device=q.device)  # of the keys that a block gathers
    apart = place[:, :, None] - near[:, None, :]
    seen = (apart >= 0) & (apart < local * block) & (near >= 0)[:, None, :]
    logits = (queries @ _with_earlier(keys, local).transpose(-1, -2)).masked_fill(~seen, float("-inf"))
    if not ends:
        return (torch.softmax(logits, dim=-1) @ _with_earlier(values, local)).flatten(2, 3)[:, :, :n]
    far = place[:, block - ends :].flatten()
    far_keys, far_values = (x[:, :, :, block - ends :].flatten(2, 3)[:, :, None] for x in (keys, values))
    distant = (queries @ far_keys.transpose(-1, -2)).masked_fill(place[:, :, None] - far < local * block, float("-inf"))
    weights = torch.softmax(torch.cat([logits, distant], dim=-1), dim=-1)
    read = weights[..., : near.shape[1]] @ _with_earlier(values, local) + weights[..., near.shape[1] :] @ far_values
    return read.flatten(2, 3)[:, :, :n]


def _blocks(x: Tensor, block: int) -> Tensor:
    padded = functional.pad(x, (0, 0, 0, -x.shape[2] % block))
    return padded.reshape(*x.shape[:2], -1, block, x.shape[3])


def _with_earlier(blocks: Tensor, local: int) -> Tensor:
    """Each block after the `local` ones before it, zeros where there are none: shifted views, whose gradients are cheap."""
    count = blocks.shape[2]
    padded = functional.pad(blocks, (0, 0, 0, 0, local, 0))
    return torch.cat([padded[:, :, i : i + count] for i in range(local + 1)], dim=3)


def _shape(mask: Mask) -> tuple[int, int, int] | None:
    """(block, local blocks, global tokens of a block); None for a mask that is neither."""
    if isinstance(mask, Window):
        return mask.size, 1, 0
    return (mask.block, mask.local, mask.global_) if isinstance(mask, BlockSparse) else None
