"""Small softmax Transformers with random weights, without mask and norms."""

from __future__ import annotations

import torch

from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.masks import All, Mask
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.model import Model


def soft_model(
    seed: int,
    n: int,
    layers: int,
    heads: int,
    size: float,
    mask: Mask | None = None,
    vocabulary: int = 3,
    targets: int = 2,
    extent: int = 1024,
) -> Model:
    """Of width 6, with a place table; `size` is that of the weights."""
    width = 6
    layer = LayerConfig(AttentionConfig(heads, width, width, "softmax", mask or All()), FeedForwardConfig(8), residual=True)
    embedding = EmbeddingConfig(vocabulary, places=(PlaceConfig("table", width, extent=extent),))
    model = Model(ModelConfig(embedding, (layer,) * layers, ReadoutConfig(targets), width, "float64", n)).double()
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            numbers = torch.randn(parameter.shape, generator=draw, dtype=torch.float64)
            parameter.copy_(numbers.clamp(-2, 2) * size / (1 if name.startswith("embedding") else parameter.shape[-1] ** 0.5))
    return model
