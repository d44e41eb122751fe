"""Transformers to be trained: the class of the constructions with the blocks that are usual in practice.

[bhattamishra2024 Section 2(1); bhattamishra2024 Experiment 4]

Two blocks:
    gpt2    layer norm before each part, GeLU, biases, residual
    llama   RMS norm before each part, SwiGLU, no biases in layers, residual
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import nn

from separatrix.errors import BadInput
from separatrix.models.embedding import EmbeddingConfig, PlaceConfig
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig


def transformer(
    vocabulary: int,
    targets: int,
    width: int = 64,
    layers: int = 1,
    heads: int = 4,
    length: int = 512,
    positions: Literal["learned", "sinusoidal", "rotary", "none"] = "learned",
    block: Literal["gpt2", "llama"] = "gpt2",
    causal: bool = True,
    dropout: float = 0.0,
    deviation: float = 0.02,
    seed: int = 0,
) -> Transformer:
    """A Transformer with fresh weights; `length` is the longest input, in tokens, for learned positions.

    `deviation` is that of the initial weights: GPT-2's 0.02, or about width^(-1/2) where a task needs a counter before it gives a slope.
    """
    for name, value in (
        ("vocabulary", vocabulary),
        ("targets", targets),
        ("width", width),
        ("layers", layers),
        ("heads", heads),
        ("length", length),
    ):
        if value < 1:
            raise BadInput(f"transformer: {name} must be at least 1, found {value}")
    if width % heads:
        raise BadInput(f"transformer: width {width} is not divisible by heads {heads}")
    if not deviation > 0:
        raise BadInput(f"transformer: deviation must be positive, found {deviation}")
    if not 0 <= dropout < 1:
        raise BadInput(f"transformer: dropout must lie in [0, 1), found {dropout}")
    if positions == "sinusoidal" and width % 2:
        raise BadInput(f"transformer: sinusoidal positions need an even width, found {width}")
    head = width // heads
    places = {
        "learned": (PlaceConfig("table", width, length, projected=False),),
        "sinusoidal": (PlaceConfig("sinusoidal", width, projected=False),),
        "rotary": (),
        "none": (),
    }[positions]
    gpt = block == "gpt2"
    config = TransformerConfig(
        embedding=EmbeddingConfig(plain=vocabulary, places=places),
        targets=targets,
        width=width,
        layers=(LayerConfig(heads, head, head, 4 * width if gpt else 8 * width // 3),) * layers,
        causal=causal,
        residual=True,
        activation="gelu" if gpt else "swiglu",
        norm="layer" if gpt else "rms",
        scaled=True,
        attention_bias=gpt,
        feedforward_bias=gpt,
        rotary=positions == "rotary",
        dropout=dropout,
        length=length,
    )
    model = Transformer(config)
    initialise(model, seed, deviation)
    return model


def initialise(model: Transformer, seed: int, deviation: float) -> None:
    """Normal weights of this deviation, those that write into the residual stream smaller by sqrt(2 layers); biases 0, norms 1."""
    generator = torch.Generator().manual_seed(seed)
    shrink = 1 / math.sqrt(2 * len(model.layers))
    norms = {id(p) for module in model.modules() if isinstance(module, nn.LayerNorm | nn.RMSNorm) for p in module.parameters()}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if id(parameter) in norms:
                continue
            if parameter.dim() < 2:
                parameter.zero_()
            else:
                writes = name.endswith((".out", ".outer"))
                parameter.normal_(0.0, deviation * (shrink if writes else 1.0), generator=generator)
