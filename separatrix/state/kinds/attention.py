"""Keys and values of tokens: all of them, those of a window, or those of a chunk. `width` is what one token leaves behind.

Latent attention: one compressed vector for all heads, a key that carries the position, and keys of an indexer where there is one.
"""

from __future__ import annotations

from separatrix.state.part import Cut, Part, all_needed
from separatrix.state.words import Words, figure, least


def full(width: Words, cut: Cut, kind: str = "full") -> Part:
    """Every token stays in the cache."""
    return all_needed(kind, width * cut.N * cut.b)


def window(width: Words, size: Words, cut: Cut, kind: str = "window") -> Part:
    """The last W - 1 tokens: the next token is the W-th of its own window. After a long prompt the cache is a view of all of it."""
    everything = width * cut.N * cut.b
    if size.value == 1:  # the engine slices [-W + 1:], which for W = 1 is [0:]
        note = f"{size.text} = 1: the engine's slice keeps every token, although none is read again"
        return Part(kind, everything.noting(note), figure(0), everything)
    held = width * least(cut.N, size - figure(1)) * cut.b
    return Part(kind, held, held, everything)


def chunk(width: Words, size: Words, cut: Cut) -> Part:
    """Chunks of C tokens that do not see each other: cached like a window of C, but only the open chunk is read again."""
    cached = window(width, size, cut, "chunk")
    return Part("chunk", cached.held, width * (cut.N % size) * cut.b, cached.allocated)


def latent(rank: Words, rotated: Words, cut: Cut) -> Part:
    """What a token adds: kv_lora_rank numbers, and qk_rope_head_dim more."""
    return full(rank + rotated, cut, "latent")


def indexer(width: Words, cut: Cut) -> Part:
    """One more key for each token, by which later tokens choose what to read."""
    return full(width, cut, "indexer")
