"""Smooth functions, norms and rotary positions, for float64 and float32 only: exact formats do not define them.

Each bound is the function's steepest slope times the error of its argument, plus the error of a program that computes it,
with exp, tanh, sin and cos accurate to 4 units in the last place. Where tanh and sigmoid are saturated their slope is almost 0, so a
recurrence of saturated units does not lose track of itself however long it runs. What lies below half of the least number of a format is
taken to be 0, as rounding to the nearest number makes it: so is sigmoid(x) where e^x does, which 1 / (1 + exp(-x)) has too, because exp(-x)
overflows there.
"""

from __future__ import annotations

import math

import numpy as np

from separatrix.checker.numbers.between import between, ends_of, ratio, rising
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.rounding import FINEST, gamma
from separatrix.checker.numbers.values import Array, Values, join
from separatrix.checker.seal import Refused

BASE = 10000.0  # of rotary and sinusoidal frequencies
EPSILON = {"layer": 1e-5, "rms": 1e-6}  # added to the variance in a norm
ANGLE = 64 * 2.0**-53  # relative error of an angle computed in float64


def native(ops: Numbers, what: str) -> Float:
    """The format, if it is a native float; refuses others."""
    if not isinstance(ops, Float):
        raise Refused(f"{ops.name} has no {what}: expected float64 or float32")
    return ops


def scaled(ops: Float, x: Values, factor: float) -> Values:
    """x times a constant that the format may have to round."""
    y, size = x.value * factor, x.reach * abs(factor)
    lost = np.where(size < 2 * ops.tiny, ops.tiny, 0.0) if math.frexp(factor)[0] == 0.5 else 4 * ops.u * size + ops.tiny
    lost = np.where(x.reach == 0, 0.0, lost)  # 0 for every program stays 0
    if x.error is None and not lost.any():
        return ops.within(y, size, None)
    return ops.within(y, size, x.errors * abs(factor) + lost)


def tanh(ops: Float, x: Values) -> Values:
    """tanh; its slope is 4 / (e^x + e^-x)^2, at most 1 and at most 4 exp(-2 |x|)."""
    y, e = np.tanh(x.value), x.errors
    slope = np.minimum(1.0, 4 * np.exp(-2 * _least_size(x)) * (1 + ops.function))
    z = ops.within(y, np.ones(()), slope * e + ops.function * (np.abs(y) + e) + ops.tiny)
    low, high = ends_of(x)
    return rising(ops, np.tanh(low), np.tanh(high), z, np.zeros(()))


def sigmoid(ops: Float, x: Values) -> Values:
    """1 / (1 + exp(-x)); its slope is at most 1/4 and at most exp(-|x|)."""
    y, e = _sigmoid(x.value), x.errors
    slope = np.minimum(0.25, np.exp(-_least_size(x)) * (1 + ops.function))
    error = slope * e + (ops.function + 4 * ops.u) * np.minimum(y + e, 1.0) + ops.tiny
    z = ops.within(np.where(vanishes(ops, x), 0.0, y), np.ones(()), np.where(vanishes(ops, x), 0.0, error))
    low, high = ends_of(x)
    return rising(ops, _sigmoid(low), _sigmoid(high), z, np.zeros(()))


def vanishes(ops: Float, x: Values) -> Array:
    """Where e^x lies below half of the least number of the format, and is 0 for every program."""
    return np.asarray(x.value + 2 * x.errors < (FINEST[ops.digits] - 2) * math.log(2))


def gelu(ops: Float, x: Values) -> Values:
    """x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2; its slope is at most 1.13, and z (1 - tanh(z)^2) at most 0.45."""
    v = x.value
    y = 0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v * v * v)))
    return ops.within(y, x.reach, 1.13 * x.errors + (ops.function + 12 * ops.u) * x.reach + ops.tiny)


def silu(ops: Float, x: Values) -> Values:
    """x sigmoid(x); its slope is at most 1.1."""
    return ops.within(x.value * _sigmoid(x.value), x.reach, 1.1 * x.errors + (ops.function + 6 * ops.u) * x.reach + ops.tiny)


def elu_plus_one(ops: Float, x: Values) -> Values:
    """x + 1 above 0, exp(x) below; its slope is at most 1. A program may take exp(x) - 1 + 1, which costs a unit of 1."""
    y, low, high = (np.where(z > 0, z + 1, np.exp(np.minimum(z, 0))) for z in (x.value, *ends_of(x)))
    z = ops.within(y, 1 + x.reach, x.errors + (ops.function + 4 * ops.u) * (1 + x.reach) + ops.tiny)
    z = rising(ops, low, high, z, 1 + x.reach)
    return between(ops, z, np.zeros(z.shape), z.value + 2 * z.errors)  # e^x - 1 + 1 is not below 0 for any program


