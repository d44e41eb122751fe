"""Attention to a sliding window: each token reads the last `window` tokens, so the state stops growing there."""

from __future__ import annotations

from separatrix.models.masks import Window
from separatrix.models.mixers.attention import AttentionConfig, trained_heads


def window(width: int, heads: int = 4, window: int = 16) -> AttentionConfig:
    """Softmax attention to the last `window` tokens, the token itself included."""
    return trained_heads(width, heads, Window(window))
