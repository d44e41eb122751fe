"""One read-out of a model with one attention layer, with streamed keys: memory does not grow with the length.

The first layer reads the embedding, which is a sum of a token row and of addresses, and attention is linear on either side
of the softmax. So the logit of key t is  <K^T q, E[s_t]> + g <W K^T q, A(t)>  and the weighted sum of values is V applied to
(weight per token row) E + (sum of weights times A(t)) W: no key, value or embedding of the sequence is ever stored.
The naive computation is `Model.hidden`; a test compares the two.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from separatrix.models.positions import BLOCK

if TYPE_CHECKING:
    from separatrix.models.mixers.attention import MultiHeadAttention
    from separatrix.models.model import Model


def can_stream(model: Model, tokens: Tensor, at: Tensor) -> bool:
    """Whether streaming pays: long inputs, read at the last token, which sees all."""
    n = tokens.shape[1]
    return streamed_numbers(model, n) > 0 and bool((at == n - 1).all())


def streamed_numbers(model: Model, n: int) -> int:
    """About how many numbers a streamed row of n tokens holds at once; 0 if it is not streamed, as for most models and inputs.

    Possible for one plain layer of softmax attention in native floats.
    """
    heads = _heads(model) if n > BLOCK and model.numbers.format.kind == "native" else None
    if heads is None:
        return 0
    c, places = heads.config, model.embedding.every_place()
    plain = c.scores == "softmax" and c.mask.carried(n) == n and not (c.scaled or c.rotary or c.bias)
    direct = all(place.pointers is None and not place.fold and place.weight is not None for place in places)
    return BLOCK * (8 * c.heads + 4) + 4 * n if plain and direct and model.config.layers[0].norm == "none" else 0


def stream(model: Model, tokens: Tensor) -> Tensor:
    """The stream vector [b, 1, width] after the only layer, at the last token."""
    embedding, layer, heads = model.embedding, model.each_layer()[0], _heads(model)
    assert heads is not None
    c, n, dtype = heads.config, tokens.shape[1], embedding.table.dtype
    embedding.check(tokens)
    last = embedding(tokens[:, -1:], start=n)  # [b, 1, width]
    q = heads.queries(last, None)[:, :, 0]  # [b, H, m]
    probe = torch.einsum("bhm,hmd->bhd", q, heads.key.reshape(c.heads, c.key_width, -1))  # K^T q
    sums = _Sums(model, probe, plain_until=n if n > 1 and int(tokens[:, :-1].max()) < embedding.config.plain else 0)
    for start in range(0, n + 1, BLOCK):  # blocks are aligned in the position, which counts from 1
        first, stop = max(start, 1), min(start + BLOCK, n + 1)
        sums.read(tokens[:, first - 1 : stop - 1], first, start, stop)
    mixed = sums.total() / sums.normaliser[..., None]  # sum of weights times x_t, [b, H, width]
    u = torch.einsum("bhd,hvd->bhv", mixed, heads.value.reshape(c.heads, c.value_width, -1)).reshape(len(tokens), 1, -1).to(dtype)
    return layer.after_mixing(last, model.numbers.linear(u, heads.out))  # type: ignore[no-any-return]


def _heads(model: Model) -> MultiHeadAttention | None:
    """The attention of a model whose only mixer is one attention layer over tokens; else None."""
    from separatrix.models.mixers.attention import MultiHeadAttention

    mixers = [layer.mixer for layer in model.each_layer()]
    alone = len(mixers) == 1 and model.config.embedding.reads == "tokens"
    return mixers[0] if alone and isinstance(mixers[0], MultiHeadAttention) else None


class _Sums:
    """The running maximum, normaliser and weighted sums of a softmax that sees its keys block by block."""

    def __init__(self, model: Model, probe: Tensor, plain_until: int) -> None:
        embedding = model.embedding
        self.embedding, self.places, self.probe = embedding, embedding.every_place(), probe
        self.plain_until = plain_until  # up to this position no token is a number; most inputs have one only at the end
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
        """Read the keys at positions first .. stop - 1 of the aligned block start .. stop - 1."""
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
        """What numbered tokens add to their row, [b, t, width]; None in the usual case that there are none."""
        numbered = tokens >= self.embedding.config.plain
        if self.embedding.number is None or not bool(numbered.any()):
            return None
        features: Tensor = self.embedding.number(self.embedding.value(tokens).clamp(min=1), self.probe.dtype)
        return features * numbered[..., None]
