"""Linear attention with decay, compiled. Imported only where it runs: numba takes a while.

The scheme and the tensors are those of compiled_delta.py: columns of S do not meet, so each vector of them (lanes.py) runs through all
tokens by itself; S is stored every SPAN tokens, and the backward pass computes the states of a span again from its first one.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from separatrix.models.fast.compiled_delta import AHEAD, SPAN, at, prefetch
from separatrix.models.fast.lanes import BYTES, load, store, total


@njit(cache=True, nogil=True, forceinline=True)
def _write(S, here, there, fade, k, key, m, value):
    """The S that begins `there` is the one `here`, faded, with the value added at k."""
    for i in range(m):
        row = i * (BYTES // S.itemsize)
        store(S, there + row, fade * load(S, here + row) + k[key + i] * value)


@njit(cache=True, nogil=True, forceinline=True)
def _write_and_read(S, here, fade, k, key, m, value, q, query):
    """Decay S in place, add k v^T, and return q S."""
    read = value - value
    for i in range(m):
        row = here + i * (BYTES // S.itemsize)
        new = fade * load(S, row) + k[key + i] * value
        store(S, row, new)
        read = read + q[query + i] * new
    return read


@njit(cache=True, nogil=True)
def forward(q, k, v, fade, y, stored, shape, first, last):
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
                        value = load(v[0], at(v, b, h, t) + column)
                        fading, key, query = fade[0][at(fade, b, h, t)], at(k, b, h, t), at(q, b, h, t)
                        store(y[0], at(y, b, h, t) + column, _write_and_read(S, here, fading, k[0], key, m, value, q[0], query))


@njit(cache=True, nogil=True, forceinline=True)
def _retreat(S, before, dS, here, fade, q, query, k, key, m, value, slope, dq, dquery, dk, dkey):
    """From the gradient of S to that of the S before it, and those of q and k; gives those of v and of the logarithm of the fade."""
    dvalue, dfade = value - value, value - value
    for i in range(m):
        row = i * (BYTES // S.itemsize)
        g, old = load(dS, here + row) + q[query + i] * slope, load(S, before + row)
        dq[dquery + i] += total((fade * old + k[key + i] * value) * slope)
        dk[dkey + i] += total(g * value)
        dvalue = dvalue + k[key + i] * g
        g = fade * g
        store(dS, here + row, g)
        dfade = dfade + g * old
    return dvalue, total(dfade)


@njit(cache=True, nogil=True)
def backward(q, k, v, fade, stored, dy, dq, dk, dv, dfade, shape, first, last):
    """Adds the gradients to dq, dk and dfade, that of log e^g = g, and writes dv."""
    heads, n, m, w = shape
    lanes = BYTES // stored.itemsize
    size, spans, vectors = m * lanes, (n + SPAN - 1) // SPAN, w // lanes
    S, dS = np.empty(SPAN * size, stored.dtype), np.empty(heads * vectors * size, stored.dtype)
    for b in range(first // heads, (last + heads - 1) // heads):
        dS[:] = 0
        for span in range(spans - 1, -1, -1):
            for h in range(max(0, first - b * heads), min(heads, last - b * heads)):
                for vector in range(vectors):
                    here, column = (h * vectors + vector) * size, vector * lanes
                    begin = (((b * heads + h) * vectors + vector) * spans + span) * size
                    S[:size] = stored[begin : begin + size]
                    end = min(SPAN, n - span * SPAN)
                    for j in range(end - 1):
                        t = span * SPAN + j
                        value = load(v[0], at(v, b, h, t) + column)
                        _write(S, j * size, (j + 1) * size, fade[0][at(fade, b, h, t)], k[0], at(k, b, h, t), m, value)
                    for j in range(end - 1, -1, -1):
                        t = span * SPAN + j
                        prefetch(q, b, h, t - SPAN, 0)
                        prefetch(k, b, h, t - SPAN, 0)
                        prefetch(v, b, h, t - SPAN, column)
                        prefetch(dy, b, h, t - SPAN, column)
                        prefetch(dq, b, h, t - SPAN, 0)
                        prefetch(dk, b, h, t - SPAN, 0)
                        prefetch(dv, b, h, t - SPAN, column)
                        value, slope = load(v[0], at(v, b, h, t) + column), load(dy[0], at(dy, b, h, t) + column)
                        fading, query, key, dquery, dkey = (
                            fade[0][at(fade, b, h, t)],
                            at(q, b, h, t),
                            at(k, b, h, t),
                            at(dq, b, h, t),
                            at(dk, b, h, t),
                        )
                        dvalue, faded = _retreat(
                            S, j * size, dS, here, fading, q[0], query, k[0], key, m, value, slope, dq[0], dquery, dk[0], dkey
                        )
                        store(dv[0], at(dv, b, h, t) + column, dvalue)
                        dfade[0][at(dfade, b, h, t)] += faded


def try_out(dtype: str) -> None:
    """Compile both kernels for float32 or float64, or load them from disk, and see that they run."""
    lanes = BYTES // np.dtype(dtype).itemsize
    zero, into, stored = (np.zeros(lanes, dtype), (1, 1, 1)), (np.zeros(lanes, dtype), (1, 1, 1)), np.zeros(lanes, dtype)
    forward(zero, zero, zero, zero, into, stored, (1, 1, 1, lanes), 0, 1)
    backward(zero, zero, zero, zero, stored, zero, into, into, into, into, (1, 1, 1, lanes), 0, 1)
