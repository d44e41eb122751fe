"""Attention of one query per row without keys or values.

Attention is linear on either side of the softmax: <q, K x_t> = <K^T q, x_t>, and the weighted sum of V x_t is V of the weighted
sum of x_t. With one query for each row, K^T q costs one small product, and no key or value of the sequence is computed.
The naive computation is `MultiHeadAttention.attend`; a test compares outputs and gradients.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from separatrix.models.mixers.mixer import pick

if TYPE_CHECKING:
    from separatrix.models.mixers.attention import MultiHeadAttention


def can_fold(heads: MultiHeadAttention) -> bool:
    """Only for heads as they are trained. Built weights keep the order of operations of their proof."""
    usual = heads.config.scaled and heads.config.scores == "softmax"
    return usual and not heads.config.rotary and heads.numbers.format.kind == "native"


def attend_folded(heads: MultiHeadAttention, x: Tensor, at: Tensor) -> Tensor:
    """M-Att [b, 1, width] at position `at` of each row of x [b, n, width]."""
    H, m, v = heads.config.heads, heads.config.key_width, heads.config.value_width
    q = heads.queries(pick(x, at), at)[:, :, 0]  # [b, H, m]; the key bias adds the same to all logits of a query and drops out
    probe = torch.einsum("bhm,hmd->bhd", q, heads.key.view(H, m, -1))
    logits = probe @ x.transpose(1, 2)
    visible = heads.config.mask.visible(at[:, None], x.shape[1])
    if visible is not None:
        logits = logits.masked_fill(~visible, float("-inf"))
    mixed = torch.softmax(logits, dim=-1) @ x  # sum of w_t x_t, [b, H, width]
    u = torch.einsum("bhd,hvd->bhv", mixed, heads.value.view(H, v, -1)).reshape(len(x), 1, H * v)
    if heads.value_bias is not None:
        u = u + heads.value_bias  # the weights of a head add up to 1
    return functional.linear(u, heads.out, heads.out_bias)
