"""Attention: H heads side by side, each over the tokens that a mask lets it see.

[bhattamishra2024 Section 2(1)] [hahn2020 Equation 2] [hahn2020 Notion 1] [yang2024 Equation 3] [yang2024 Equation 4]

    head       softmax, hard (first maximum) or uniform weights of Q x against K x, over V x
    M-Att      O [head_1(x), ..., head_H(x)];   rows h m .. (h + 1) m - 1 of Q, K and V belong to head h

The state is the cache: keys and values of the tokens that a later token may read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
from torch import Tensor

from separatrix.arithmetic.operators import Arithmetic, Attention, Values
from separatrix.errors import BadInput
from separatrix.models.config import MixerConfig
from separatrix.models.fast.folded import attend_folded, can_fold
from separatrix.models.fast.gathered import can_gather, read_gathered
from separatrix.models.layer_styles import PLACED_BLOCK, LayerStyle
from separatrix.models.masks import BlockSparse, Causal, Mask, Window
from separatrix.models.mixers.mixer import Mixer, Tensors, bias, pick, weight
from separatrix.models.positions import widest_float
from separatrix.models.state_at_cut import LayerCut

QUERIES = 1024  # rows of attention computed at a time when the sequence is long


@dataclass(frozen=True)
class AttentionConfig(MixerConfig):
    """Heads, their widths, what they see and how they weight it."""

    heads: int
    key_width: int  # of one head
    value_width: int
    scores: Attention = "softmax"
    mask: Mask = field(default_factory=Causal)
    scaled: bool = False  # divide logits by sqrt(key_width), as usual in training
    bias: bool = False
    rotary: bool = False

    kind: ClassVar[str] = "attention"
    style: ClassVar[LayerStyle] = PLACED_BLOCK

    def __post_init__(self) -> None:
        self.need_positive("heads", "key_width", "value_width")
        if self.rotary and self.key_width % 2:
            raise BadInput(f"rotary positions need an even key width, found {self.key_width}")

    @property
    def inexact(self) -> str:
        return "scaled logits" if self.scaled else "rotary positions" if self.rotary else ""

    def build(self, width: int, numbers: Arithmetic) -> MultiHeadAttention:
        return MultiHeadAttention(self, width, numbers)


class MultiHeadAttention(Mixer):
    """Multi-head attention over a sequence."""

    def __init__(self, config: AttentionConfig, width: int, numbers: Arithmetic) -> None:
        super().__init__(width, numbers)
        self.config, self.causal = config, config.mask.causal
        self.scale = 1 / math.sqrt(config.key_width) if config.scaled else None
        keys, values = config.heads * config.key_width, config.heads * config.value_width
        self.query, self.key = weight(keys, width), weight(keys, width)
        self.value, self.out = weight(values, width), weight(width, values)
        self.query_bias, self.key_bias = bias(keys, config.bias), bias(keys, config.bias)
        self.value_bias, self.out_bias = bias(values, config.bias), bias(width, config.bias)

    def forward(self, x: Values, at: Tensor | None = None) -> Values:
        """At every position, or at one position of each row, with a single query."""
        return attend_folded(self, x, at) if at is not None and can_fold(self) else self.attend(x, at)

    def mix(self, x: Values) -> Values:
        return self.attend(x, None)

    def attend(self, x: Values, at: Tensor | None) -> Values:
        """Queries against keys; a long sequence is processed in blocks of queries."""
        q = self.queries(x if at is None else pick(x, at), at)
        k, v = self.keys(x), self.values(x)
        if at is None and can_gather(self, x.shape[1]):
            return self._together(read_gathered(q, k, v, self.config.mask))
        read = [
            self.numbers.attend(part, k, v, self.visible(x.shape[1], first, part.shape[2], at), self.config.scores)
            for first, part in _blocks(q)
        ]
        return self._together(read[0] if len(read) == 1 else self.numbers.join(read, 2))

    def inside(self, x: Values, at: Tensor | None) -> dict[str, Tensor]:
        """The attention weights, [b, heads, queries, keys]."""
        q, k = self.queries(x if at is None else pick(x, at), at), self.keys(x)
        weights = [
            self.numbers.leave(
                self.numbers.weights(part, k, self.visible(x.shape[1], first, part.shape[2], at), self.config.scores)
            )
            for first, part in _blocks(q)
        ]  # fmt: skip
        return {"attention": torch.cat(weights, dim=2)}

    def queries(self, x: Values, at: Tensor | None) -> Values:
        """Q x, [b, heads, rows, m]."""
        q = self._split(self.numbers.linear(x, self.query, self.query_bias), self.config.key_width)
        if self.config.rotary:
            q = rotate(q, torch.arange(x.shape[1]) if at is None else at[:, None, None])
        return q if self.scale is None else q * self.scale

    def keys(self, x: Values, start: int = 0) -> Values:
        """K x, [b, heads, n, m], where x stands at positions start, start + 1, ... counted from 0."""
        k = self._split(self.numbers.linear(x, self.key, self.key_bias), self.config.key_width)
        return rotate(k, torch.arange(start, start + x.shape[1])) if self.config.rotary else k

    def values(self, x: Values) -> Values:
        """V x, [b, heads, n, value width]."""
        return self._split(self.numbers.linear(x, self.value, self.value_bias), self.config.value_width)

    def visible(self, n: int, first: int, rows: int, at: Tensor | None) -> Tensor | None:
        """Which keys each query may read; None means all."""
        readers = torch.arange(first, first + rows)[None, None] if at is None else at[:, None, None]
        return self.config.mask.visible(readers, n)

    def initial_state(self, rows: int) -> Tensors:
        """No keys and no values."""
        c, dtype = self.config, self.key.dtype
        shapes = ((rows, c.heads, 0, c.key_width), (rows, c.heads, 0, c.value_width))
        return tuple(self.numbers.enter(torch.zeros(shape, dtype=dtype)) for shape in shapes)

    def step(self, state: Tensors, x: Values, clock: int) -> tuple[Tensors, Values]:
        """The newest token reads the cache and itself; then tokens that no later token reads are dropped."""
        x = x[:, None]
        q = self.queries(x, torch.full((len(x),), clock))
        k, v = self.numbers.join([state[0], self.keys(x, clock)], 2), self.numbers.join([state[1], self.values(x)], 2)
        read = self._together(self.numbers.attend(q, k, v, None, self.config.scores))
        return (self._without_unread(k, clock), self._without_unread(v, clock)), read[:, 0]

    def state_numbers(self, length: int) -> int:
        return self.config.heads * (self.config.key_width + self.config.value_width) * self.config.mask.carried(length)

    def cut(self, length: int) -> LayerCut:
        c = self.config
        return LayerCut(tokens=c.mask.carried(length), numbers_each=c.heads * (c.key_width + c.value_width))

    def working_numbers(self, n: int, readers: int) -> int:
        c = self.config
        return 2 * n * c.heads * (2 * c.key_width + c.value_width) + 3 * c.heads * min(readers, QUERIES) * n

    def _without_unread(self, cache: Values, clock: int) -> Values:
        i = self.config.mask.leaves(clock)
        if i is None:
            return cache
        return cache[:, :, 1:] if i == 0 else self.numbers.join([cache[:, :, :i], cache[:, :, i + 1 :]], 2)

    def _split(self, x: Values, width: int) -> Values:
        return x.reshape(x.shape[0], x.shape[1], self.config.heads, width).swapaxes(1, 2)

    def _together(self, u: Values) -> Values:
        """O applied to what the heads read, u [b, heads, rows, value width]."""
        joined = u.swapaxes(1, 2).reshape(u.shape[0], u.shape[2], self.config.heads * self.config.value_width)
        return self.numbers.linear(joined, self.out, self.out_bias)


def attention(width: int, heads: int = 4) -> AttentionConfig:
    """Causal softmax attention as it is usually trained: heads that share the width, scaled logits, biases."""
    return trained_heads(width, heads, Causal())


def trained_heads(width: int, heads: int, mask: Mask) -> AttentionConfig:
    """Heads that share the width, over what the mask lets them see."""
    if heads < 1 or width % heads:
        raise BadInput(f"attention: width {width} is not divisible by heads {heads}")
    return AttentionConfig(heads, width // heads, width // heads, mask=mask, scaled=True, bias=True)


def rotate(x: Tensor, positions: Tensor) -> Tensor:
    """Rotary positions: pairs (j, j + m/2) rotated by position / 10000^(2j/m)."""
    half = x.shape[-1] // 2
    precise = widest_float(x.device)
    rates = torch.exp(torch.arange(half, dtype=precise, device=x.device) * (-math.log(10000.0) / half))
    angles = positions[..., None].to(precise) * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    turned: Tensor = _Rotation.apply(x, cos, sin)  # type: ignore[no-untyped-call]
    return turned


class _Rotation(torch.autograd.Function):
    """Pairs turned by angles; the gradient is turned back, which takes three fifths of the time of torch's own chain of products."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        ctx.save_for_backward(cos, sin)
        half, turned = x.shape[-1] // 2, torch.empty_like(x)
        first, second = x[..., :half], x[..., half:]
        torch.mul(first, cos, out=turned[..., :half]).addcmul_(second, sin, value=-1)
        torch.mul(second, cos, out=turned[..., half:]).addcmul_(first, sin)
        return turned

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        cos, sin = ctx.saved_tensors
        return _Rotation.apply(gradients[0], cos, -sin), None, None  # type: ignore[no-untyped-call]


def _blocks(q: Values) -> list[tuple[int, Values]]:
    """Queries [b, heads, rows, m] in blocks, each with the index of its first query."""
    return [(first, q[:, :, first : first + QUERIES]) for first in range(0, q.shape[2], QUERIES)]


def window(width: int, heads: int = 4, window: int = 16) -> AttentionConfig:
    """Softmax attention to the last `window` tokens, the token itself included."""
    return trained_heads(width, heads, Window(window))


def block_sparse(width: int, heads: int = 4, block: int = 8, local: int = 1, ends: int = 1) -> AttentionConfig:
    """Softmax attention to the last `local` blocks of `block` tokens and to the last `ends` tokens of every block."""
    return trained_heads(width, heads, BlockSparse(block, local, ends))
