"""Rounding a number to an integer: of an exact integer after a shift, and of a real number after scaling."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from separatrix.arithmetic.integers import FLOAT64_HOLDS, INT64_HOLDS, Integers, largest, objects

FAR = 1000  # 2^-FAR is an ordinary float64, and brings every integer up to 2^62 far below 1/2


def floor_shift(x: Integers, bits: int) -> Integers:
    """floor(x / 2^bits)."""
    if not isinstance(x, Tensor):
        return x >> bits
    if x.dtype == torch.int64:
        return x >> min(bits, 62)  # |x| < 2^62, so a longer shift gives the same 0 or -1; the hardware has no longer one
    return (x * 2.0 ** -min(bits, FAR)).floor_()


def nearest_shift(x: Integers, bits: int) -> Integers:
    """The integer nearest to x / 2^bits, ties to even, for bits >= 1."""
    if isinstance(x, Tensor) and x.dtype == torch.float64:
        return (x * 2.0 ** -min(bits, FAR)).round_()  # torch rounds ties to even
    if bits > 61:
        x = objects(x)
    return (x + (2 ** (bits - 1) - 1) + (x >> bits & 1)) >> bits  # type: ignore[no-any-return]


def left_shift(x: Integers, bits: int) -> Integers:
    """x 2^bits."""
    if bits == 0:
        return x
    if isinstance(x, Tensor) and x.is_floating_point() and largest(x) << bits <= FLOAT64_HOLDS:
        return x * 2.0**bits
    return objects(x) << bits


def floor_scaled(x: Tensor, bits: int) -> Tensor:
    """floor(x 2^bits) of a float64 tensor, as a float64 tensor of integers (infinite where that exceeds float64)."""
    return (x * 2.0**bits).floor_()


def nearest_scaled(x: Tensor, bits: int) -> Tensor:
    """The integers nearest to x 2^bits, ties to even, likewise."""
    return (x * 2.0**bits).round_()


def clamp(x: Integers, low: int, high: int) -> Integers:
    """x between low and high, where -2^1023 <= low <= high < 2^1023."""
    if not isinstance(x, Tensor):
        return np.minimum(np.maximum(x, low), high)
    if x.dtype == torch.int64:
        return x.clamp(max(low, -INT64_HOLDS), min(high, INT64_HOLDS))  # |x| < 2^62 already
    near = x.clamp(float(low), float(high))
    # A bound of more than 53 bits is not a float64, and float() may have moved it outside by 1.
    return near if high <= FLOAT64_HOLDS or largest(near) <= min(high, -low) else clamp(objects(near), low, high)
