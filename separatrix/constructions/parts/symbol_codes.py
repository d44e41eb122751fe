"""Symbols as binary codes, and reading a code back."""

from __future__ import annotations

import torch
from torch import Tensor


def code_width(symbols: int) -> int:
    """b = ceil(log2 |S|), at least 1."""
    return max(1, (symbols - 1).bit_length())


def binary_code(symbols: int) -> Tensor:
    """rho(s) for every symbol, [|S|, b] of zeros and ones, least significant bit first."""
    return ((torch.arange(symbols)[:, None] >> torch.arange(code_width(symbols))) & 1).to(torch.float64)


def nearest_code(symbols: int) -> tuple[Tensor, Tensor]:
    """Weights U [|S|, b] and biases c such that U rho(t) + c = b - 2 hamming(s, t): largest at s = t, by exactly 2."""
    signs = 2 * binary_code(symbols) - 1
    return 2 * signs, -signs.sum(dim=1)
