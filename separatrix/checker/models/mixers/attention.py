"""Attention: out concat_h(sum_j w_hj V_h x_j), with the weights w over the visible j by the scores q_h k_hj.

Scores: softmax; hard, weight 1 on the first largest; uniform, the same weight on all. Rows h m .. (h + 1) m - 1 of a weight belong to
head h. If scaled, queries are divided by the root of the key width. Rotary positions rotate queries and keys.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.models.masks import Mask, read_mask
from separatrix.checker.models.mixers import MOST, Mixer, Shapes, Weights, head_shapes
from separatrix.checker.numbers.boxes import Array, Box, join, positions
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.reads import Linear, Parts, reading
from separatrix.checker.numbers.smooth import native, scaled, turned
from separatrix.checker.seal import Refused

AT_ONCE = 1 << 22  # logits at a time
CALLS = 10_000  # fixed work per head, whatever its size
SCORES = ("softmax", "hard", "uniform")


@dataclass(frozen=True)
class Attention(Mixer):
    """One attention mixer."""

    scores: str
    mask: Mask
    heads: int
    key_width: int
    value_width: int
    scaled: bool
    bias: bool
    rotary: bool

    @classmethod
    def read(cls, document: Any, where: str, width: int) -> Attention:  # noqa: ARG003
        """The attention of a description."""
        require_fields(
            document, where, kind=str, scores=str, mask=dict, heads=int, key_width=int, value_width=int, scaled=bool, bias=bool, rotary=bool
        )  # fmt: skip
        if document["scores"] not in SCORES:
            raise Refused(f"{where}.scores: expected one of {', '.join(SCORES)}, found {document['scores']!r:.80}")
        for key in ("heads", "key_width", "value_width"):
            within(document[key], 1, MOST, f"{where}.{key}")
        if document["rotary"] and document["key_width"] % 2:
            raise Refused(f"{where}: rotary positions need an even key width, found {document['key_width']}")
        rest = {key: value for key, value in document.items() if key not in ("kind", "mask")}
        return cls(mask=read_mask(document["mask"], f"{where}.mask"), **rest)

    @property
    def causal(self) -> bool:
        return self.mask.causal

    @property
    def folds(self) -> bool:
        """Whether a program may multiply queries by K before they meet a token, and means of tokens by V."""
        return self.scaled and self.scores == "softmax" and not self.rotary

    def head_sizes(self) -> tuple[int, int, int]:
        return self.heads, self.key_width, self.value_width

    def shapes(self, width: int) -> Shapes:
        return head_shapes(self.heads * self.key_width, self.heads * self.value_width, width, self.bias)

    def need_format(self, ops: Numbers) -> None:
        """Refuse a format without scaled logits or rotary positions, also where equal weights make both irrelevant."""
        if self.scaled:
            native(ops, "scaled logits")
        if self.rotary:
            native(ops, "rotary positions")

    def mix(self, ops: Numbers, w: Weights, x: Box, readers: Array) -> Box:
        n = x.shape[-2]
        q, k, v = self.queries(ops, w, x.rows(readers), readers), self.keys(ops, w, x, positions(0, n)), self.values(ops, w, x)
        blocks, step = [], max(1, AT_ONCE // max(1, x.low[..., 0].size))
        for first in range(0, len(readers), step):
            part = slice(first, first + step)
            visible = self.mask.visible(readers[part], n)
            blocks.append(join([self._read(ops, w, x, q.rows(part), k, v, visible, h) for h in range(self.heads)], axis=-1))
        return self.out(ops, w, join(blocks))

    def queries(self, ops: Numbers, w: Weights, x: Box, at: Array) -> Box:
        """The queries of all heads, for tokens at these positions, counted from 0."""
        q = self._turned(ops, ops.linear(x, w["query"], w.get("query_bias")), at)
        return scaled(native(ops, "scaled logits"), q, 1 / math.sqrt(self.key_width)) if self.scaled else q

    def keys(self, ops: Numbers, w: Weights, x: Box, at: Array) -> Box:
        """The keys of all heads."""
        return self._turned(ops, ops.linear(x, w["key"], w.get("key_bias")), at)

    def values(self, ops: Numbers, w: Weights, x: Box) -> Box:
        """The values of all heads."""
        return ops.linear(x, w["value"], w.get("value_bias"))

    def out(self, ops: Numbers, w: Weights, read: Box) -> Box:
        """From what the heads read to the stream."""
        return ops.linear(read, w["out"], w.get("out_bias"))

    def of_head(self, x: Box, h: int, width: int) -> Box:
        """The columns of one head."""
        return x.columns(h * width, width)

    def work(self, width: int, n: int, readers: int, ops: Numbers) -> int:
        keys, values = self.heads * self.key_width, self.heads * self.value_width
        linear = (n * (keys + values) + readers * (keys + values)) * width * ops.cost(width)
        pairs, more = readers * n * self.heads, 2 * width * self.folds
        return linear + pairs * ((self.key_width + self.value_width + more) * ops.cost(n) + 40 * ops.cost(1)) + CALLS * self.heads

    def numbers(self, width: int, n: int, readers: int) -> int:
        per_token = 3 * (width + self.heads * (2 * self.key_width + self.value_width))
        return n * per_token + 12 * min(max(AT_ONCE, n), readers * n)

    def state_bits(self, width: int, bits: int) -> int | None:  # noqa: ARG002
        """A window carries keys and values of the tokens before; with any other mask the state grows."""
        return (self.mask.size - 1) * self.heads * (self.key_width + self.value_width) * bits if self.mask.kind == "window" else None

    def _read(self, ops: Numbers, w: Weights, x: Box, q: Box, k: Box, v: Box, visible: Array | None, h: int) -> Box:
        m, u = self.key_width, self.value_width
        parts = Parts(x, Linear.of(w, "key", h * m, m), Linear.of(w, "value", h * u, u)) if self.folds else None
        return reading(ops, self.scores, visible, self.of_head(q, h, m), self.of_head(k, h, m), self.of_head(v, h, u), parts)

    def _turned(self, ops: Numbers, x: Box, at: Array) -> Box:
        if not self.rotary:
            return x
        floats, m = native(ops, "rotary positions"), self.key_width
        return join([turned(floats, self.of_head(x, h, m), at) for h in range(self.heads)], axis=-1)
