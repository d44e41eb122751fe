"""A Transformer of hard attention, to be trained: one layer, twelve heads, of which head h looks at place h.

No gradient reaches the queries and keys of hard attention, so they are set once; what is made of what the heads read is learned.
It learns PARITY of 12 bits completely. Of 100 bits it reads a dozen, as every model of hard attention reads few in the end:

    separatrix train parity --length 12 --model examples/hard_attention.py:hard_attention --steps 2000 --batch 256 \
        --rate 0.002 --set budget.enough=1 --set budget.validate_every=250 --test-length 12 --test-length 100 --out hard
    separatrix collide hard parity --length 100 --restrict --code examples/hard_attention.py:hard_attention --out restriction.json
"""

from __future__ import annotations

import torch

from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.model import Model

HEADS, HIDDEN = 12, 256
SYMBOL, END = HEADS, HEADS + 1  # coordinates, after one for what each head reads; then one for each of the first places


def hard_attention(vocabulary: int, targets: int, length: int, seed: int = 0) -> Model:
    """For tasks over two symbols, with or without an end symbol, whose answer is read at the last token."""
    width, draw = 2 * HEADS + 2, torch.Generator().manual_seed(seed)
    layer = LayerConfig(AttentionConfig(HEADS, 1, 1, "hard"), FeedForwardConfig(HIDDEN), residual=True)
    embedding = EmbeddingConfig(vocabulary, places=(PlaceConfig("table", HEADS, length),))
    model = Model(ModelConfig(embedding, (layer,), ReadoutConfig(targets), width, length=length))
    mixer, place = model.layers[0].mixer, model.embedding.places[0]
    with torch.no_grad():
        for parameter in model.parameters():
            numbers = torch.randn(parameter.shape, generator=draw)
            parameter.copy_(numbers / parameter.shape[-1] ** 0.5 if parameter.dim() > 1 else 0 * numbers)
        for parameter in (mixer.query, mixer.key, mixer.value, mixer.out, model.embedding.table, place.weight, place.address.table):
            parameter.zero_()
        model.embedding.table[:2, SYMBOL] = torch.tensor([-1.0, 1.0])
        model.embedding.table[2 if vocabulary > 2 else 0 :, END] = 1  # who asks: the end symbol, or everyone
        place.address.table[:HEADS] = torch.eye(HEADS)[: len(place.address.table)]
        place.weight[:, END + 1 :] = torch.eye(HEADS)
        mixer.query[:, END], mixer.key[:, END + 1 :] = 1, torch.eye(HEADS)  # who asks scores 1 at place h, and 0 elsewhere
        mixer.value[:, SYMBOL], mixer.out[:HEADS] = 1, torch.eye(HEADS)
    for parameter in (mixer.query, mixer.key, place.weight, place.address.table):
        parameter.requires_grad_(False)
    return model
