"""The delta rule, compiled. Imported only where it runs: numba takes a while.

Columns of S do not meet: each vector of them (lanes.py) runs through all tokens by itself, in the first cache however wide a head is.
The forward pass stores S every SPAN tokens; the backward pass computes the states of a span again from its first one.

A tensor is a pair, its numbers and how many of them lie between two batch rows, two heads and two tokens; the last dimension is dense,
and values have whole vectors of numbers. Rows are heads of batch rows, first <= row < last.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from separatrix.models.fast.lanes import BYTES, load, store, total

SPAN = 16


@njit(cache=True, nogil=True, forceinline=True)
def _at(x, b, h, t):  # type: ignore[no-untyped-def]
    """Where token t of a head begins."""
    return b * x[1][0] + h * x[1][1] + t * x[1][2]


@njit(cache=True, nogil=True, forceinline=True)
def _read(S, here, x, at, m):  # type: ignore[no-untyped-def]
    """x S, of the S that begins `here`."""
    read = x[at] * load(S, here)
    for i in range(1, m):
        read = read + x[at + i] * load(S, here + i * (BYTES // S.itemsize))
    return read


@njit(cache=True, nogil=True, forceinline=True)
def _write(S, here, there, fade, k, at, m, u):  # type: ignore[no-untyped-def]
    """The S that begins `there` is the one `here`, faded, with u written at k."""
    for i in range(m):
        row = i * (BYTES // S.itemsize)
        store(S, there + row, fade * load(S, here + row) + k[at + i] * u)


@njit(cache=True, nogil=True)
def forward(q, k, v, beta, fade, y, stored, shape, first, last):  # type: ignore[no-untyped-def]
    """What is read, into y; `stored` [rows, vectors, spans, m, vector] gets S before each span, unless it is empty."""
    heads, n, m, w = shape
    lanes = BYTES // y[0].itemsize
    size, spans, vectors = m * lanes, (n + SPAN - 1) // SPAN, w // lanes
    S = np.empty(size, y[0].dtype)
    for row in range(first, last):
        b, h = row // heads, row % heads
        for vector in range(vectors):
            column = vector * lanes
            S[:] = 0
            for t in range(n):
                if t % SPAN == 0 and stored.size:
                    begin = ((row * vectors + vector) * spans + t // SPAN) * size
                    stored[begin : begin + size] = S
                key, fading = _at(k, b, h, t), fade[0][_at(fade, b, h, t)]
                value = load(v[0], _at(v, b, h, t) + column)
                u = beta[0][_at(beta, b, h, t)] * (value - fading * _read(S, 0, k[0], key, m))
                _write(S, 0, 0, fading, k[0], key, m, u)
                store(y[0], _at(y, b, h, t) + column, _read(S, 0, q[0], _at(q, b, h, t), m))


@njit(cache=True, nogil=True, forceinline=True)
def _receive(S, here, dS, q, k, query, key, slope, dq, dquery, m):  # type: ignore[no-untyped-def]
    """What reading adds to the gradient of S, and to that of q; gives the gradient of what was written."""
    du = slope - slope
    for i in range(m):
        row = i * (BYTES // S.itemsize)
        g = load(dS, row) + q[query + i] * slope
        store(dS, row, g)
        dq[dquery + i] += total(load(S, here + row) * slope)
        du = du + k[key + i] * g
    return du


@njit(cache=True, nogil=True, forceinline=True)
def _retreat(S, before, dS, k, key, fade, u, erased, dk, dkey, m):  # type: ignore[no-untyped-def]
    """From the gradient of S to that of the S before it, and that of k; gives the gradient of the logarithm of the fade."""
    dfade = u - u
    for i in range(m):
        row = i * (BYTES // S.itemsize)
        g, old = load(dS, row), load(S, before + row)
        dk[dkey + i] += total(g * u - fade * erased * old)
        g = fade * (g - k[key + i] * erased)
        store(dS, row, g)
        dfade = dfade + g * old
    return total(dfade)


@njit(cache=True, nogil=True)
def backward(q, k, v, beta, fade, stored, dy, dq, dk, dv, dbeta, dfade, shape, first, last):  # type: ignore[no-untyped-def]
    """Adds the gradients to dq, dk, dbeta and dfade, that of log e^g = g, and writes dv."""
    heads, n, m, w = shape
    lanes = BYTES // stored.itemsize
    size, spans, vectors = m * lanes, (n + SPAN - 1) // SPAN, w // lanes
    S, dS = np.empty((SPAN + 1) * size, stored.dtype), np.empty(size, stored.dtype)
    missing = np.empty(SPAN * lanes, stored.dtype)
    for row in range(first, last):
        b, h = row // heads, row % heads
        for vector in range(vectors):
            column = vector * lanes
            dS[:] = 0
            for span in range(spans - 1, -1, -1):
                begin = ((row * vectors + vector) * spans + span) * size
                S[:size] = stored[begin : begin + size]
                end = min(SPAN, n - span * SPAN)
                for j in range(end):
                    t = span * SPAN + j
                    key, fading = _at(k, b, h, t), fade[0][_at(fade, b, h, t)]
                    lacks = load(v[0], _at(v, b, h, t) + column) - fading * _read(S, j * size, k[0], key, m)
                    store(missing, j * lanes, lacks)
                    _write(S, j * size, (j + 1) * size, fading, k[0], key, m, beta[0][_at(beta, b, h, t)] * lacks)
                for j in range(end - 1, -1, -1):
                    t = span * SPAN + j
                    key, fading, share = _at(k, b, h, t), fade[0][_at(fade, b, h, t)], beta[0][_at(beta, b, h, t)]
                    slope, lacks = load(dy[0], _at(dy, b, h, t) + column), load(missing, j * lanes)
                    du = _receive(S, (j + 1) * size, dS, q[0], k[0], _at(q, b, h, t), key, slope, dq[0], _at(dq, b, h, t), m)
                    dbeta[0][_at(dbeta, b, h, t)] += total(du * lacks)
                    store(dv[0], _at(dv, b, h, t) + column, share * du)
                    dfade[0][_at(dfade, b, h, t)] += _retreat(
                        S, j * size, dS, k[0], key, fading, share * lacks, share * du, dk[0], _at(dk, b, h, t), m
                    )


def try_out(dtype: str) -> None:
    """Compile both kernels for float32 or float64, or load them from disk, and see that they run."""
    lanes = BYTES // np.dtype(dtype).itemsize
    zero, into, stored = (np.zeros(lanes, dtype), (1, 1, 1)), (np.zeros(lanes, dtype), (1, 1, 1)), np.zeros(lanes, dtype)
    forward(zero, zero, zero, zero, zero, into, stored, (1, 1, 1, lanes), 0, 1)
    backward(zero, zero, zero, zero, zero, stored, zero, into, into, into, into, into, (1, 1, 1, lanes), 0, 1)
