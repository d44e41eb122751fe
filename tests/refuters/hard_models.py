"""Small models of hard attention with random weights."""

from __future__ import annotations

import torch

from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.masks import All, Mask
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.model import Model


def hard_model(
    seed: int, n: int, layers: int, heads: int, vocabulary: int, mask: Mask | None = None, width: int = 8, arithmetic: str = "float64"
) -> Model:
    """Tokens and places with vectors of their own, residual layers of hard attention, a feed-forward part after each."""
    head = AttentionConfig(heads, width, width, "hard", mask or All())
    layer = LayerConfig(head, FeedForwardConfig(2 * width), residual=True)
    embedding = EmbeddingConfig(vocabulary, places=(PlaceConfig("table", width, extent=n),))
    config = ModelConfig(embedding, (layer,) * layers, ReadoutConfig(2), width, arithmetic, n)
    model, draw = Model(config).double(), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            numbers = torch.randn(parameter.shape, generator=draw, dtype=torch.float64)
            parameter.copy_(numbers / (1 if parameter.dim() < 2 else parameter.shape[-1] ** 0.5))
            if arithmetic.startswith("fixed"):
                parameter.copy_((parameter * 16).round() / 16)
    return model
