"""Mamba: a convolution over D channels, and a state of S numbers for each channel."""

from __future__ import annotations

from separatrix.state.kinds.convolution import columns, recurrent
from separatrix.state.part import FLOAT32, Cut, Layer
from separatrix.state.words import Words


def mamba(channels: Words, taps: Words, states: Words, cut: Cut) -> Layer:
    """The convolution in the model's dtype, the state in float32."""
    return columns(channels, taps, cut.b, cut), recurrent("mamba", channels * states, FLOAT32)
