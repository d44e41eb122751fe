"""Mamba blocks, LLaMA blocks, or Mamba blocks with LLaMA blocks above them, beside token vectors that are never trained.

[wen2024 Experiment 4]

    token i     sin and cos of i / 10000^(2j/d), interleaved; the read-out has the same vectors, no bias
    blocks      an RMS norm before each part; Mamba alone, or rotary attention and SwiGLU, without biases
    last norm   before the read-out; in a hybrid it stands below the LLaMA blocks, and none above them
"""

from __future__ import annotations

import torch

from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.initialisation import SMALL, initialised
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.mamba import mamba as mamba_of
from separatrix.models.model import Model
from separatrix.models.positions import SinusoidalAddress
from separatrix.models.transformer import need_sizes


def tied_stack(
    vocabulary: int,
    targets: int,
    width: int = 64,
    mamba: int = 0,
    llama: int = 1,
    heads: int = 4,
    hidden: int = 256,
    state: int = 16,
    length: int = 0,
    seed: int = 0,
) -> Model:
    """`mamba` Mamba blocks and `llama` LLaMA blocks above them, over frozen sinusoids for tokens and targets."""
    need_sizes("tied-stack", vocabulary=vocabulary, targets=targets, width=width, layers=mamba + llama, heads=heads, hidden=hidden)
    if min(mamba, llama) < 0 or width % 2 or width % heads:
        sizes = f"mamba={mamba}, llama={llama}, width={width}, heads={heads}"
        raise BadInput(f"tied-stack: expected counts of at least 0 and an even width divisible by heads, found {sizes}")
    head = width // heads
    attention = AttentionConfig(heads, head, head, scaled=True, rotary=True)
    below = (LayerConfig(mamba_of(width, state=state), residual=True, norm="rms"),) * mamba
    above = (LayerConfig(attention, FeedForwardConfig(hidden, "swiglu", bias=False), residual=True, norm="rms"),) * llama
    hybrid = bool(below and above)
    between = (LayerConfig(None, norm="rms"),) if hybrid else ()
    readout = ReadoutConfig(targets, "none" if hybrid else "rms", bias=False)
    model = initialised(ModelConfig(EmbeddingConfig(vocabulary), below + between + above, readout, width, length=length), seed, SMALL)
    sinusoids = SinusoidalAddress(width)
    with torch.no_grad():
        for parameter in (model.embedding.table, model.readout.weight):
            parameter.copy_(sinusoids(torch.arange(len(parameter)), parameter.dtype))
            parameter.requires_grad_(False)
    return model
