"""Any list of mixers, one above the other, between an embedding and a linear read-out.

plain      x <- mixer(x)                                    how recurrent networks are stacked
residual   x <- x + mixer(norm(x)),  x <- x + FF(norm(x))   how Transformer blocks are, with any mixer for the attention

sx.model("stack", mixers=("attention", "my_file.py:Conv"), vocabulary=..., targets=...)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models.embedding import Embedding, EmbeddingConfig, PlaceConfig
from separatrix.models.mixer import Mixer, make_mixer
from separatrix.models.sequence_model import SequenceModel, State, Tensors, need_tokens, pick
from separatrix.models.transformer import FeedForward, TransformerConfig, read_positions


@dataclass(frozen=True)
class StackConfig:
    """Everything but the numbers."""

    embedding: EmbeddingConfig
    targets: int
    width: int
    mixers: tuple[str, ...]  # one per layer: a name, or file.py:Name
    residual: bool = False
    hidden: int = 0  # of the feed-forward part after each mixer; 0 means none
    heads: int = 4  # of mixers that have heads
    dropout: float = 0.0


class Block(nn.Module):
    """One mixer and what stands around it."""

    def __init__(self, config: StackConfig, mixer: Mixer) -> None:
        super().__init__()
        self.mixer, self.residual, self.dropout = mixer, config.residual, config.dropout
        frame = TransformerConfig(config.embedding, config.targets, config.width, (), activation="gelu")
        self.before_mixing = nn.LayerNorm(config.width) if config.residual else None
        self.before_feedforward = nn.LayerNorm(config.width) if config.residual and config.hidden else None
        self.feedforward = FeedForward(frame, config.hidden, arithmetic("float32")) if config.hidden else None

    def forward(self, x: Tensor, at: Tensor | None = None) -> Tensor:
        """The stream [b, n, width] after this block, or its rows [b, 1, width] at one position each."""
        mixed = self.mixer(x if self.before_mixing is None else self.before_mixing(x), at)
        return self.after_mixing(x if at is None else pick(x, at), mixed)

    def step(self, state: Tensors, x: Tensor, clock: int) -> tuple[Tensors, Tensor]:
        """The same for one token x [b, width]."""
        state, mixed = self.mixer.step(state, x if self.before_mixing is None else self.before_mixing(x), clock)
        return state, self.after_mixing(x, mixed)

    def after_mixing(self, x: Tensor, mixed: Tensor) -> Tensor:
        """The rest of the block, at each position alone."""
        y = x + self._drop(mixed) if self.residual else self._drop(mixed)
        if self.feedforward is None:
            return y
        z = self.feedforward(y if self.before_feedforward is None else self.before_feedforward(y))
        return y + self._drop(z) if self.residual else z

    def _drop(self, x: Tensor) -> Tensor:
        return functional.dropout(x, self.dropout) if self.dropout and self.training else x


class Stack(SequenceModel):
    """tokens [b, n] -> logits [b, n, targets]; with `at`, the read-out position only, [b, targets]."""

    def __init__(self, config: StackConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config.embedding, config.width)
        self.blocks = nn.ModuleList(Block(config, make_mixer(name, config.width, config.heads)) for name in config.mixers)
        self.final_norm = nn.LayerNorm(config.width) if config.residual else None
        self.unembedding = nn.Linear(config.width, config.targets)

    def forward(self, tokens: Tensor, at: int | Tensor | None = None) -> Tensor:
        need_tokens(tokens)
        where = None if at is None else read_positions(tokens, at)
        x = self.embedding(tokens)
        for index, block in enumerate(self.blocks):
            x = block(x, where if index == len(self.blocks) - 1 else None)
        return self.readout(x) if where is None else self.readout(x)[:, 0]

    def readout(self, x: Tensor) -> Tensor:
        """Logits of stream vectors."""
        logits: Tensor = self.unembedding(x if self.final_norm is None else self.final_norm(x))
        return logits

    def initial_state(self, rows: int) -> State:
        return State(0, tuple(block.mixer.initial_state(rows) for block in self.stack()))

    def step(self, state: State, tokens: Tensor) -> tuple[State, Tensor]:
        x = self.embedding(tokens[:, None], start=state.clock + 1)[:, 0]
        carried = []
        for block, before in zip(self.stack(), state.layers, strict=True):
            after, x = block.step(before, x, state.clock)
            carried.append(after)
        return State(state.clock + 1, tuple(carried)), self.readout(x)

    def state_numbers(self, length: int) -> int:
        return sum(block.mixer.state_numbers(length) for block in self.stack())

    def stack(self) -> list[Block]:
        """The blocks, by their type."""
        return [block for block in self.blocks if isinstance(block, Block)]


def stack(
    vocabulary: int,
    targets: int,
    mixers: tuple[str, ...] = ("attention", "lstm"),
    width: int = 64,
    heads: int = 4,
    length: int = 512,
    positions: Literal["learned", "sinusoidal", "none"] = "learned",
    feedforward: bool = True,
    dropout: float = 0.0,
    seed: int = 0,
) -> Stack:
    """Residual blocks around any list of mixers; `length` is the longest input, in tokens, for learned positions."""
    _need("stack", dropout, vocabulary=vocabulary, targets=targets, width=width, heads=heads, length=length, mixers=len(mixers))
    if positions == "sinusoidal" and width % 2:
        raise BadInput(f"stack: sinusoidal positions need an even width, found {width}")
    places = {
        "learned": (PlaceConfig("table", width, length, projected=False),),
        "sinusoidal": (PlaceConfig("sinusoidal", width, projected=False),),
    }
    embedding = EmbeddingConfig(plain=vocabulary, places=places.get(positions, ()))
    return fresh(StackConfig(embedding, targets, width, tuple(mixers), True, 4 * width if feedforward else 0, heads, dropout), seed)


def recurrent_stack(mixer: str, vocabulary: int, targets: int, width: int, layers: int, dropout: float, seed: int) -> Stack:
    """Recurrent layers as they are usually stacked: no residual, no norm, no positions."""
    _need(mixer, dropout, vocabulary=vocabulary, targets=targets, width=width, layers=layers)
    return fresh(StackConfig(EmbeddingConfig(plain=vocabulary), targets, width, (mixer,) * layers, dropout=dropout), seed)


def fresh(config: StackConfig, seed: int) -> Stack:
    """A stack with fresh weights that depend on the seed alone: mixers as they make themselves, the rest as their neighbours want it.

    A recurrent cell wants inputs of size 1; a residual stream starts small, and what writes into it smaller still.
    """
    with torch.random.fork_rng(devices=[]), torch.no_grad():  # also a user's module may draw from the global generator
        torch.manual_seed(seed)
        model = Stack(config)
        small, shrink = 0.02, 1 / math.sqrt(2 * len(config.mixers))
        for name, parameter in model.named_parameters():
            inside_user = ".mixer.module." in name
            cell = ".mixer.kernel." in name
            if inside_user or cell or parameter.dim() < 2 or name.startswith("unembedding"):
                continue
            deviation = (small if config.residual else 1.0) * (shrink if name.endswith((".out", ".outer")) else 1.0)
            parameter.normal_(0.0, deviation)
    return model


def _need(what: str, dropout: float, **sizes: int) -> None:
    for name, value in sizes.items():
        if value < 1:
            raise BadInput(f"{what}: {name} must be at least 1, found {value}")
    if not 0 <= dropout < 1:
        raise BadInput(f"{what}: dropout must lie in [0, 1), found {dropout}")


def user_code(mixers: Sequence[str]) -> list[str]:
    """The mixers that are someone else's code."""
    return [name for name in mixers if ":" in name]
