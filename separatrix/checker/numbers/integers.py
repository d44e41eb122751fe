"""Arrays of integers without overflow: int64 while the magnitudes allow it, Python integers beyond.

An array is int64 with every |x| < 2^62, or an object array of Python integers. Every function takes and returns such arrays.
`plus`, `times` and `product` also take floats, which they add and multiply as float64 does: their error is bounded by who asks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
SAFE = 1 << 62  # two numbers below it add up to an int64
FLOAT = 1 << 53  # integers up to it, and their sums up to it, are exact in float64 in whatever order they are added


def whole(x: Array) -> Array:
    """A float64 array that holds integers, as integers."""
    if x.size == 0 or float(np.abs(x).max()) < SAFE:
        return x.astype(np.int64)
    return np.array([int(v) for v in x.ravel()] + [None], dtype=object)[:-1].reshape(x.shape)


def narrow(x: Array) -> Array:
    """int64 if the numbers allow it."""
    return x if x.dtype == np.int64 or largest(x) >= SAFE else x.astype(np.int64)


def largest(x: Array) -> int:
    """The largest |x|."""
    return max(int(x.max()), -int(x.min())) if x.size else 0


def plus(x: Array, y: Array) -> Array:
    """x + y."""
    if "f" in (x.dtype.kind, y.dtype.kind) or largest(x) + largest(y) < SAFE:
        return x + y
    return x.astype(object) + y


def times(x: Array, y: Array) -> Array:
    """x y, entry by entry."""
    if "f" in (x.dtype.kind, y.dtype.kind) or largest(x) * largest(y) < SAFE:
        return x * y
    return x.astype(object) * y


def shifted(x: Array, bits: int) -> Array:
    """x 2^bits."""
    if bits == 0:
        return x
    if largest(x) << bits < SAFE:
        return x << bits
    return x.astype(object) << bits


def shift_floor(x: Array, bits: int) -> Array:
    """floor(x / 2^bits)."""
    if x.dtype == np.int64:
        return x >> min(bits, 63)  # only the sign of an int64 is left
    return x >> bits


def halves_to_even(x: Array, bits: int) -> Array:
    """x / 2^bits to the nearest integer, ties to the even one."""
    if bits == 0:
        return x
    if bits > 61:
        x = x.astype(object)
    half = 1 << (bits - 1)
    below, rest = x >> bits, x & (2 * half - 1)
    up = (rest > half) | ((rest == half) & ((below & 1) == 1))
    return np.asarray(below + up.astype(np.int64))


def strip_common_zeros(x: Array, scale: int) -> tuple[Array, int]:
    """x / 2^scale with the common trailing zeros of x cancelled."""
    if x.size == 0 or scale == 0:
        return x, scale
    union = int(np.bitwise_or.reduce(x, axis=None))
    zeros = scale if union == 0 else min(scale, (union & -union).bit_length() - 1)
    return narrow(shift_floor(x, zeros)), scale - zeros


def product(x: Array, y: Array) -> Array:
    """The matrix product of x [.., a, d] and y [.., d, b].

    No partial sum exceeds (largest row sum of |x|) (largest |y|), which decides how it is computed.
    """
    if x.dtype.kind == "f":
        return np.asarray(x @ y)
    bound = largest(x) * x.shape[-1] * largest(y)
    if bound > FLOAT:
        bound = _row_sum(x) * largest(y)
    if bound <= FLOAT:
        return (x.astype(np.float64) @ y.astype(np.float64)).astype(np.int64)
    if bound < SAFE and x.dtype == y.dtype == np.int64:
        return np.asarray(x @ y)
    return _by_limbs(x, y)


def _row_sum(x: Array) -> int:
    top = largest(x) * x.shape[-1]
    return top if top >= SAFE or x.size == 0 else int(np.abs(x).sum(axis=-1).max())


def _by_limbs(x: Array, y: Array) -> Array:
    """Digits of s bits each: every product of two of them is a float64 product, exact since d 2^(2s) <= 2^53."""
    s = (53 - x.shape[-1].bit_length()) // 2
    total: Any = 0
    right = _limbs(y, s)
    for i, left in enumerate(_limbs(x, s)):
        for j, other in enumerate(right):
            total = total + ((left @ other).astype(np.int64).astype(object) << (s * (i + j)))
    return narrow(np.asarray(total))


def _limbs(x: Array, s: int) -> list[Array]:
    """x = sum of limbs[i] 2^(s i), each |limb| <= 2^s; the last carries the sign."""
    limbs = []
    while largest(x) > 1 << s:
        limbs.append((x & ((1 << s) - 1)).astype(np.float64))
        x = x >> s
    return [*limbs, x.astype(np.float64)]
