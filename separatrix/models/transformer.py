"""The papers' Transformer: one module for built and for trained weights.

[bhattamishra2024 Section 2(1)]

    x_t        embedding of token t and of its position                    (models/embedding.py)
    layer      a = O [head_1(x), ..., head_H(x)],   y = a or x + a,   z = FF(y) or y + FF(y)
               a linear recurrence in the place of heads makes a linear RNN or a hybrid   (models/linear_unit.py)
    head       softmax, hard (first maximum) or uniform attention of Q x against K x, over V x
    FF         W_2 relu(W_1 y + b_1) + b_2, or a gated product (ReGLU, SwiGLU), or GeLU
    read-out   logits = U x + c

Every number is computed by an operator of the model's arithmetic: that is where rounding happens, and nowhere else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic import arithmetic
from separatrix.arithmetic.operators import Arithmetic, Attention, Values
from separatrix.errors import BadInput
from separatrix.models import incremental
from separatrix.models.embedding import Embedding, EmbeddingConfig
from separatrix.models.folded import attend_folded, can_fold
from separatrix.models.linear_unit import LinearUnit
from separatrix.models.sequence_model import SequenceModel, State, need_tokens, pick

Activation = Literal["relu", "reglu", "gelu", "swiglu"]
Norm = Literal["none", "layer", "rms"]
QUERIES = 1024  # rows of attention computed at a time when the sequence is long


@dataclass(frozen=True)
class LayerConfig:
    """Sizes of one layer. `hidden = 0` means no feed-forward part, `state > 0` a linear unit in the place of heads."""

    heads: int
    key_width: int  # of one head
    value_width: int
    hidden: int
    attention: Attention = "softmax"
    state: int = 0


@dataclass(frozen=True)
class TransformerConfig:
    """Everything but the numbers."""

    embedding: EmbeddingConfig
    targets: int
    width: int
    layers: tuple[LayerConfig, ...]
    causal: bool = False
    residual: bool = False
    activation: Activation = "relu"
    norm: Norm = "none"
    scaled: bool = False  # logits divided by sqrt(key_width), as is usual in training
    attention_bias: bool = False
    feedforward_bias: bool = True
    rotary: bool = False
    dropout: float = 0.0
    arithmetic: str = "float32"
    length: int = 0  # tokens of the longest input it is meant for; 0 where that is not fixed

    def __post_init__(self) -> None:
        for layer in self.layers:
            if self.rotary and layer.key_width % 2:
                raise BadInput(f"rotary positions need an even key width, found {layer.key_width}")


class AttentionHeads(nn.Module):
    """H heads side by side; rows h m .. (h + 1) m - 1 of each weight belong to head h."""

    def __init__(self, config: TransformerConfig, layer: LayerConfig, numbers: Arithmetic) -> None:
        super().__init__()
        self.layer, self.causal, self.rotary, self.numbers = layer, config.causal, config.rotary, numbers
        self.scale = 1 / math.sqrt(layer.key_width) if config.scaled else None
        keys, values = layer.heads * layer.key_width, layer.heads * layer.value_width
        self.query, self.key = _weight(keys, config.width), _weight(keys, config.width)
        self.value, self.out = _weight(values, config.width), _weight(config.width, values)
        biased = config.attention_bias
        self.query_bias, self.key_bias = _bias(keys, biased), _bias(keys, biased)
        self.value_bias, self.out_bias = _bias(values, biased), _bias(config.width, biased)

    def forward(self, x: Values, at: Tensor | None, weights: list[Tensor] | None = None) -> Values:
        """M-Att at every position of x [b, n, width], or at one position per row; `weights` collects the attention."""
        if at is not None and weights is None and can_fold(self):
            return attend_folded(self, x, at)
        q = self.queries(x if at is None else pick(x, at), at)
        k, v = self.keys(x), self.values(x)
        n, rows = x.shape[1], q.shape[2]
        read = []
        for first in range(0, rows, QUERIES):  # a long sequence is read a block of queries at a time
            part = q[:, :, first : first + QUERIES]
            visible = self.visible(n, first, part.shape[2], at)
            if weights is not None:
                weights.append(self.numbers.leave(self.numbers.weights(part, k, visible, self.layer.attention)))
            read.append(self.numbers.attend(part, k, v, visible, self.layer.attention))
        u = read[0] if len(read) == 1 else self.numbers.join(read, 2)
        u = u.swapaxes(1, 2).reshape(u.shape[0], rows, self.layer.heads * self.layer.value_width)
        return self.numbers.linear(u, self.out, self.out_bias)

    def queries(self, x: Values, at: Tensor | None) -> Values:
        """Q x, [b, heads, rows, m]."""
        q = self._split(self.numbers.linear(x, self.query, self.query_bias), self.layer.key_width)
        if self.rotary:
            q = rotate(q, torch.arange(x.shape[1]) if at is None else at[:, None, None])
        return q if self.scale is None else q * self.scale

    def keys(self, x: Values, start: int = 0) -> Values:
        """K x, [b, heads, n, m], where x stands at positions start, start + 1, ... counted from 0."""
        k = self._split(self.numbers.linear(x, self.key, self.key_bias), self.layer.key_width)
        return rotate(k, torch.arange(start, start + x.shape[1])) if self.rotary else k

    def values(self, x: Values) -> Values:
        """V x, [b, heads, n, value width]."""
        return self._split(self.numbers.linear(x, self.value, self.value_bias), self.layer.value_width)

    def visible(self, n: int, first: int, rows: int, at: Tensor | None) -> Tensor | None:
        """Which keys each query may read; None means all."""
        if not self.causal:
            return None
        reader = torch.arange(first, first + rows)[None, None, :, None] if at is None else at[:, None, None, None]
        return torch.arange(n) <= reader

    def _split(self, x: Values, width: int) -> Values:
        return x.reshape(x.shape[0], x.shape[1], self.layer.heads, width).swapaxes(1, 2)


class FeedForward(nn.Module):
    """Two linear maps with a non-linearity between, at each position alone."""

    def __init__(self, config: TransformerConfig, hidden: int, numbers: Arithmetic) -> None:
        super().__init__()
        self.activation, self.numbers = config.activation, numbers
        gated = config.activation in ("reglu", "swiglu")
        biased = config.feedforward_bias
        self.inner, self.inner_bias = _weight(hidden, config.width), _bias(hidden, biased)
        self.gate = _weight(hidden, config.width) if gated else None
        self.gate_bias = _bias(hidden, biased and gated)
        self.outer, self.outer_bias = _weight(config.width, hidden), _bias(config.width, biased)

    def forward(self, y: Values) -> Values:
        """FF(y)."""
        h = self.numbers.linear(y, self.inner, self.inner_bias)
        if self.activation == "gelu":
            h = functional.gelu(h, approximate="tanh")
        elif self.activation == "swiglu":
            h = functional.silu(h)
        else:
            h = self.numbers.relu(h)
        if self.gate is not None:
            h = self.numbers.product(h, self.numbers.linear(y, self.gate, self.gate_bias))
        return self.numbers.linear(h, self.outer, self.outer_bias)


class Layer(nn.Module):
    """Attention, then feed-forward."""

    def __init__(self, config: TransformerConfig, layer: LayerConfig, numbers: Arithmetic) -> None:
        super().__init__()
        self.residual, self.numbers, self.dropout = config.residual, numbers, config.dropout
        self.unit = LinearUnit(config.width, layer.state, numbers) if layer.state else None
        if not layer.state:  # a layer has heads or a linear unit
            self.attention = AttentionHeads(config, layer, numbers)
        self.feedforward = FeedForward(config, layer.hidden, numbers) if layer.hidden else None
        self.before_attention, self.before_feedforward = _norm(config), _norm(config)

    def forward(self, x: Values, at: Tensor | None = None, weights: list[Tensor] | None = None) -> Values:
        """The stream [b, n, width] after this layer, or its rows [b, 1, width] at one position each."""
        before = x if self.before_attention is None else self.before_attention(x)
        a = self.attention(before, at, weights) if self.unit is None else self.unit(before, at)
        return self.after_attention(x if at is None else pick(x, at), a)

    def after_attention(self, x: Values, a: Values) -> Values:
        """The rest of the layer, at each position alone."""
        y = self.numbers.add(x, self._drop(a)) if self.residual else a
        if self.feedforward is None:
            return y
        z = self.feedforward(y if self.before_feedforward is None else self.before_feedforward(y))
        return self.numbers.add(y, self._drop(z)) if self.residual else z

    def _drop(self, x: Values) -> Values:
        return functional.dropout(x, self.dropout) if self.dropout and self.training else x


class Transformer(SequenceModel):
    """tokens [b, n] -> logits [b, n, targets]; with `at`, the read-out position only, [b, targets]."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.numbers = arithmetic(config.arithmetic)
        trained_only = config.norm != "none" or config.activation in ("gelu", "swiglu") or config.scaled or config.rotary
        if self.numbers.format.kind != "native" and trained_only:
            raise BadInput(f"{config.arithmetic} has no norm, GeLU, SwiGLU, scaled logits or rotary positions; use a native float")
        self.embedding = Embedding(config.embedding, config.width)
        self.layers = nn.ModuleList(Layer(config, layer, self.numbers) for layer in config.layers)
        self.final_norm = _norm(config)
        self.unembedding, self.unembedding_bias = _weight(config.targets, config.width), nn.Parameter(torch.zeros(config.targets))

    def stack(self) -> list[Layer]:
        """The layers, by their type."""
        return [layer for layer in self.layers if isinstance(layer, Layer)]

    def forward(self, tokens: Tensor, at: int | Tensor | None = None) -> Tensor:
        """Logits everywhere, or at the position `at` of each row (-1 is the last): then the last layer works there alone."""
        need_tokens(tokens)
        if at is not None:
            from separatrix.models.streaming import can_stream, stream

            where = read_positions(tokens, at)
            if can_stream(self, tokens, where):
                return self.readout(stream(self, tokens))[:, 0]
            return self.readout(self.hidden(tokens, where))[:, 0]
        return self.readout(self.hidden(tokens, None))

    def hidden(self, tokens: Tensor, at: Tensor | None, weights: list[list[Tensor]] | None = None) -> Values:
        """The stream after the last layer; `weights` collects, per layer, the attention."""
        x = self.numbers.enter(self.embedding(tokens))
        for index, layer in enumerate(self.layers):
            collect: list[Tensor] | None = [] if weights is not None else None
            x = layer(x, at if index == len(self.layers) - 1 else None, collect)
            if weights is not None and collect is not None:
                weights.append(collect)
        return x

    def readout(self, x: Values) -> Tensor:
        """Logits of stream vectors, as a floating-point tensor."""
        x = x if self.final_norm is None else self.final_norm(x)
        return self.numbers.leave(self.numbers.linear(x, self.unembedding, self.unembedding_bias))

    def initial_state(self, rows: int) -> State:
        """An empty cache of keys and values for each layer."""
        return State(0, tuple(incremental.empty_state(layer, rows) for layer in self.stack()))

    def step(self, state: State, tokens: Tensor) -> tuple[State, Tensor]:
        """Read one token [rows] of each sequence: the next state and the logits [rows, targets]."""
        return incremental.step(self, state, tokens)

    def state_numbers(self, length: int) -> int:
        """Keys and values of every token so far."""
        incremental.need_steps(self)
        return sum(incremental.cache_numbers(layer, length) for layer in self.config.layers)


def read_positions(tokens: Tensor, at: int | Tensor) -> Tensor:
    """`at` as one position per row, counted from 0."""
    rows, n = tokens.shape
    where = torch.full((rows,), at) if isinstance(at, int) else at
    where = torch.where(where < 0, where + n, where)
    if where.shape != (rows,) or bool(((where < 0) | (where >= n)).any()):
        raise BadInput(f"read-out positions must be one per row in 0..{n - 1}")
    return where


def rotate(x: Tensor, positions: Tensor) -> Tensor:
    """Rotary positions: pairs (j, j + m/2) turned by position / 10000^(2j/m)."""
    half = x.shape[-1] // 2
    rates = torch.exp(torch.arange(half, dtype=torch.float64) * (-math.log(10000.0) / half))
    angles = positions[..., None].to(torch.float64) * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


def _weight(out: int, into: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(out, into))


def _bias(out: int, there: bool) -> nn.Parameter | None:
    return nn.Parameter(torch.zeros(out)) if there else None


def _norm(config: TransformerConfig) -> nn.Module | None:
    if config.norm == "none":
        return None
    return nn.LayerNorm(config.width) if config.norm == "layer" else nn.RMSNorm(config.width, eps=1e-6)
