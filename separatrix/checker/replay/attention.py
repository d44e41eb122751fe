"""One head on boxes: the least weight of the intended place, and what the head then reads.

Let the logit of that place lie at least g_j >= 0 above that of every rival j. With W its weight and T the sum of all weights:

    reals        W >= 1 / (1 + sum_j exp(-g_j)), T = 1
    floats       the same with the rounding of differences, of exp, of the sum and of the quotient; T = 1 up to that
    fixed:p,f    the exponential of the place is 1 and those of rivals at most floor(exp(-g_j)): W >= floor(1 / (1 + their sum)). Floored
                 weights add up to less than 1: W <= T <= 1
    nearest:p    each weight is the real one, rounded: T <= 1 + n / 2^(f + 1)

What is read is W v + (T - W) r with v the value of the place, and r a mean of those of rivals, which lies in the box around them. It is
linear in W and in T, so its extremes lie at the corners of what W and T may be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from separatrix.checker.numbers.exact import Fixed, Grid
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import plus, product, times
from separatrix.checker.numbers.rounding import SLACK, gamma, grid_of, no_rounding
from separatrix.checker.numbers.small_float import SmallFloat
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.replay.boxes import U64, Box, enclosed, summed

EXP64 = 1 + 2.0**-40  # rounding of exp, sums and quotients in float64, with a wide safety margin


@dataclass(frozen=True, eq=False)
class Share:
    """Bounds on the weight of one place and on the sum of all weights: arrays [rows, 1], in the units of the format."""

    least: Array
    most: Array
    total_least: Array
    total_most: Array

    def lowest(self) -> Share:
        """What holds for all rows."""
        least, total_least = (x.min(axis=0, keepdims=True) for x in (self.least, self.total_least))
        most, total_most = (x.max(axis=0, keepdims=True) for x in (self.most, self.total_most))
        return Share(least, most, total_least, total_most)

    def __getitem__(self, rows: Array | slice) -> Share:
        return Share(self.least[rows], self.most[rows], self.total_least[rows], self.total_most[rows])


@dataclass(frozen=True, eq=False)
class Reading:
    """What is known of the readers of one length: a row for each, or one row for all."""

    x: Box  # what enters the layer there
    own: Box  # the values of all heads at the reader's own token
    shares: list[Share]  # of the queried place, by head

    def merged(self) -> Reading:
        """One row for all."""
        x, own = self.x.hull(), self.own.hull()
        return Reading(x[None], own[None], [each.lowest() for each in self.shares])


def share(ops: Numbers, scores: str, gaps: Array, counts: Array, n: int) -> Share:
    """Of a place whose logit leads those of so many rivals by at least so much: [rows, rivals] both, in the units of the format; n keys.

    If a rival may be ahead, the least weight of the place is 0.
    """
    counts = np.broadcast_to(counts, gaps.shape)
    ahead = np.asarray((np.where(counts > 0, gaps, 1) < (1 if scores == "hard" and isinstance(ops, Grid) else 0)).any(axis=1))
    if scores == "hard":
        if not isinstance(ops, Grid):
            ahead = np.asarray(~(np.where(counts > 0, gaps, 1.0) > 0).all(axis=1))
        return _spread(np.where(ahead, 0, _one(ops)), _one(ops), _one(ops), _one(ops))
    if scores == "uniform":
        ahead = np.ones(len(gaps), dtype=bool)
    gaps = np.where((counts > 0) & ~ahead[:, None], np.maximum(gaps, 0), 0)
    if isinstance(ops, Fixed):
        rest = np.where(counts > 0, ops.exponential.floor(gaps).astype(object) * counts.astype(object), 0).sum(axis=1)
        least = np.array([0 if late else ops.scale * ops.scale // (ops.scale + int(r)) for late, r in zip(ahead, rest, strict=True)])
        return _spread(least, ops.scale, least, ops.scale)
    if isinstance(ops, Grid):
        mass = _mass((gaps / ops.scale).astype(np.float64) * (1 - 2.0**-50), counts)
        real = np.where(ahead, 0.0, (1 - 2.0**-40) / (1 + mass))
        least = np.array([int(float(r) * (1 << 40)) * ops.scale + (1 << 39) >> 40 for r in real], dtype=object)  # rounding is monotone
        least = np.minimum(least, ops.scale)
        return _spread(least, ops.scale, least, ops.scale + n)
    if isinstance(ops, SmallFloat):
        real = np.where(ahead, 0.0, (1 - 2.0**-40) / (1 + _mass(gaps, counts)))
        least, lost = ops.rounded(real), 2.0 ** -(ops.m + 1) + n * 2.0 ** (ops.least - ops.m - 1)
        return _spread(least, 1.0 + lost, np.maximum(0.0, 1 - lost * SLACK), 1 + lost * SLACK)
    assert isinstance(ops, Float)
    mass = _mass(gaps * (1 - 2 * ops.u), counts) * (1 + 4 * ops.function) + n * 2 * ops.tiny
    lost = (gamma(n, ops.u) + 8 * ops.u) * SLACK + n * ops.tiny
    least = np.where(ahead, 0.0, (1 - 2 * ops.function) * (1 - min(lost, 1.0)) / (1 + mass) * (1 - 2.0**-40))
    return _spread(least, 1 + lost, np.maximum(0.0, 1 - lost), 1 + lost)


def _mass(gaps: Array, counts: Array) -> Array:
    """The sum of exp(-gap), at least that."""
    return np.asarray((np.exp(-gaps) * counts).sum(axis=1) * EXP64)


def _one(ops: Numbers) -> int | float:
    return ops.scale if isinstance(ops, Grid) else 1.0


def _spread(least: Array, most: float, total_least: Array | float, total_most: float) -> Share:
    columns = [np.broadcast_to(np.asarray(x), least.shape)[:, None] for x in (least, most, total_least, total_most)]
    return Share(*columns)


def mix(ops: Numbers, weights: Share, value: Box, rivals: Box, n: int) -> Box:
    """What a head reads over n keys, [rows, value width], from the value of its place and the box around those of all rivals."""
    ends: list[tuple[Array, Array]] = []
    between = np.minimum(np.maximum(weights.total_least, weights.least), weights.most)
    for W in (weights.least, weights.most, between):
        for T in (weights.total_least, weights.total_most):
            M = np.maximum(T - W, 0)
            if isinstance(ops, Grid):
                ends.append((plus(times(value.low, W), times(rivals.low, M)), plus(times(value.high, W), times(rivals.high, M))))
            else:
                ends.append((value.low * W + rivals.low * M, value.high * W + rivals.high * M))
    low, high = (np.stack([end[side] for end in ends]) for side in (0, 1))
    low, high = low.min(axis=0), high.max(axis=0)
    if isinstance(ops, Grid):
        return Box(ops.store(low, ops.f), ops.store(high, ops.f))
    size = np.maximum(value.reach, rivals.reach) * weights.total_most
    return summed(ops, low, high, np.broadcast_to(size, low.shape), n + 1)


def logits(ops: Numbers, q: Box, k: Box) -> Box:
    """Every query [.., r, m] with every key [.., n, m]."""
    if q.point and k.point:
        return enclosed(ops.logits(Values(q.low), Values(k.low)))
    if isinstance(ops, Grid):
        low: Array = np.zeros((), dtype=np.int64)
        high = low
        for c in range(q.shape[-1]):
            corners = np.stack([times(a[..., :, c, None], b[..., None, :, c]) for a in (q.low, q.high) for b in (k.low, k.high)])
            low, high = plus(low, corners.min(axis=0)), plus(high, corners.max(axis=0))
        return Box(ops.store(low, ops.f), ops.store(high, ops.f))
    (cq, rq), (ck, rk) = _middle(q), _middle(k)
    swap = (*range(ck.ndim - 2), ck.ndim - 1, ck.ndim - 2)
    ck, rk = ck.transpose(swap), rk.transpose(swap)
    off = np.abs(cq) @ rk + rq @ np.abs(ck) + rq @ rk
    size = (np.abs(cq) + rq) @ (np.abs(ck) + rk)
    return summed(ops, cq @ ck - off, cq @ ck + off, size, q.shape[-1] + 1)


def own_logits(ops: Numbers, q: Box, k: Box) -> Box:
    """Each query with its own key, [rows, 1]."""
    if isinstance(ops, Grid):
        corners = np.stack([times(a, b) for a in (q.low, q.high) for b in (k.low, k.high)])
        low, high = (product(x, np.ones((x.shape[-1], 1), dtype=np.int64)) for x in (corners.min(axis=0), corners.max(axis=0)))
        return Box(ops.store(low, ops.f), ops.store(high, ops.f))
    size = (q.reach * k.reach).sum(axis=1, keepdims=True)
    if q.point and k.point:
        exact = isinstance(ops, Float) and no_rounding(ops.digits, float(size.max(initial=0)), grid_of(q.low), grid_of(k.low))
        z = (q.low * k.low).sum(axis=1, keepdims=True)
        return Box(z, z) if exact else summed(ops, z, z, size, q.shape[-1] + 1)
    (cq, rq), (ck, rk) = _middle(q), _middle(k)
    z, off = (cq * ck).sum(axis=1, keepdims=True), (np.abs(cq) * rk + rq * np.abs(ck) + rq * rk).sum(axis=1, keepdims=True)
    return summed(ops, z - off, z + off, size, q.shape[-1] + 1)


def _middle(x: Box) -> tuple[Array, Array]:
    """Middle and radius."""
    middle = x.low / 2 + x.high / 2
    return middle, np.maximum(x.high - middle, middle - x.low) * (1 + 4 * U64)