def minus(ops: Float, x: Values, y: Values) -> Values:
    """x - y."""
    return ops.add(x, -y)


def quotient(ops: Float, x: Values, y: Values) -> Values:
    """x / y for y > 0; infinite error where y may be 0."""
    low = y.value - 2 * y.errors
    if not bool((low > 0).all()):
        low = np.where(low > 0, low, np.nan)
    z = x.value / y.value
    error = x.errors / low + np.abs(z) * (y.errors / low + ops.tiny) + 2 * ops.u * (x.reach / low) + ops.tiny
    return ratio(ops, x, y, ops.within(z, x.reach / low, np.where(np.isnan(error), math.inf, error)))


def normed(ops: Float, x: Values, kind: str, weight: Array, bias: Array | None) -> Values:
    """(x - mean) / sqrt(variance + eps), or x / sqrt(mean square + eps), times a weight, plus a bias."""
    y = rooted(ops, centred(ops, x) if kind == "layer" else x, EPSILON[kind], x.shape[-1])
    z = ops.product(y, Values(np.broadcast_to(weight, y.shape)))
    early = np.abs(weight) / math.sqrt(EPSILON[kind] / 2)  # a program may multiply the weight by the root before it does by x
    z = ops.within(z.value, np.maximum(z.reach, early), z.errors + ops.tiny * x.reach)
    return z if bias is None else ops.add(z, Values(np.broadcast_to(bias, z.shape)))


def centred(ops: Float, x: Values) -> Values:
    """x less its mean along the last axis."""
    size, e = x.reach, x.errors
    lost = gamma(x.shape[-1] + 4, ops.u) * size.mean(axis=-1, keepdims=True) + 2 * ops.u * size + ops.tiny
    value = x.value - x.value.mean(axis=-1, keepdims=True)
    return ops.within(value, size.sum(axis=-1, keepdims=True) + size, e + e.mean(axis=-1, keepdims=True) + lost)


def rooted(ops: Float, x: Values, eps: float, count: int) -> Values:
    """x / sqrt(s + eps), s the sum of squares along the last axis over `count`. No square, and no sum of them, may overflow.

    A program's s' differs from s by `off` at most, and 1 / sqrt(s' + eps) by off / (2 low^3), low a bound on both roots from below.
    """
    e, size, d = x.errors, x.reach, x.shape[-1]
    squares = (size * size).sum(axis=-1, keepdims=True)
    square = (x.value * x.value).sum(axis=-1, keepdims=True) / count + eps
    off = 2 * (size * e).sum(axis=-1, keepdims=True) / count + gamma(d + 4, ops.u) * (squares / count + eps) + (d + 1) * ops.tiny
    low = np.sqrt(np.maximum(square - 2 * off, eps / 2))
    error = e / low + size / low * (off / low / low + 12 * ops.u) + ops.tiny  # divided one by one: low^3 may overflow
    y = ops.within(x.value / np.sqrt(square), np.maximum(squares, size / low), error)
    most = np.full(e.shape, math.sqrt(count) * (1 + 2 * gamma(d + 16, ops.u)))  # of what is divided by no less than its own size
    below, above = ends_of(x)
    return between(ops, y, np.where(below >= 0, 0.0, -most), np.where(above <= 0, 0.0, most))


def turned(ops: Float, x: Values, at: Array) -> Values:
    """Rotary positions, from 0 on: pairs (j, j + m/2) rotated by position / 10000^(2j/m)."""
    half = x.shape[-1] // 2
    angles = at[:, None] * np.exp(np.arange(half) * (-math.log(BASE) / half))[None, :]
    cos, sin = (Values(f(angles), _off(ops, angles)) for f in (np.cos, np.sin))
    first, second = x.columns(0, half), x.columns(half, half)
    one = minus(ops, ops.product(first, cos), ops.product(second, sin))
    return join([one, ops.add(ops.product(second, cos), ops.product(first, sin))], axis=-1)


def sinusoids(ops: Float, i: Array, dims: int) -> tuple[Array, Array]:
    """sin and cos of i / 10000^(2j/dims), side by side, and their error."""
    angles = i[:, None] * np.exp(np.arange(0, dims, 2) * (-math.log(BASE) / dims))[None, :]
    both = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(i), -1)[:, :dims]
    return both, np.repeat(_off(ops, angles), 2, axis=1)[:, :dims]


def _least_size(x: Values) -> Array:
    """A bound from below on the magnitude of the real number and of what any program has for it."""
    return np.asarray(np.maximum(np.abs(x.value) - 2 * x.errors, 0.0))


def _off(ops: Float, angles: Array) -> Array:
    return np.asarray(np.abs(angles) * ANGLE + ops.function + ops.u)


def _sigmoid(x: Array) -> Array:
    e = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1 / (1 + e), e / (1 + e)))
