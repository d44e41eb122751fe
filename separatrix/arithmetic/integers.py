"""Exact integers, in whatever carries them at the magnitudes at hand.

    float64   a tensor whose every partial sum has magnitude at most 2^53: exact in any order, with or without fused steps
    int64     a tensor, magnitudes below 2^62: room for one more addition before anything wraps
    objects   a NumPy array of Python integers: no limit, and slow

The bound is computed from the numbers themselves before each sum of products, so the choice never changes a result.
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
    """max |x|, and 0 of nothing."""
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


def carrier(bound: int) -> Callable[[Integers], Any]:
    """What to convert integers to before a computation in which nothing exceeds `bound`."""
    if bound <= FLOAT64_HOLDS:
        return float64
    return int64 if bound < INT64_HOLDS else objects


def matmul(x: Integers, y: Integers, plus: Integers | None = None) -> Integers:
    """x [..., i, c] times y [..., c, j], plus a vector [j]: exact."""
    bound = product_bound(x, y)
    if plus is None:
        carry = carrier(bound)
        return carry(x) @ carry(y)  # type: ignore[no-any-return]
    carry = carrier(bound + largest(plus))
    return carry(x) @ carry(y) + carry(plus)  # type: ignore[no-any-return]


def multiply(x: Integers, y: Integers) -> Integers:
    """The products of two arrays, element by element: exact."""
    a, b = largest(x), largest(y)
    carry = carrier(max(a, b, a * b))
    return carry(x) * carry(y)  # type: ignore[no-any-return]


def total(x: Integers) -> Integers:
    """The sums over the last axis, which is kept: exact."""
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


def product_bound(x: Integers, y: Integers) -> int:
    """At least the sum over c of |x| |y| in every entry of x [..., i, c] times y [..., c, j], and at least max |x| and max |y|.

    The crude bound is tried first. Then the largest magnitudes coordinate by coordinate, which is what keeps (i, i^2)
    against (2p, -1) small; then the largest row of x, which is what keeps attention weights of sum 1 small; then of y.
    """
    a, b = largest(x), largest(y)
    crude = max(a, b, x.shape[-1] * a * b)
    if crude <= FLOAT64_HOLDS:
        return crude
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        u, v = np.abs(x.numpy()), np.abs(y.numpy())
    else:
        u, v = np.abs(objects(x)), np.abs(objects(y))
    by_coordinate = (u.reshape(-1, u.shape[-1]).max(0) * v.swapaxes(-1, -2).reshape(-1, u.shape[-1]).max(0)).sum()
    by_row = u.sum(-1).max() * b
    by_column = v.sum(-2).max() * a
    return max(a, b, min(crude, *map(_rounded_up, (by_coordinate, by_row, by_column))))


def _rounded_up(bound: Any) -> int:
    """An integer at least the true value of a bound computed in float64, whose error is below c 2^-52 for c terms."""
    return bound if isinstance(bound, int) else int(bound * (1 + 2.0**-10)) + 1
