"""Transformers to be trained, with the blocks that are usual in practice.

[bhattamishra2024 Section 2(1); bhattamishra2024 Experiment 4]

Three blocks:
    gpt2    layer norm before each part, GeLU, biases, residual
    llama   RMS norm before each part, SwiGLU, no biases in layers, residual
    plain   no norm, ReLU, no biases in attention, residual: the model that statements about hard and soft attention are about

With `scores="hard"` every head reads the one place with the largest score. Then no gradient reaches queries and keys, and only what is
read, and what is made of it, is learned.
"""

from __future__ import annotations

from typing import Literal

import torch

from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, Norm, PlaceConfig, ReadoutConfig
from separatrix.models.initialisation import initialised
from separatrix.models.masks import All, Causal
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.model import Model

MOST_LAYERS = 1000
TOKENS_BESIDE_PLACES = 0.1


def transformer(
    vocabulary: int,
    targets: int,
    width: int = 64,
    layers: int = 1,
    heads: int = 4,
    length: int = 512,
    positions: Literal["learned", "sinusoidal", "rotary", "none"] = "learned",
    block: Literal["gpt2", "llama", "plain"] = "gpt2",
    causal: bool = True,
    scores: Literal["softmax", "hard"] = "softmax",
    dropout: float = 0.0,
    deviation: float = 0.02,
    seed: int = 0,
) -> Model:
    """A Transformer with fresh weights; `length` is the longest input, in tokens, for learned positions.

    `deviation` is that of the initial weights: GPT-2's 0.02, or about width^(-1/2) for a task without gradient until the model counts.
    """
    need_sizes("transformer", vocabulary=vocabulary, targets=targets, width=width, layers=layers, heads=heads, length=length)
    need_dropout("transformer", dropout)
    need_deviation("transformer", deviation)
    if width % heads:
        raise BadInput(f"transformer: width {width} is not divisible by heads {heads}")
    norm, hidden = _block(block, width)
    mask, rotary = Causal() if causal else All(), positions == "rotary"
    attention = AttentionConfig(heads, width // heads, width // heads, scores, mask, scaled=True, bias=block == "gpt2", rotary=rotary)
    config = ModelConfig(
        embedding=EmbeddingConfig(vocabulary, places=() if positions == "rotary" else places("transformer", positions, width, length)),
        layers=(LayerConfig(attention, hidden, residual=True, norm=norm),) * layers,
        readout=ReadoutConfig(targets, norm),
        width=width,
        length=length,
        dropout=dropout,
    )
    model = initialised(config, seed, deviation, readout=deviation)
    if scores == "hard":  # heads that no gradient can turn begin by looking at places
        with torch.no_grad():
            model.embedding.table.mul_(TOKENS_BESIDE_PLACES)
    return model


def _block(block: str, width: int) -> tuple[Norm, FeedForwardConfig]:
    """The norm before each part, and the feed-forward part."""
    if block == "llama":
        return "rms", FeedForwardConfig(8 * width // 3, "swiglu", bias=False)
    return ("layer", FeedForwardConfig(4 * width, "gelu")) if block == "gpt2" else ("none", FeedForwardConfig(4 * width, "relu"))


def places(what: str, positions: Literal["learned", "sinusoidal", "none"], width: int, length: int) -> tuple[PlaceConfig, ...]:
    """The positional features of the embedding."""
    if positions == "sinusoidal" and width % 2:
        raise BadInput(f"{what}: sinusoidal positions need an even width, found {width}")
    if positions == "learned":
        return (PlaceConfig("table", width, length, projected=False),)
    return (PlaceConfig("sinusoidal", width, projected=False),) if positions == "sinusoidal" else ()


def need_sizes(what: str, **sizes: int) -> None:
    """Refuse sizes below 1, and more layers than a certificate may have."""
    for name, value in sizes.items():
        if value < 1:
            raise BadInput(f"{what}: {name} must be at least 1, found {value}")
    if sizes.get("layers", 1) > MOST_LAYERS:
        raise BadInput(f"{what}: layers must be at most {MOST_LAYERS}, found {sizes['layers']}")


def need_deviation(what: str, deviation: float | None) -> None:
    """The deviation of initial weights is positive, where one is chosen."""
    if deviation is not None and not deviation > 0:
        raise BadInput(f"{what}: deviation must be positive, found {deviation}")


def need_dropout(what: str, dropout: float) -> None:
    """Refuse a share outside [0, 1)."""
    if not 0 <= dropout < 1:
        raise BadInput(f"{what}: dropout must lie in [0, 1), found {dropout}")
