"""Exact integers, in whatever carries them at the magnitudes at hand.

    float64   a tensor whose every partial sum has magnitude at most 2^53: exact in any order, with or without fused steps
    int64     a tensor, magnitudes below 2^62: room for one more addition before anything wraps
    objects   a NumPy array of Python integers: no limit, and slow

A bound on everything that occurs in a computation, from the numbers themselves, picks the carrier, so the choice never changes a result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Objects: TypeAlias = NDArray[Any]  # of Python integers
Integers: TypeAlias = Tensor | Objects

FLOAT64_HOLDS = 2**53  # every integer up to here is a float64
INT64_HOLDS = 2**62


def largest(x: Integers) -> int:
    """max |x|; 0 for an empty array."""
    if isinstance(x, Tensor):
        if x.numel() == 0:
            return 0
        low, high = torch.aminmax(x)
        return max(abs(int(low)), abs(int(high)))
    return max((abs(int(x.min())), abs(int(x.max())))) if x.size else 0


def objects(x: Integers) -> Objects:
    """The integers as Python integers."""
    if isinstance(x, np.ndarray):
        return x
    if x.dtype == torch.float64:
        if largest(x) > INT64_HOLDS:  # a float64 that holds an integer may be as large as 2^1023
            return np.array([int(value) for value in x.flatten().tolist()], dtype=object).reshape(x.shape)
        x = x.to(torch.int64)
    return x.numpy().astype(object)


def int64(x: Integers) -> Tensor:
    """The integers as int64; the caller has shown that they fit."""
    return x.to(torch.int64) if isinstance(x, Tensor) else torch.from_numpy(x.astype(np.int64))


def float64(x: Integers) -> Tensor:
    """The integers as float64; the caller has shown that they fit."""
    return x.to(torch.float64) if isinstance(x, Tensor) else torch.from_numpy(x.astype(np.float64))


def trailing_zeros(x: Integers) -> int:
    """The largest k such that 2^k divides every integer; 0 if all are 0."""
    if isinstance(x, Tensor):
        x = objects(x) if largest(x) > INT64_HOLDS else x.to(torch.int64).numpy()
    bits = int(np.bitwise_or.reduce(x, axis=None)) if x.size else 0  # the lowest bit that is set anywhere survives
    return max((bits & -bits).bit_length() - 1, 0)


def without_zeros(x: Integers, bits: int) -> Integers:
    """x / 2^bits for integers divisible by 2^bits."""
    return x * 2.0**-bits if isinstance(x, Tensor) else x >> bits


def carrier(bound: int) -> Callable[[Integers], Any]:
    """The conversion to apply before a computation in which nothing exceeds `bound`."""
    if bound <= FLOAT64_HOLDS:
        return float64
    return int64 if bound < INT64_HOLDS else objects


def total(x: Integers) -> Integers:
    """The exact sums over the last axis, which stays with size 1."""
    carried = carrier(largest(x) * x.shape[-1])(x)
    return carried.sum(-1, keepdims=True)  # type: ignore[no-any-return]


def floor_quotient(a: Integers, b: Integers, bits: int) -> Integers:
    """floor(a 2^bits / b) for a >= 0, b > 0: exact.

    In float64 the quotient of integers s = a 2^bits and b is rounded up to the next integer q only if q - s/b <= q 2^-53.
    Unless s/b is that integer, q - s/b >= 1/b, so b q >= 2^53. But b q <= s + b: below 2^53 the floor is right.
    """
    bound = (largest(a) << bits) + largest(b)
    if bound < FLOAT64_HOLDS:
        return (float64(a) * 2.0**bits / float64(b)).floor_()
    if bound < INT64_HOLDS:
        return torch.div(int64(a) << bits, int64(b), rounding_mode="floor")
    return (objects(a) << bits) // objects(b)
