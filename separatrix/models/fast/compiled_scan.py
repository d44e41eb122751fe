"""The selective scan, compiled. Imported only where a scan runs: numba takes a while.

Channels are the innermost loop, so that all of its arrays are read in order and the loop runs on vector registers.
The forward pass stores the state every SPAN tokens; the backward pass computes the states of a span again from its first one,
so that memory is that of the inputs and 1/SPAN of the states.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload


def exponential(x: Any) -> Any:
    """e^x for x <= 0; numba compiles one of the two below."""
    raise NotImplementedError


@overload(exponential, inline="always")
def _exponential(x):
    if x == types.float32:
        return _short_exponential
    return lambda x: math.exp(x)  # noqa: PLW0108 (numba compiles Python functions, and math.exp is none)


def _short_exponential(x):
    """2^i 2^f with a polynomial for 2^f, |f| <= 1/2, without branches: the compiler turns a loop of these into vector code.

    The truncated Taylor series of e^y at |y| <= ln(2)/2 is off by less than y^8/8! < 5e-9. Below -87.5 the result is 0,
    and not the least power that i can name: what is to be forgotten may be 2^126 times as large.
    """
    y = max(x, np.float32(-87.0))
    i = np.int32(y * np.float32(1.4426950408889634) - np.float32(0.5))  # nearest integer, for y <= 0
    f = np.float32(i)
    y = (y - f * np.float32(0.693359375)) - f * np.float32(-2.12194440e-4)  # ln 2 in two parts, the first exact times i
    p = np.float32(1 / 5040)
    p = p * y + np.float32(1 / 720)
    p = p * y + np.float32(1 / 120)
    p = p * y + np.float32(1 / 24)
    p = p * y + np.float32(1 / 6)
    p = p * y + np.float32(0.5)
    p = p * y + np.float32(1.0)
    p = p * y + np.float32(1.0)
    return p * np.int32((i + np.int32(127)) << np.int32(23)).view(np.float32) * np.float32(x > np.float32(-87.5))


SPAN = 16


@njit(cache=True, nogil=True, forceinline=True, fastmath={"contract"})
def _advance(h, s, A, delta, b, t, driven, into, out, y):
    """Number s of the state of every channel, and what is read of it."""
    for e in range(A.shape[1]):
        following = exponential(delta[b, t, e] * A[s, e]) * h[s, e] + driven[e] * into
        h[s, e] = following
        y[b, t, e] += following * out


@njit(cache=True, nogil=True, forceinline=True, fastmath={"contract"})
def _again(h, j, s, a, A, delta, b, t, driven, into):
    """The same in the backward pass, where state and decay are stored."""
    for e in range(A.shape[1]):
        decay = exponential(delta[b, t, e] * A[s, e])
        a[j, s, e] = decay
        h[j + 1, s, e] = decay * h[j, s, e] + driven[e] * into


@njit(cache=True, nogil=True, forceinline=True, fastmath=True)
def _gather(dy, b, t, h, j, s, driven, into, out, dh, ddriven):
    """What the output adds to the gradient of a state, and what that is worth to the input; gives dB and dC, sums in any order."""
    dB = dC = dh.dtype.type(0)
    for e in range(dh.shape[1]):
        g = dh[s, e] + dy[b, t, e] * out
        dC += dy[b, t, e] * h[j + 1, s, e]
        dB += g * driven[e]
        dh[s, e] = g
        ddriven[e] += g * into
    return dB, dC


@njit(cache=True, nogil=True, forceinline=True, fastmath={"contract"})
def _retreat(h, j, s, a, dh, exponent):
    """From the gradient of a state to that of the state before it, and that of the exponent between them."""
    for e in range(dh.shape[1]):
        g = dh[s, e] * a[j, s, e]
        dh[s, e] = g
        exponent[e] = g * h[j, s, e]


@njit(cache=True, nogil=True, forceinline=True, fastmath={"contract"})
def _share(exponent, s, A, delta, b, t, ddelta, dA):
    """Add to the gradients of delta and A what one step's exponent delta A passes back."""
    for e in range(A.shape[1]):
        ddelta[b, t, e] += exponent[e] * A[s, e]
        dA[s, e] += exponent[e] * delta[b, t, e]


@njit(cache=True, nogil=True)
def forward(u, delta, A, B, C, skip, y, stored):
    """y [b, n, E] of u, delta [b, n, E], A [N, E], B, C [b, n, N], skip [E]; `stored` [b, spans, N, E] gets the state before each span."""
    rows, n, E = u.shape
    N = A.shape[0]
    h = np.empty((N, E), u.dtype)
    driven = np.empty(E, u.dtype)
    for b in range(rows):
        for s in range(N):
            for e in range(E):
                h[s, e] = 0
        for t in range(n):
            if t % SPAN == 0:
                for s in range(N):
                    for e in range(E):
                        stored[b, t // SPAN, s, e] = h[s, e]
            for e in range(E):
                driven[e] = delta[b, t, e] * u[b, t, e]
                y[b, t, e] = skip[e] * u[b, t, e]
            for s in range(N):
                _advance(h, s, A, delta, b, t, driven, B[b, t, s], C[b, t, s], y)


@njit(cache=True, nogil=True)
def backward(u, delta, A, B, C, skip, stored, dy, du, ddelta, dA, dB, dC, dskip):
    """The gradients of all inputs from dy; dA and dskip are those of these rows together."""
    rows, n, E = u.shape
    N = A.shape[0]
    h = np.empty((SPAN + 1, N, E), u.dtype)
    a = np.empty((SPAN, N, E), u.dtype)
    dh = np.empty((N, E), u.dtype)
    driven = np.empty(E, u.dtype)
    ddriven = np.empty(E, u.dtype)
    exponent = np.empty(E, u.dtype)
    for b in range(rows):
        for s in range(N):
            for e in range(E):
                dh[s, e] = 0
        for span in range((n - 1) // SPAN, -1, -1):
            first = span * SPAN
            count = min(SPAN, n - first)
            for s in range(N):
                for e in range(E):
                    h[0, s, e] = stored[b, span, s, e]
            for j in range(count):
                t = first + j
                for e in range(E):
                    driven[e] = delta[b, t, e] * u[b, t, e]
                for s in range(N):
                    _again(h, j, s, a, A, delta, b, t, driven, B[b, t, s])
            for j in range(count - 1, -1, -1):
                t = first + j
                for e in range(E):
                    driven[e] = delta[b, t, e] * u[b, t, e]
                    ddriven[e] = 0
                    ddelta[b, t, e] = 0
                for s in range(N):
                    dB[b, t, s], dC[b, t, s] = _gather(dy, b, t, h, j, s, driven, B[b, t, s], C[b, t, s], dh, ddriven)
                    _retreat(h, j, s, a, dh, exponent)
                    _share(exponent, s, A, delta, b, t, ddelta, dA)
                for e in range(E):
                    ddelta[b, t, e] += ddriven[e] * u[b, t, e]
                    du[b, t, e] = ddriven[e] * delta[b, t, e] + dy[b, t, e] * skip[e]
                    dskip[e] += dy[b, t, e] * u[b, t, e]


def try_out(dtype: str) -> None:
    """Compile both kernels for float32 or float64, or load them from disk, and see that they run."""
    one = np.zeros((1, 1, 1), dtype)
    du, ddelta, dB, dC = one.copy(), one.copy(), one.copy(), one.copy()
    forward(one, one, one[0], one, one, one[0, 0], one.copy(), one[None].copy())
    backward(one, one, one[0], one, one, one[0, 0], one[None], one, du, ddelta, one[0].copy(), dB, dC, one[0, 0].copy())
