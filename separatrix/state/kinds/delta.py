"""Linear attention by the delta rule: a matrix for each value head, and a convolution over queries, keys and values."""

from __future__ import annotations

from separatrix.state.kinds.convolution import columns, recurrent
from separatrix.state.part import FLOAT32, Cut, Layer
from separatrix.state.words import Words, figure


def gated_delta(key_heads: Words, key_width: Words, value_heads: Words, value_width: Words, taps: Words, cut: Cut) -> Layer:
    """Gated DeltaNet: keys may have fewer heads than values; the matrices stay in float32."""
    convolved = figure(2) * key_heads * key_width + value_heads * value_width
    return columns(convolved, taps, cut.b, cut), recurrent("delta", value_heads * key_width * value_width, FLOAT32)


def kimi_delta(heads: Words, width: Words, taps: Words, cut: Cut) -> Layer:
    """Kimi Delta Attention: queries, keys and values of the same size; the matrices stay in float32."""
    return columns(figure(3) * heads * width, taps, cut.b, cut), recurrent("delta", heads * width * width, FLOAT32)
