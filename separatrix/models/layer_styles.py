"""How layers of a mixer are usually stacked. No torch here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LayerStyle:
    """How layers of a mixer are usually stacked."""

    residual: bool  # residual blocks with a norm before each part, or one mixer after the other
    feedforward: bool  # whether a feed-forward part follows each mixer
    positions: bool  # whether it needs positions from the embedding


BARE = LayerStyle(residual=False, feedforward=False, positions=False)  # as LSTMs are stacked
BLOCK = LayerStyle(residual=True, feedforward=True, positions=False)  # as Transformer blocks are
ALONE = LayerStyle(residual=True, feedforward=False, positions=False)  # residual, and the mixer is the whole block, as Mamba's is
PLACED_BLOCK = LayerStyle(residual=True, feedforward=True, positions=True)
