"""Smooth functions, norms and rotary positions, for float64 and float32 only: exact formats do not define them.

A function that rises is taken at both ends, each moved by the error of a program that computes it, with exp, tanh, sin and cos accurate to
4 units in the last place; of others, the bound is the steepest slope times the radius. Where tanh and sigmoid are saturated both ends
are almost the same, so a recurrence of saturated units does not lose track of itself however long it runs. What lies below half of the
least number of a format is taken to be 0, as rounding to the nearest number makes it: so is sigmoid(x) where e^x does, which
1 / (1 + exp(-x)) has too, because exp(-x) overflows there.
"""

from __future__ import annotations

import math

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box, join
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.rounding import FINEST, gamma
from separatrix.checker.seal import Refused

BASE = 10000.0  # of rotary and sinusoidal frequencies
EPSILON = {"layer": 1e-5, "rms": 1e-6}  # added to the variance in a norm
FAR = -80.0  # from here on e^-x overflows in no format
LOWEST = -0.2785  # of x sigma(x)
ANGLE = 64 * 2.0**-53  # relative error of an angle computed in float64


def native(ops: Numbers, what: str) -> Float:
    """The format, if it is a native float; refuses others."""
    if not isinstance(ops, Float):
        raise Refused(f"{ops.name} has no {what}: expected float64 or float32")
    return ops


def scaled(ops: Float, x: Box, factor: float) -> Box:
    """x times a constant above 0 that the format may have to round."""
    low, high, size = x.low * factor, x.high * factor, x.reach * factor
    if math.frexp(factor)[0] == 0.5:  # each end is rounded below the normal range alone
        ends = (x.low, low), (x.high, high)
        lost = [np.where((end != 0) & (np.abs(y) < 2 * ops.tiny), 2 * ops.tiny, 0.0) for end, y in ends]
    else:
        lost = [2 * (4 * ops.u * size + ops.tiny)] * 2
    down, up = (np.where(x.reach == 0, 0.0, off) for off in lost)
    return ops.between(low - down, high + up, size)


def tanh(ops: Float, x: Box) -> Box:
    """tanh."""
    return ops.rising(x, np.tanh, lambda y: 2 * (ops.function * np.abs(y) + ops.tiny))


def sigmoid(ops: Float, x: Box) -> Box:
    """1 / (1 + exp(-x)), between 0 and 1 for every program: 1 and more is what 1 is divided by."""
    y = ops.rising(x, _sigmoid, lambda y: 2 * ((ops.function + 4 * ops.u) * y + ops.tiny))
    y, gone = y.within(Box(np.zeros(()), np.ones(()))), vanishes(ops, x)
    return Box(np.where(gone, 0.0, y.low), np.where(gone, 0.0, y.high)) if bool(gone.any()) else y


def vanishes(ops: Float, x: Box) -> Array:
    """Where e^x lies below half of the least number of the format, and is 0 for every program."""
    return np.asarray((x.high < (FINEST[ops.digits] - 2) * math.log(2)) & (x.low > -np.inf))


def gelu(ops: Float, x: Box) -> Box:
    """x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2; its slope is at most 1.13, and z (1 - tanh(z)^2) at most 0.45."""
    v = x.middle
    y = 0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v * v * v)))
    return ops.within(y, x.reach, 1.13 * x.radius + 2 * ((ops.function + 12 * ops.u) * x.reach + ops.tiny))


def swish(ops: Float, x: Box) -> Box:
    """x sigma(x) as a product, whose error vanishes with sigma; also by its ends: it falls up to -1.278.., then rises."""
    y = ops.product(x, sigmoid(ops, x))
    y = y.looser(np.where(x.low > FAR, 0.0, 2 * ops.tiny * x.reach))  # e^-x may overflow where x e^x does not yet underflow
    left, right = (z / (1 + np.exp(-np.maximum(z, -700.0))) for z in (x.low, x.high))
    least = np.minimum(right, np.where(x.low > -1.27, left, np.where(x.high < -1.29, right, LOWEST)))
    most = np.maximum(left, right)
    lost = 2 * ops.function * (np.abs(least) + np.abs(most)) + 8 * ops.u * x.reach + 2 * ops.tiny
    return y.within(Box(least, most).looser(lost))


def elu_plus_one(ops: Float, x: Box) -> Box:
    """x + 1 above 0, exp(x) below. A program may take exp(x) - 1 + 1, which costs a unit of 1, and is not below 0."""
    y = ops.rising(x, lambda z: np.where(z > 0, z + 1, np.exp(np.minimum(z, 0))), lambda y: 2 * (ops.function + 4 * ops.u) * (1 + y))
    return Box(np.where(y.low > -np.inf, np.maximum(y.low, 0.0), y.low), y.high)


def minus(ops: Float, x: Box, y: Box) -> Box:
    """x - y."""
    return ops.add(x, -y)


def convex(ops: Float, x: Box, y: Box, z: Box) -> Box:
    """z = s x + (1 - s) y for some s in 0 .. 1, up to rounding: no less than both, and no more."""
    return z.within(x.around(y).looser(2 * (ops.function + 4 * ops.u) * (x.reach + y.reach) + 2 * ops.tiny))


