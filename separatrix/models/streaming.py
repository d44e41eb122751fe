"""One read-out of a one-layer Transformer with the keys streamed: memory does not grow with the length.

The first layer reads the embedding, which is a sum of a token row and of addresses, and attention is linear on either side
of the softmax. So the logit of key t is  <K^T q, E[s_t]> + g <W K^T q, A(t)>  and the weighted sum of values is V applied to
(weight per token row) E + (sum of weights times A(t)) W: no key, value or embedding of the sequence is ever stored.
The naive computation is `Transformer.hidden`; a test compares the two.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from separatrix.models.positions import BLOCK

if TYPE_CHECKING:
    from separatrix.models.transformer import Transformer


def can_stream(model: Transformer, tokens: Tensor, at: Tensor) -> bool:
    """Worth it for long inputs; possible for one plain softmax layer in native floats, read at the last token."""
    config = model.config
    plain = config.norm == "none" and not config.rotary and not config.attention_bias and not config.scaled
    softmax = len(config.layers) == 1 and config.layers[0].attention == "softmax" and not config.layers[0].state
    direct = all(place.pointers is None and not place.fold and place.weight is not None for place in model.embedding.every_place())
    n = tokens.shape[1]
    return n > BLOCK and plain and softmax and direct and model.numbers.format.kind == "native" and bool((at == n - 1).all())


def stream(model: Transformer, tokens: Tensor) -> Tensor:
    """The stream vector [b, 1, width] after the only layer, at the last token."""
    embedding, layer = model.embedding, model.stack()[0]
    heads = layer.attention.layer
    n, dtype = tokens.shape[1], embedding.table.dtype
    embedding.check(tokens)
    last = embedding(tokens[:, -1:], start=n)  # [b, 1, width]
    q = layer.attention.queries(last, None)[:, :, 0]  # [b, H, m]
    key = layer.attention.key.reshape(heads.heads, heads.key_width, -1)
    probe = torch.einsum("bhm,hmd->bhd", q, key)  # K^T q
    sums = _Sums(model, probe, plain_until=n if n > 1 and int(tokens[:, :-1].max()) < embedding.config.plain else 0)
    for start in range(0, n + 1, BLOCK):  # blocks are aligned in the position, which counts from 1
        stop = min(start + BLOCK, n + 1)
        if stop > 1:
            sums.read(tokens[:, max(start, 1) - 1 : stop - 1], max(start, 1), start, stop)
    mixed = sums.total() / sums.normaliser[..., None]  # sum of weights times x_t, [b, H, width]
    value = layer.attention.value.reshape(heads.heads, heads.value_width, -1)
    u = torch.einsum("bhd,hvd->bhv", mixed, value).reshape(len(tokens), 1, -1).to(dtype)
    return layer.after_attention(last, model.numbers.linear(u, layer.attention.out))  # type: ignore[no-any-return]


class _Sums:
    """The running maximum, normaliser and weighted sums of a softmax that sees its keys block by block."""

    def __init__(self, model: Transformer, probe: Tensor, plain_until: int) -> None:
        embedding = model.embedding
        self.embedding, self.places, self.probe = embedding, embedding.every_place(), probe
        self.plain_until = plain_until  # up to this position no token is a number: most inputs have one only at their end
        self.open = embedding.gate is None or bool((embedding.gate[: embedding.config.plain] == 1).all())
        rows, heads, _ = probe.shape
        self.row_logits = torch.einsum("bhd,rd->bhr", probe, embedding.table)
        self.directions = [torch.einsum("bhd,kd->bhk", probe, place.weight) for place in self.places if place.weight is not None]
        self.blocks = [place.address.blocks(probe.dtype) for place in self.places]
        self.least = math.log(torch.finfo(probe.dtype).tiny)
        self.maximum = torch.full((rows, heads), float("-inf"), dtype=probe.dtype)
        self.normaliser = torch.zeros_like(self.maximum)
        self.row_weights = torch.zeros_like(self.row_logits)
        self.place_sums = [torch.zeros_like(direction) for direction in self.directions]
        self.number_sum = torch.zeros_like(probe)

    def read(self, tokens: Tensor, first: int, start: int, stop: int) -> None:
        """Take in the keys at positions first .. stop - 1 of the aligned block start .. stop - 1."""
        embedding, (b, h, _) = self.embedding, self.probe.shape
        plain = stop <= self.plain_until
        rows = tokens if plain else embedding.rows(tokens)
        chosen = rows[:, None].expand(b, h, -1)
        gate = None if embedding.gate is None or (plain and self.open) else embedding.gate[rows][:, None]
        logits = self.row_logits.gather(2, chosen)
        vectors = [block(start - place.shift, stop - place.shift) for place, block in zip(self.places, self.blocks, strict=True)]
        tables = [(table[first - start :], factor) for table, factor in vectors]
        for direction, (table, factor) in zip(self.directions, tables, strict=True):
            part = (direction if factor is None else direction * factor) @ table.T
            logits += part if gate is None else gate * part
        numbers = None if plain else self._numbers(tokens)
        if numbers is not None:
            logits += torch.einsum("bhd,btd->bht", self.probe, numbers)
        top = torch.maximum(self.maximum, logits.amax(dim=-1))
        decay = (self.maximum - top).exp()
        weights = (logits - top[..., None]).clamp_(min=self.least).exp_()  # below it lie only denormal numbers, which are slow
        self.maximum = top
        self.normaliser = self.normaliser * decay + weights.sum(dim=-1)
        self.row_weights = (self.row_weights * decay[..., None]).scatter_add(2, chosen, weights)
        gated = weights if gate is None else weights * gate
        for index, (table, factor) in enumerate(tables):
            read = gated @ table
            self.place_sums[index] = self.place_sums[index] * decay[..., None] + (read if factor is None else read * factor)
        self.number_sum = self.number_sum * decay[..., None]
        if numbers is not None:
            self.number_sum = self.number_sum + torch.einsum("bht,btd->bhd", weights, numbers)

    def total(self) -> Tensor:
        """The sum of exp(logit - maximum) x_t."""
        total = torch.einsum("bhr,rd->bhd", self.row_weights, self.embedding.table) + self.number_sum
        for place, s in zip(self.places, self.place_sums, strict=True):
            total = total + place.write(s)
        return total

    def _numbers(self, tokens: Tensor) -> Tensor | None:
        """What numbered tokens add to their row, [b, t, width]; None where there are none, which is almost everywhere."""
        numbered = tokens >= self.embedding.config.plain
        if self.embedding.number is None or not bool(numbered.any()):
            return None
        features: Tensor = self.embedding.number(self.embedding.value(tokens).clamp(min=1), self.probe.dtype)
        return features * numbered[..., None]
