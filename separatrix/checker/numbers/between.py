"""Ranges: numbers of a float format that may be anything between two ends, where that is narrower than an error bound.

A bound by slopes suits numbers that are almost known. Where a number may be anything in a wide range, such as a gate that may be open or
shut, the ends of the range go through a rising function one by one.
"""

from __future__ import annotations

import numpy as np

from separatrix.checker.numbers.boxes import Box, centred
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.values import Array, Values


class Ranged(Float):
    """float64 or float32 of which only one thing is said: what any program has lies within twice the error of the value.

    For each program there is a number within the error of both, which stands for the real one in every bound; see `centred` of boxes.py.
    """


def between(ops: Float, y: Values, low: Array, high: Array) -> Values:
    """y, which for every program also lies between low and high; an infinite error, of what may overflow, stays."""
    if not isinstance(ops, Ranged):
        return y
    least, most = ends_of(y)
    low, high = np.maximum(low, least), np.minimum(high, most)
    narrower = np.isfinite(y.errors) & (low <= high) & (high - low < 4 * y.errors)  # its own range is 4 errors wide
    if not bool(narrower.any()):
        return y
    known = centred(ops, Box(np.where(narrower, low, 0.0), np.where(narrower, high, 0.0)))
    return Values(np.where(narrower, known.value, y.value), np.where(narrower, known.errors, y.errors))


def ratio(ops: Float, x: Values, y: Values, z: Values) -> Values:
    """z = x / y for y > 0, also by the ends of both."""
    (low, high), (least, most) = ends_of(x), ends_of(y)
    least = np.where(least > 0, least, np.nan)
    lost = 8 * ops.u * (np.maximum(np.abs(low), np.abs(high)) / least) + ops.tiny
    return between(ops, z, np.minimum(low / least, low / most) - lost, np.maximum(high / least, high / most) + lost)


def rising(ops: Float, low: Array, high: Array, y: Values, size: Array) -> Values:
    """y, a function of something at whose ends it is low and high: a program is off by 4 units, and by a unit of `size`."""
    lost = 2 * ops.function * (np.abs(low) + np.abs(high)) + 8 * ops.u * size + ops.tiny
    return between(ops, y, low - lost, high + lost)


def products(ops: Float, x: Values, y: Values, z: Values) -> Values:
    """z = x y, number by number, also by the ends of both."""
    corners = [a * b for a in ends_of(x) for b in ends_of(y)]
    low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
    return rising(ops, low, high, z, x.reach * y.reach)


def totals(ops: Float, x: Values, y: Values, z: Values) -> Values:
    """z = x + y, also by the ends of both."""
    (low, high), (least, most) = ends_of(x), ends_of(y)
    return rising(ops, low + least, high + most, z, x.reach + y.reach)


def convex(ops: Float, x: Values, y: Values, z: Values) -> Values:
    """z = s x + (1 - s) y for some s in 0 .. 1, up to rounding: no less than both, and no more."""
    (low, high), (least, most) = ends_of(x), ends_of(y)
    return rising(ops, np.minimum(low, least), np.maximum(high, most), z, x.reach + y.reach)


def sums(ops: Float, x: Values, y: Values, z: Values, lost: Array) -> Values:
    """z = x y for a vector [.., m] and a matrix [.., m, w], also by the ends of both, when a program is off by no more than `lost`."""
    (low, high), (least, most) = ends_of(x), ends_of(y)
    up, down = np.maximum(high, 0.0)[..., None, :], np.maximum(-low, 0.0)[..., None, :]
    above, below = np.maximum(most, 0.0), np.maximum(-least, 0.0)
    bottom = np.maximum(low, 0.0)[..., None, :] @ np.maximum(least, 0.0) - down @ above - up @ below
    return between(ops, z, bottom[..., 0, :] - lost, (up @ above + down @ below)[..., 0, :] + lost)


def ends_of(x: Values) -> tuple[Array, Array]:
    """The least and the most that any program has."""
    return x.value - 2 * x.errors, x.value + 2 * x.errors
