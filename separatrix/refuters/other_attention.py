"""Attention with the weights of a built softmax head, and another rule from logits to shares.

top-k     softmax over the k largest logits          uniform   all visible places alike
hard      the first largest logit alone              linear    phi(q) . phi(k) with phi(x) = elu(x) + 1, normalised
annealed  softmax of logits times `sharpness`, which training raises until the largest alone is left
"""

from __future__ import annotations

import re

import torch
from torch import Tensor
from torch.nn import functional

from separatrix.errors import BadInput
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.models.mixers.mixer import pick


class OtherAttention(MultiHeadAttention):
    """Another attention in place of softmax, computed in plain floating point."""

    def __init__(self, built: MultiHeadAttention, way: str) -> None:
        super().__init__(built.config, built.query.shape[1], built.numbers)
        if built.numbers.format.kind != "native":
            raise BadInput(f"other attention: expected a native float, found {built.numbers.format.kind}")
        if way not in ("hard", "uniform", "linear", "annealed") and not re.fullmatch(r"top-[1-9]\d*", way):
            raise BadInput(f"other attention: expected hard, uniform, linear, annealed or top-k, found {way!r}")
        self.to(built.query.dtype).load_state_dict(built.state_dict())
        self.way, self.sharpness = way, 1.0

    def forward(self, x: Tensor, at: Tensor | None = None) -> Tensor:
        return self.attend(x, at)

    def attend(self, x: Tensor, at: Tensor | None) -> Tensor:
        n = x.shape[1]
        q = self.queries(x if at is None else pick(x, at), at)
        k, v = self.keys(x), self.values(x)
        visible = self.visible(n, 0, q.shape[2], at)
        shares = self._shares(q, k, torch.ones(1, 1, 1, n, dtype=torch.bool) if visible is None else visible)
        read: Tensor = self._together(shares @ v)
        return read

    def _shares(self, q: Tensor, k: Tensor, visible: Tensor) -> Tensor:
        """[b, heads, queries, keys], each row of sum 1."""
        if self.way == "linear":
            scores = (functional.elu(q) + 1) @ (functional.elu(k) + 1).transpose(2, 3) * visible
            return scores / scores.sum(dim=3, keepdim=True)
        logits = (q @ k.transpose(2, 3)).masked_fill(~visible, -torch.inf)
        if self.way == "annealed":
            return (logits * self.sharpness).softmax(dim=3)
        if self.way == "uniform":
            return torch.where(logits.isinf(), logits, 0.0).softmax(dim=3)
        if self.way == "hard":
            return functional.one_hot(logits.argmax(dim=3), logits.shape[3]).to(logits.dtype)
        most = logits.argsort(dim=3, descending=True, stable=True)[..., : int(self.way.removeprefix("top-"))]  # of equals the first
        chosen = torch.zeros_like(logits, dtype=torch.bool).scatter_(3, most, True)
        return logits.masked_fill(~chosen, -torch.inf).softmax(dim=3)
