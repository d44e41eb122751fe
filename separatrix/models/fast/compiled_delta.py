"""The delta rule, compiled. Imported only where it runs: numba takes a while.

Columns of S do not meet: each vector of them (lanes.py) runs through a span of tokens by itself, in the first cache however wide a
head is; then come the other vectors and heads, which find the span in the cache whatever the order of heads and tokens in memory.
Where tokens lie apart the processor does not guess what is read next, so it is told AHEAD tokens before.
The forward pass stores S every SPAN tokens; the backward pass computes the states of a span again from its first one.

A tensor is a pair, its numbers and how many of them lie between two batch rows, two heads and two tokens; the last dimension is dense,
and values have whole vectors of numbers. Rows are heads of batch rows, first <= row < last.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from separatrix.models.fast.lanes import BYTES, fetch, load, store, total

SPAN, AHEAD = 16, 8


@njit(cache=True, nogil=True, forceinline=True)
def at(x, b, h, t):
    """Where token t of a head begins."""
    return b * x[1][0] + h * x[1][1] + t * x[1][2]


@njit(cache=True, nogil=True, forceinline=True)
def prefetch(x, b, h, t, column):
    """Fetch what a later step reads or writes."""
    fetch(x[0], at(x, b, h, t) + column)


@njit(cache=True, nogil=True, forceinline=True)
def _read(S, here, x, place, m):
    """x S, of the S that begins `here`."""
    read = x[place] * load(S, here)
    for i in range(1, m):
        read = read + x[place + i] * load(S, here + i * (BYTES // S.itemsize))
    return read


@njit(cache=True, nogil=True, forceinline=True)
def _write(S, here, there, fade, k, key, m, u):
    """The S that begins `there` is the one `here`, faded, with u written at k."""
    for i in range(m):
        row = i * (BYTES // S.itemsize)
        store(S, there + row, fade * load(S, here + row) + k[key + i] * u)


@njit(cache=True, nogil=True)
def forward(q, k, v, beta, fade, y, stored, shape, first, last):
    """What is read, into y; `stored` [rows, vectors, spans, m, vector] gets S before each span, unless it is empty."""
    heads, n, m, w = shape
    lanes = BYTES // stored.itemsize
    size, spans, vectors = m * lanes, (n + SPAN - 1) // SPAN, w // lanes
    S = np.empty(heads * vectors * size, stored.dtype)
    for b in range(first // heads, (last + heads - 1) // heads):
        S[:] = 0
        for span in range(spans):
            for h in range(max(0, first - b * heads), min(heads, last - b * heads)):
                for vector in range(vectors):
                    here, column = (h * vectors + vector) * size, vector * lanes
                    if stored.size:
                        begin = (((b * heads + h) * vectors + vector) * spans + span) * size
                        stored[begin : begin + size] = S[here : here + size]
                    for t in range(span * SPAN, min(n, (span + 1) * SPAN)):
                        prefetch(q, b, h, t + AHEAD, 0)
                        prefetch(k, b, h, t + AHEAD, 0)
                        prefetch(v, b, h, t + AHEAD, column)
                        prefetch(y, b, h, t + AHEAD, column)
                        key, fading = at(k, b, h, t), fade[0][at(fade, b, h, t)]
                        lacks = load(v[0], at(v, b, h, t) + column) - fading * _read(S, here, k[0], key, m)
                        _write(S, here, here, fading, k[0], key, m, beta[0][at(beta, b, h, t)] * lacks)
                        store(y[0], at(y, b, h, t) + column, _read(S, here, q[0], at(q, b, h, t), m))


@njit(cache=True, nogil=True, forceinline=True)
def _receive(S, after, dS, here, q, k, query, key, slope, dq, dquery, m):
    """What reading adds to the gradient of S, and to that of q; gives the gradient of what was written."""
    du = slope - slope
    for i in range(m):
        row = i * (BYTES // S.itemsize)
        g = load(dS, here + row) + q[query + i] * slope
        store(dS, here + row, g)
        dq[dquery + i] += total(load(S, after + row) * slope)
        du = du + k[key + i] * g
    return du


@njit(cache=True, nogil=True, forceinline=True)
def _retreat(S, before, dS, here, k, key, fade, u, erased, dk, dkey, m):
    """From the gradient of S to that of the S before it, and that of k; gives the gradient of the logarithm of the fade."""
    dfade = u - u
    for i in range(m):
        row = i * (BYTES // S.itemsize)
        g, old = load(dS, here + row), load(S, before + row)
        dk[dkey + i] += total(g * u - fade * erased * old)
        g = fade * (g - k[key + i] * erased)
        store(dS, here + row, g)
        dfade = dfade + g * old
    return total(dfade)


@njit(cache=True, nogil=True)
def backward(q, k, v, beta, fade, stored, dy, dq, dk, dv, dbeta, dfade, shape, first, last):
    """Adds the gradients to dq, dk, dbeta and dfade, that of log e^g = g, and writes dv."""
    heads, n, m, w = shape
    lanes = BYTES // stored.itemsize
    size, spans, vectors = m * lanes, (n + SPAN - 1) // SPAN, w // lanes
    S, dS = np.empty((SPAN + 1) * size, stored.dtype), np.empty(heads * vectors * size, stored.dtype)
    missing = np.empty(SPAN * lanes, stored.dtype)
    for b in range(first // heads, (last + heads - 1) // heads):
        dS[:] = 0
        for span in range(spans - 1, -1, -1):
            for h in range(max(0, first - b * heads), min(heads, last - b * heads)):
                for vector in range(vectors):
                    here, column = (h * vectors + vector) * size, vector * lanes
                    begin = (((b * heads + h) * vectors + vector) * spans + span) * size
                    S[:size] = stored[begin : begin + size]
                    end = min(SPAN, n - span * SPAN)
                    for j in range(end):
                        t = span * SPAN + j
                        key, fading = at(k, b, h, t), fade[0][at(fade, b, h, t)]
                        lacks = load(v[0], at(v, b, h, t) + column) - fading * _read(S, j * size, k[0], key, m)
                        store(missing, j * lanes, lacks)
                        _write(S, j * size, (j + 1) * size, fading, k[0], key, m, beta[0][at(beta, b, h, t)] * lacks)
                    for j in range(end - 1, -1, -1):
                        t = span * SPAN + j
                        prefetch(q, b, h, t - SPAN, 0)
                        prefetch(k, b, h, t - SPAN, 0)
                        prefetch(v, b, h, t - SPAN, column)
                        prefetch(dy, b, h, t - SPAN, column)
                        prefetch(dq, b, h, t - SPAN, 0)
                        prefetch(dk, b, h, t - SPAN, 0)
                        prefetch(dv, b, h, t - SPAN, column)
                        key, fading, share = at(k, b, h, t), fade[0][at(fade, b, h, t)], beta[0][at(beta, b, h, t)]
                        slope, lacks = load(dy[0], at(dy, b, h, t) + column), load(missing, j * lanes)
                        query, dquery = at(q, b, h, t), at(dq, b, h, t)
                        du = _receive(S, (j + 1) * size, dS, here, q[0], k[0], query, key, slope, dq[0], dquery, m)
                        dbeta[0][at(dbeta, b, h, t)] += total(du * lacks)
                        store(dv[0], at(dv, b, h, t) + column, share * du)
                        dfade[0][at(dfade, b, h, t)] += _retreat(
                            S, j * size, dS, here, k[0], key, fading, share * lacks, share * du, dk[0], at(dk, b, h, t), m
                        )


def try_out(dtype: str) -> None:
    """Compile both kernels for float32 or float64, or load them from disk, and see that they run."""
    lanes = BYTES // np.dtype(dtype).itemsize
    zero, into, stored = (np.zeros(lanes, dtype), (1, 1, 1)), (np.zeros(lanes, dtype), (1, 1, 1)), np.zeros(lanes, dtype)
    forward(zero, zero, zero, zero, zero, into, stored, (1, 1, 1, lanes), 0, 1)
    backward(zero, zero, zero, zero, zero, stored, zero, into, into, into, into, into, (1, 1, 1, lanes), 0, 1)
