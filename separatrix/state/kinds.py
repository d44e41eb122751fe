"""Kinds of layer state: the arithmetic is here, families only choose the fields.

Keys and values of tokens: all of them, those of a window, or those of a chunk; `width` is what one token leaves behind. Latent attention:
one compressed vector for all heads, a key that carries the position, and keys of an indexer where there is one.
Compressed attention of DeepSeek-V4: a window of shared keys and values, one entry for each R tokens, and an open block of the N mod R
tokens that are not compressed yet, each with its gate. The overlapping scheme projects two series, so its open block is twice as wide, and
it keeps one series of the last closed block.
A short causal convolution: the cache has a column for each of the k taps; the next step overwrites the oldest.
The delta rule: a matrix for each value head, and a convolution over queries, keys and values.
Mamba: a convolution over D channels, and a state of S numbers for each channel. Mamba-2: H heads of P channels with S states each; the
convolution also runs over the inputs and outputs of G groups.
"""

from __future__ import annotations

from separatrix.state.named_number import NamedNumber, least, literal, product, total
from separatrix.state.part import FLOAT32, Cut, Layer, Part, all_needed


def full(width: NamedNumber, cut: Cut, kind: str = "full") -> Part:
    """Every token stays in the cache."""
    return all_needed(kind, width * cut.N * cut.b)


def window(width: NamedNumber, size: NamedNumber, cut: Cut, kind: str = "window") -> Part:
    """The last W - 1 tokens: the next token is the W-th of its own window. After a long prompt the cache is a view of all of it."""
    everything = width * cut.N * cut.b
    if size.value == 1:  # the engine slices [-W + 1:], which for W = 1 is [0:]
        note = f"{size.text} = 1: the engine's slice keeps every token, although none is read again"
        return Part(kind, everything.noting(note), literal(0), everything)
    held = width * least(cut.N, size - literal(1)) * cut.b
    return Part(kind, held, held, everything)


def chunk(width: NamedNumber, size: NamedNumber, cut: Cut) -> Part:
    """Chunks of C tokens that do not see each other: cached like a window of C, but only the open chunk is read again."""
    cached = window(width, size, cut, "chunk")
    return Part("chunk", cached.held, width * (cut.N % size) * cut.b, cached.allocated)


def latent(rank: NamedNumber, rotated: NamedNumber, cut: Cut) -> Part:
    """What a token adds: kv_lora_rank numbers, and qk_rope_head_dim more."""
    return full(rank + rotated, cut, "latent")


def indexer(width: NamedNumber, cut: Cut) -> Part:
    """One more key for each token, by which later tokens choose what to read."""
    return full(width, cut, "indexer")


def heavy(width: NamedNumber, rate: NamedNumber, cut: Cut) -> Part:
    """Blocks that do not overlap, without an indexer."""
    held = product(width, cut.N // rate + literal(2) * (cut.N % rate), cut.b)
    return Part("compressed", held, held, total(held, _left_over(width, literal(2), rate, cut)))


def overlapping(width: NamedNumber, rate: NamedNumber, cut: Cut) -> Part:
    """Blocks that share a series with their neighbour."""
    entries = cut.N // rate + literal(4) * (cut.N % rate)
    if cut.N.value >= rate.value:
        entries = entries + literal(2) * rate
    held = product(width, entries, cut.b)
    return Part("compressed", held, held, total(held, _left_over(width, literal(4), rate, cut)))


def _left_over(width: NamedNumber, copies: NamedNumber, rate: NamedNumber, cut: Cut) -> NamedNumber:
    """The open block is a view: the compressed tokens stay in memory behind it."""
    return product(width, copies * (cut.N - cut.N % rate), cut.b)


def columns(channels: NamedNumber, taps: NamedNumber, bytes_each: NamedNumber, cut: Cut) -> Part:
    """k columns from the first token on, filled with zeros from the left; the last k - 1 that hold tokens are read again."""
    needed = channels * least(cut.N, taps - literal(1)) * bytes_each
    held = channels * taps * bytes_each
    return Part("conv", held, needed, held)


def past_columns(channels: NamedNumber, columns_held: NamedNumber, bytes_each: NamedNumber, cut: Cut) -> Part:
    """Only the columns that are read again; those before the first token are zeros."""
    held = channels * columns_held * bytes_each
    return Part("conv", held, channels * least(cut.N, columns_held) * bytes_each, held)


def recurrent(kind: str, numbers: NamedNumber, bytes_each: NamedNumber) -> Part:
    """A state of fixed size that every token rewrites."""
    return all_needed(kind, numbers * bytes_each)


def gated_delta(
    key_heads: NamedNumber, key_width: NamedNumber, value_heads: NamedNumber, value_width: NamedNumber, taps: NamedNumber, cut: Cut
) -> Layer:
    """Gated DeltaNet: keys may have fewer heads than values; the matrices stay in float32."""
    convolved = literal(2) * key_heads * key_width + value_heads * value_width
    return columns(convolved, taps, cut.b, cut), recurrent("delta", value_heads * key_width * value_width, FLOAT32)


def kimi_delta(heads: NamedNumber, width: NamedNumber, taps: NamedNumber, cut: Cut) -> Layer:
    """Kimi Delta Attention: queries, keys and values of the same size; the matrices stay in float32."""
    return columns(literal(3) * heads * width, taps, cut.b, cut), recurrent("delta", heads * width * width, FLOAT32)


def mamba(channels: NamedNumber, taps: NamedNumber, states: NamedNumber, cut: Cut) -> Layer:
    """The convolution in the model's dtype, the state in float32."""
    return columns(channels, taps, cut.b, cut), recurrent("mamba", channels * states, FLOAT32)


def mamba2(heads: NamedNumber, channels: NamedNumber, groups: NamedNumber, states: NamedNumber, taps: NamedNumber, cut: Cut) -> Layer:
    """The convolution in the model's dtype, the state in float32."""
    convolved = heads * channels + literal(2) * groups * states
    return columns(convolved, taps, cut.b, cut), recurrent("mamba2", heads * channels * states, FLOAT32)
