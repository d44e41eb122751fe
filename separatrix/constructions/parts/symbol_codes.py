"""Symbols as binary codes, and reading a code back."""

from __future__ import annotations

import numpy as np

from separatrix.bits import bits_for
from separatrix.constructions.forms import Array


def binary_code(symbols: int) -> Array:
    """rho(s) for every symbol, [|S|, b] of zeros and ones, least significant bit first; b = ceil(log2 |S|), at least 1."""
    return ((np.arange(symbols)[:, None] >> np.arange(bits_for(symbols))) & 1).astype(np.float64)


def sign_code(symbols: int) -> Array:
    """The binary code with -1 for 0. As weights of a read-out it gives b - 2 hamming(s, t): largest at s = t, by 2."""
    return 2 * binary_code(symbols) - 1


def nearest_code(symbols: int) -> tuple[Array, Array]:
    """Weights U [|S|, b] and biases c such that U rho(t) + c = b - 2 hamming(s, t): largest at s = t, by exactly 2."""
    signs = sign_code(symbols)
    return 2 * signs, -signs.sum(axis=1)
