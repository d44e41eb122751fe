"""Causal softmax attention as one mixer of a stack: the heads of the Transformer, with scaled logits and biases."""

from __future__ import annotations

import torch
from torch import Tensor

from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models.embedding import EmbeddingConfig
from separatrix.models.incremental import attend_step, cache_numbers, empty_cache
from separatrix.models.mixer import Mixer
from separatrix.models.sequence_model import Tensors
from separatrix.models.transformer import AttentionHeads, LayerConfig, TransformerConfig


class AttentionMixer(Mixer):
    """H heads of width d / H; the state is every key and value so far."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        if heads < 1 or width % heads:
            raise BadInput(f"attention: width {width} is not divisible by heads {heads}")
        layer = LayerConfig(heads, width // heads, width // heads, hidden=0)
        frame = TransformerConfig(EmbeddingConfig(1), 1, width, (layer,), causal=True, scaled=True, attention_bias=True)
        self.heads = AttentionHeads(frame, layer, arithmetic("float32"))  # native operators follow the type of the weights

    def forward(self, x: Tensor, at: Tensor | None = None) -> Tensor:
        """With `at` only one query per row is asked."""
        mixed: Tensor = self.heads(x, at)
        return mixed

    def mix(self, x: Tensor) -> Tensor:
        return self.forward(x)

    def initial_state(self, rows: int) -> Tensors:
        return empty_cache(self.heads, rows)

    def step(self, state: Tensors, x: Tensor, clock: int) -> tuple[Tensors, Tensor]:
        state, mixed = attend_step(self.heads, state, x[:, None], clock)
        return state, torch.as_tensor(mixed)[:, 0]

    def state_numbers(self, length: int) -> int:
        return cache_numbers(self.heads.layer, length)
