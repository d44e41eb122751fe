"""Mamba: a convolution over D channels, and a state of S numbers for each channel.

Mamba-2: H heads of P channels with S states each; the convolution also runs over the inputs and outputs of G groups.
"""

from __future__ import annotations

from separatrix.state.kinds.convolution import columns, recurrent
from separatrix.state.part import FLOAT32, Cut, Layer
from separatrix.state.words import Words, figure


def mamba(channels: Words, taps: Words, states: Words, cut: Cut) -> Layer:
    """The convolution in the model's dtype, the state in float32."""
    return columns(channels, taps, cut.b, cut), recurrent("mamba", channels * states, FLOAT32)


def mamba2(heads: Words, channels: Words, groups: Words, states: Words, taps: Words, cut: Cut) -> Layer:
    """The convolution in the model's dtype, the state in float32."""
    convolved = heads * channels + figure(2) * groups * states
    return columns(convolved, taps, cut.b, cut), recurrent("mamba2", heads * channels * states, FLOAT32)
