"""A short convolution and its SiLU, compiled. Imported only where it runs: numba takes a while.

Vectors of channels (lanes.py) are the innermost loop, so that memory is read in order. Nothing between x and y is stored: the backward
pass computes it again. Arrays are flat: x, y [rows, n, C], taps [K, C], bias [C]; C is a number of whole vectors.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from separatrix.models.fast.lanes import BYTES, exponential, load, spread, store


@njit(cache=True, nogil=True, forceinline=True)
def _filtered(x, at, taps, bias, column, missing):
    """What the filter gives where x stands `at`, so many of its first taps missing."""
    channels = bias.shape[0]
    size = taps.shape[0] // channels
    a = load(bias, column)
    for j in range(missing, size):
        a = a + load(taps, j * channels + column) * load(x, at + (j - size + 1) * channels)
    return a


@njit(cache=True, nogil=True, forceinline=True)
def _sigmoid(a, one):
    return one / (one + exponential(a - a - a))


@njit(cache=True, nogil=True)
def forward(x, taps, bias, y, n, first, last):
    """Rows first <= row < last of y."""
    channels = bias.shape[0]
    size, one = taps.shape[0] // channels, spread(x.dtype.type(1))
    for row in range(first, last):
        for t in range(n):
            missing = max(0, size - 1 - t)
            for column in range(0, channels, BYTES // x.itemsize):
                at = (row * n + t) * channels + column
                a = _filtered(x, at, taps, bias, column, missing)
                store(y, at, a * _sigmoid(a, one))


@njit(cache=True, nogil=True)
def backward(x, taps, bias, dy, dx, dtaps, dbias, n, first, last):
    """The gradients of all inputs from dy; those of these rows together are added to dtaps and dbias."""
    channels = bias.shape[0]
    size, one = taps.shape[0] // channels, spread(x.dtype.type(1))
    slope = np.zeros((n + size - 1) * channels, x.dtype)  # of what the filter gives, before size - 1 tokens without one
    for row in range(first, last):
        for t in range(n):
            missing = max(0, size - 1 - t)
            for column in range(0, channels, BYTES // x.itemsize):
                at = (row * n + t) * channels + column
                a = _filtered(x, at, taps, bias, column, missing)
                s = _sigmoid(a, one)
                g = load(dy, at) * s * (one + a * (one - s))
                store(slope, t * channels + column, g)
                store(dbias, column, load(dbias, column) + g)
                for j in range(missing, size):
                    tap = j * channels + column
                    store(dtaps, tap, load(dtaps, tap) + g * load(x, at + (j - size + 1) * channels))
        for t in range(n):
            for column in range(0, channels, BYTES // x.itemsize):
                g = load(taps, (size - 1) * channels + column) * load(slope, t * channels + column)
                for j in range(size - 1):
                    g = g + load(taps, j * channels + column) * load(slope, (t + size - 1 - j) * channels + column)
                store(dx, (row * n + t) * channels + column, g)


def try_out(dtype: str) -> None:
    """Compile both kernels for float32 or float64, or load them from disk, and see that they run."""
    zero, into = np.zeros(BYTES // np.dtype(dtype).itemsize, dtype), np.zeros(BYTES // np.dtype(dtype).itemsize, dtype)
    forward(zero, zero, zero, into, 1, 0, 1)
    backward(zero, zero, zero, zero, into, into, into, 1, 0, 1)
