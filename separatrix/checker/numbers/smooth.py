"""Smooth functions, norms and rotary positions, for float64 and float32 only: exact formats do not define them.

Each bound is the function's steepest slope times the error of its argument, plus the error of a program that computes it,
with exp, tanh, sin and cos accurate to 4 units in the last place. Where tanh and sigmoid are saturated their slope is almost 0, so a
recurrence of saturated units does not lose track of itself however long it runs.
"""

from __future__ import annotations

import math

import numpy as np

from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.rounding import SLACK, gamma
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
    y = x.value * factor
    if math.frexp(factor)[0] == 0.5:
        return Values(y, None if x.error is None else x.error * abs(factor))
    return Values(y, (x.errors * abs(factor) + 4 * ops.u * x.reach * abs(factor) + ops.tiny) * SLACK)


def tanh(ops: Float, x: Values) -> Values:
    """tanh; its slope is 4 / (e^x + e^-x)^2, at most 1 and at most 4 exp(-2 |x|)."""
    y, e = np.tanh(x.value), x.errors
    slope = np.minimum(1.0, 4 * np.exp(-2 * _least_size(x)) * (1 + ops.function))
    return Values(y, (slope * e + ops.function * (np.abs(y) + e) + ops.tiny) * SLACK)


def sigmoid(ops: Float, x: Values) -> Values:
    """1 / (1 + exp(-x)); its slope is at most 1/4 and at most exp(-|x|)."""
    y, e = _sigmoid(x.value), x.errors
    slope = np.minimum(0.25, np.exp(-_least_size(x)) * (1 + ops.function))
    return Values(y, (slope * e + (ops.function + 4 * ops.u) * np.minimum(y + e, 1.0) + ops.tiny) * SLACK)


def gelu(ops: Float, x: Values) -> Values:
    """x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2; its slope is at most 1.13, and z (1 - tanh(z)^2) at most 0.45."""
    v = x.value
    y = 0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v * v * v)))
    return Values(y, (1.13 * x.errors + (ops.function + 12 * ops.u) * x.reach + ops.tiny) * SLACK)


def silu(ops: Float, x: Values) -> Values:
    """x sigmoid(x); its slope is at most 1.1."""
    return Values(x.value * _sigmoid(x.value), (1.1 * x.errors + (ops.function + 6 * ops.u) * x.reach + ops.tiny) * SLACK)


def elu_plus_one(ops: Float, x: Values) -> Values:
    """x + 1 above 0, exp(x) below; its slope is at most 1. A program may take exp(x) - 1 + 1, which costs a unit of 1."""
    y = np.where(x.value > 0, x.value + 1, np.exp(np.minimum(x.value, 0)))
    return Values(y, (x.errors + (ops.function + 4 * ops.u) * (1 + x.reach) + ops.tiny) * SLACK)


def minus(ops: Float, x: Values, y: Values) -> Values:
    """x - y."""
    return ops.add(x, Values(-y.value, y.error))


def quotient(ops: Float, x: Values, y: Values) -> Values:
    """x / y for y > 0; infinite error where y may be 0."""
    low = y.value - 2 * y.errors
    if not bool((low > 0).all()):
        low = np.where(low > 0, low, np.nan)
    z = x.value / y.value
    error = (x.errors + np.abs(z) * y.errors) / low + 2 * ops.u * x.reach / low + ops.tiny
    return Values(z, np.where(np.isnan(error), math.inf, error * SLACK))


def normed(ops: Float, x: Values, kind: str, weight: Array, bias: Array | None) -> Values:
    """(x - mean) / sqrt(variance + eps), or x / sqrt(mean square + eps), times a weight, plus a bias."""
    d = x.shape[-1]
    c, e = x.value, x.errors
    if kind == "layer":
        c = c - c.mean(axis=-1, keepdims=True)
        e = e + e.mean(axis=-1, keepdims=True) + (gamma(d + 2, ops.u) * x.reach).mean(axis=-1, keepdims=True) + 2 * ops.u * x.reach
    size = np.abs(c) + 2 * e
    square = (c * c).mean(axis=-1, keepdims=True) + EPSILON[kind]
    off = (2 * size * e).mean(axis=-1, keepdims=True) + gamma(d + 4, ops.u) * ((size * size).mean(axis=-1, keepdims=True) + EPSILON[kind])
    least = np.maximum(square - 2 * off, EPSILON[kind] / 2)  # a sum of squares, however it is computed, plus eps
    root, low = np.sqrt(square), np.sqrt(least)
    spread = off / (low * low * low) + 4 * ops.u / low  # |1 / sqrt(s') - 1 / sqrt(s)| <= |s' - s| / (2 sqrt(least)^3)
    y = c / root * weight
    error = (e / low + size * spread + 4 * ops.u * size / low) * np.abs(weight)
    if bias is not None:
        y, error = y + bias, error + 2 * ops.u * (size / low * np.abs(weight) + np.abs(bias))
    return Values(y, (error + ops.tiny) * SLACK)


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
