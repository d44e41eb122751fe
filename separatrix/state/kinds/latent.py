"""Latent attention: one compressed vector for all heads, a key that carries the position, and keys of an indexer where there is one."""

from __future__ import annotations

from separatrix.state.kinds.attention import full
from separatrix.state.part import Cut, Part
from separatrix.state.words import Words


def latent(rank: Words, rotated: Words, cut: Cut) -> Part:
    """What a token adds: kv_lora_rank numbers, and qk_rope_head_dim more."""
    return full(rank + rotated, cut, "latent")


def indexer(width: Words, cut: Cut) -> Part:
    """One more key for each token, by which later tokens choose what to read."""
    return full(width, cut, "indexer")
