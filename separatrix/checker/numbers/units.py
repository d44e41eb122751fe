"""The feed-forward part on boxes: hidden units that share a direction are one piecewise-linear function of one number.

Let units i of a group have the rows  a_i d  with a_i a sign times a power of two, and u = <d, y>. What the group adds to an output is
F(u) = sum_i c_i relu(a_i u + b_i), linear between the points -b_i / a_i, which float64 has exactly where it has b_i. So F lies between
its least and its largest value at the ends of the interval of u and at those points inside it. Plain intervals would bound each unit
alone, and a step, the difference of two units, would look like [1/2, 3/2] where it is 1.

A program's own units are off: each by the rounding of one sum, which its weight c_i multiplies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box, join
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import shifted
from separatrix.checker.numbers.rounding import SLACK, TINY64, U64, gamma, grid_of, no_rounding

ROWS = 1 << 12  # boxes at a time
FEW = 64  # boxes of floats up to which it is looked for whether float64 rounds nothing


@dataclass(frozen=True, eq=False)
class Group:
    """Units whose rows are multiples of one direction."""

    direction: Array  # d, [width]
    units: Array  # which hidden units
    factors: Array  # a_i
    outputs: Array  # which outputs they reach
    ends: Array  # c_i for each of these, [outputs, units]


def relus(ops: Numbers, w: Mapping[str, Array], y: Box, alone: Callable[[Box], Box]) -> Box:
    """What ReLUs give for y [.., width], bounded together; `alone` bounds each of them by itself."""
    real, rows, boxes = _Real.of(ops, w), y.reshape(-1, y.shape[-1]), []
    if real is None:
        return alone(y)
    for first in range(0, len(rows), ROWS):
        some = rows[first : first + ROWS]
        box = _together(ops, real, some)
        if box is None or ops.name != "float64" or len(some) <= FEW:  # elsewhere groups are hardly ever worse
            box = alone(some) if box is None else box.within(alone(some))
        boxes.append(box)
    return join(boxes).reshape(*y.shape[:-1], -1)


@dataclass(frozen=True, eq=False)
class _Real:
    """The weights as real numbers in float64, and the units by direction."""

    inner: Array
    b: Array
    outer: Array
    last: Array
    groups: list[Group]

    @classmethod
    def of(cls, ops: Numbers, w: Mapping[str, Array]) -> _Real | None:
        """None if float64 cannot hold them."""
        tensors = {name: _real(ops, tensor) for name, tensor in w.items()}
        if any(tensor is None for tensor in tensors.values()):
            return None
        inner, outer = tensors["inner"], tensors["outer"]
        assert inner is not None
        assert outer is not None
        b, last = tensors.get("inner_bias"), tensors.get("outer_bias")
        groups = _groups(inner, outer)
        return cls(inner, np.zeros(len(inner)) if b is None else b, outer, np.zeros(len(outer)) if last is None else last, groups)


def _groups(inner: Array, outer: Array) -> list[Group]:
    """The units by direction; a unit that reads nothing has direction 0."""
    by_direction: dict[bytes, tuple[Array, list[int], list[float]]] = {}
    for i, row in enumerate(inner):
        seen, factor = np.flatnonzero(row), 1.0
        if len(seen):
            _, exponent = np.frexp(row[seen[0]])
            factor = float(np.copysign(np.ldexp(1.0, int(exponent)), row[seen[0]]))
            if not np.isfinite(row / factor).all() or (row / factor * factor != row).any():
                factor = 1.0  # the quotient is not a float64
        direction = row / factor + 0.0  # no -0
        _, units, factors = by_direction.setdefault(direction.tobytes(), (direction, [], []))
        units.append(i)
        factors.append(factor)
    groups = []
    for direction, units, factors in by_direction.values():
        reached = np.flatnonzero(outer[:, units].any(axis=1))
        if not len(reached):
            continue
        groups.append(Group(direction, np.array(units), np.array(factors), reached, outer[reached][:, units]))
    return groups


def _together(ops: Numbers, real: _Real, y: Box) -> Box | None:
    """The groups side by side, in real numbers that float64 encloses, and then what rounding adds; nothing where numbers are too large."""
    low_y, high_y = _real(ops, y.low), _real(ops, y.high)
    if low_y is None or high_y is None:
        return None
    Y = np.maximum(np.abs(low_y), np.abs(high_y))
    low, high = (np.repeat(real.last[:, None], len(Y), axis=1) for _ in range(2))  # [outputs, rows]: each output lies side by side
    most = Y @ np.abs(real.inner).T + np.abs(real.b)  # of each hidden unit
    size = most @ np.abs(real.outer).T + np.abs(real.last)
    looked_for = ops.exact or len(Y) <= FEW  # whether nothing is rounded; floats are off by much more than float64 is here
    grids: list[int | None] = [grid_of(real.last) if looked_for else None]
    forms = np.array([g.direction for g in real.groups]).reshape(-1, Y.shape[1])
    up, down = np.maximum(forms, 0), np.minimum(forms, 0)
    firsts, lasts, lengths = up @ low_y.T + down @ high_y.T, up @ high_y.T + down @ low_y.T, np.abs(forms) @ Y.T
    for g, first, last, length in zip(real.groups, firsts, lasts, lengths, strict=True):
        if not (looked_for and _exact(length, _finest(low_y, high_y), grid_of(g.direction))):
            off = (gamma(2 * len(g.direction), U64) * length + len(g.direction) * TINY64) * SLACK
            first, last = first - off, last + off  # noqa: PLW2901
        bias, factors = real.b[g.units].tolist(), g.factors.tolist()
        points = [-b / a for a, b in zip(factors, bias, strict=True)]
        if any(abs(point) < TINY64 and point * a != -b for point, a, b in zip(points, factors, bias, strict=True)):
            return None  # float64 does not have the point at which a unit turns
        turns = [np.clip(point, first, last) for point in points]
        F = np.stack([_at(u, g, bias, factors) for u in (first, last, *turns)])  # [points, outputs, rows]
        low[g.outputs] += F.min(axis=0)
        high[g.outputs] += F.max(axis=0)
        if looked_for:
            inside, ends = _finest(real.b[g.units], *(u[:, None] * g.factors for u in (first, last, *turns))), grid_of(g.ends)
            grids.append(None if inside is None or ends is None else inside + ends)
    exact = None not in grids and _exact(size, min(g for g in grids if g is not None))
    if not exact:
        off = (gamma(2 * len(real.inner) + 8, U64) * size * SLACK + len(real.inner) * TINY64).T
        low, high = low - off, high + off
    return _stored(ops, real, low.T, high.T, size, most)


def _at(u: Array, g: Group, bias: list[float], factors: list[float]) -> Array:
    """What a group adds to its outputs where <d, y> is u, [outputs, rows]."""
    hidden = [np.maximum(a * u + b, 0) for a, b in zip(factors, bias, strict=True)]
    return np.stack([sum(c * h for c, h in zip(row, hidden, strict=True)) for row in g.ends.tolist()])


def _stored(ops: Numbers, real: _Real, low: Array, high: Array, size: Array, most: Array) -> Box | None:
    """What a program makes of outputs between low and high in real numbers, whose units are rounded first."""
    hidden, width = real.inner.shape
    if ops.scale is not None:
        if not max(float(most.max(initial=0)) * ops.scale + 1, 1.0) < ops.high or not float(size.max(initial=0)) * ops.scale < 2.0**60:
            return None
        # the store of a unit moves it by less than 2^-f, and not at all where its weights are whole numbers
        moved = (0.0 if bool((real.inner == np.rint(real.inner)).all()) else 1.0 / ops.scale) * np.abs(real.outer).sum(axis=1)
        rounded = np.floor if ops.floors else np.rint  # rounding is monotone
        if moved.any():
            low, high = np.nextafter(low - moved, -np.inf), np.nextafter(high + moved, np.inf)
        ends = [rounded(end * ops.scale).astype(np.int64) for end in (low, high)]
        return ops.enclosing(shifted(ends[0], ops.f), shifted(ends[1], ops.f), lambda: size, 1)
    roundings = width + 1 if ops.free else 1
    each = gamma(roundings, ops.u) * most + roundings * ops.tiny
    if not float((most + each).max(initial=0)) < ops.room:
        return None
    off = (each @ np.abs(real.outer).T) * SLACK
    return ops.enclosing(low - off, high + off, lambda: size + off, hidden + 1)


def _real(ops: Numbers, x: Array) -> Array | None:
    """The real numbers, in float64; None if it cannot hold them."""
    if ops.scale is None:
        return x
    if x.size and max(int(x.max()), -int(x.min())) > 1 << 53:
        return None
    return np.asarray(x.astype(np.float64) / ops.scale)


def _finest(*arrays: Array) -> int | None:
    """A grid of all of them."""
    grids = [grid_of(x) for x in arrays]
    return None if None in grids else min(g for g in grids if g is not None)


def _exact(size: Array, *grids: int | None) -> bool:
    """Whether float64 computes sums up to this size, of products on these grids, without rounding."""
    return no_rounding(53, float(size.max(initial=0)), *grids)