def quotient(ops: Float, x: Box, y: Box) -> Box:
    """x / y for y > 0; nothing is known where y may be 0."""
    least = np.where((y.low > 0) & (y.high < np.inf), y.low, np.nan)
    size = x.reach / least
    lost = 2 * ops.loss * size + 2 * ops.tiny * (1 + size)
    low, high = np.minimum(x.low / least, x.low / y.high), np.maximum(x.high / least, x.high / y.high)
    return ops.between(low - lost, high + lost, size)


def normed(ops: Float, x: Box, kind: str, weight: Array, bias: Array | None) -> Box:
    """(x - mean) / sqrt(variance + eps), or x / sqrt(mean square + eps), times a weight, plus a bias."""
    apart = 8 * ops.u * (x.reach + x.reach.mean(axis=-1, keepdims=True))  # a program may multiply x and its mean, and then subtract
    layer = kind == "layer"
    y = rooted(ops, centred(ops, x) if layer else x, EPSILON[kind], x.shape[-1], apart if layer else np.zeros(()))
    z = ops.product(y, Box(np.broadcast_to(weight, y.shape))).looser(2 * ops.tiny * x.reach)
    early = np.abs(weight) / math.sqrt(EPSILON[kind] / 2)  # a program may multiply the weight by the root before it does by x
    squares = (x.reach * x.reach).sum(axis=-1, keepdims=True)  # a program may have those of x before it subtracts that of the mean
    z = ops.between(z.low, z.high, np.maximum(np.maximum(z.reach, early), squares))
    return z if bias is None else ops.add(z, Box(np.broadcast_to(bias, z.shape)))


def centred(ops: Float, x: Box) -> Box:
    """x less its mean along the last axis."""
    size, r = x.reach, x.radius
    lost = gamma(x.shape[-1] + 4, ops.u) * size.mean(axis=-1, keepdims=True) + 2 * ops.u * size + ops.tiny
    value = x.middle - x.middle.mean(axis=-1, keepdims=True)
    return ops.within(value, size.sum(axis=-1, keepdims=True) + size, r + r.mean(axis=-1, keepdims=True) + 2 * lost)


def rooted(ops: Float, x: Box, eps: float, count: int, apart: Array) -> Box:
    """x / sqrt(s + eps), s the sum of squares along the last axis over `count`. No square, and no sum of them, may overflow.

    A program's s' differs from that of the middle by `off` at most, and 1 / sqrt(s' + eps) by off / (2 low^3), low a bound on both roots
    from below. What is divided by no less than its own size is no more than sqrt(count); a program may divide what is `apart` from it.
    """
    r, size, d = x.radius, x.reach, x.shape[-1]
    squares = (size * size).sum(axis=-1, keepdims=True)
    square = (x.middle * x.middle).sum(axis=-1, keepdims=True) / count + eps
    lost = gamma(d + 4, ops.u) * (squares / count + eps) + (d + 1) * ops.tiny
    off = 2 * (size * r).sum(axis=-1, keepdims=True) / count + 2 * lost
    low = np.sqrt(np.maximum(square - off, eps / 2))
    far = r / low + size / low * (off / low / low + 24 * ops.u) + 2 * ops.tiny  # divided one by one: low^3 may overflow
    y = ops.within(x.middle / np.sqrt(square), np.maximum(squares, size / low), far)
    far = apart / low * (1 + 2.0**-20)
    most = math.sqrt(count) * (1 + 2 * gamma(d + 16, ops.u)) + far
    return y.within(Box(np.where(x.low >= 0, -far, -most), np.where(x.high <= 0, far, most)))


def turned(ops: Float, x: Box, at: Array) -> Box:
    """Rotary positions, from 0 on: pairs (j, j + m/2) rotated by position / 10000^(2j/m)."""
    half = x.shape[-1] // 2
    angles = at[:, None] * np.exp(np.arange(half) * (-math.log(BASE) / half))[None, :]
    cos, sin = (ops.within(f(angles), np.ones(()), 2 * _off(ops, angles)) for f in (np.cos, np.sin))
    first, second = x.columns(0, half), x.columns(half, half)
    one = minus(ops, ops.product(first, cos), ops.product(second, sin))
    return join([one, ops.add(ops.product(second, cos), ops.product(first, sin))], axis=-1)


def sinusoids(ops: Float, i: Array, dims: int) -> tuple[Array, Array]:
    """sin and cos of i / 10000^(2j/dims), side by side, and their error."""
    angles = i[:, None] * np.exp(np.arange(0, dims, 2) * (-math.log(BASE) / dims))[None, :]
    both = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(i), -1)[:, :dims]
    return both, np.repeat(_off(ops, angles), 2, axis=1)[:, :dims]


def _off(ops: Float, angles: Array) -> Array:
    return np.asarray(np.abs(angles) * ANGLE + ops.function + ops.u)


def _sigmoid(x: Array) -> Array:
    e = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1 / (1 + e), e / (1 + e)))
