"""One head on boxes: the least weight of the intended place, and what the head then reads.

Let the logit of that place lie at least g_j >= 0 above that of every rival j. With W its weight and T the sum of all weights:

    reals        W >= 1 / (1 + sum_j exp(-g_j)), T = 1
    floats       the same with the rounding of differences, of exp, of the sum and of the quotient; T = 1 up to that
    fixed:p,f    the exponential of the place is 1 and those of rivals at most floor(exp(-g_j)): W >= floor(1 / (1 + their sum)). Floored
                 weights add up to less than 1: W <= T <= 1
    nearest:p    each weight is the real one, rounded: T <= 1 + n / 2^(f + 1)

What is read is W v + (T - W) r with v the value of the place, and r a mean of those of rivals, which lies in the box around them. It is
linear in W and in T, so its extremes lie at the corners of what W and T may be.

Weights of heads whose logits lie in intervals, whatever the input, lie between two numbers as well: a weight rises with its own exponential
and falls with the others, so it is largest where its own logit is high and all others are low. A program subtracts its own largest logit
m, rounds the difference and takes exp; e^m is common to all and leaves the quotients as they are. Exact formats are covered where no
logit is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box, foremost, join, known
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.integers import plus, product, times


@dataclass(frozen=True, eq=False)
class Share:
    """Boxes [rows, 1] around the weight of one place and around the sum of all weights, in the units of the format."""

    weight: Box
    total: Box

    def lowest(self) -> Share:
        """What holds for all rows."""
        return Share(self.weight.hull()[None], self.total.hull()[None])

    def __getitem__(self, rows: Array | slice) -> Share:
        return Share(self.weight[rows], self.total[rows])

    def nothing(self) -> Share:
        """This head without an intended place."""
        return Share(Box(self.weight.low * 0, self.weight.high), self.total)

    def least(self, ops: Numbers) -> float:
        """The least weight of all rows, as a share of 1, rounded down."""
        exact = self.weight.low.min()
        least = float(exact)
        return (float(np.nextafter(least, 0)) if ops.exact and int(least) > int(exact) else least) / (ops.scale or 1)

    def worst(self) -> int:
        """The row with the least weight."""
        return int(np.argmin(self.weight.low[:, 0]))

    @staticmethod
    def joined(parts: Sequence[Share]) -> Share:
        """Rows below each other."""
        return Share(join([part.weight for part in parts], axis=0), join([part.total for part in parts], axis=0))


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

    @staticmethod
    def joined(parts: Sequence[Reading]) -> Reading:
        """Readers below each other."""
        shares = [Share.joined([part.shares[h] for part in parts]) for h in range(len(parts[0].shares))]
        return Reading(join([part.x for part in parts], axis=0), join([part.own for part in parts], axis=0), shares)


class Least:
    """The least lead of some logits over others, in the units of the format, of all that it is shown."""

    def __init__(self) -> None:
        self.value: int | float | None = None

    def lead(self, own: Box, others: Box) -> None:
        """Some more; nothing is known of the weights where one may overflow."""
        least = (known(own).low - known(others).high).min()
        self.value = least if self.value is None else min(self.value, least)

    @staticmethod
    def together(several: Sequence[Least]) -> Array:
        """Side by side; 0 where nothing was shown."""
        return np.array([0 if each.value is None else each.value for each in several])


def of_place(ops: Numbers, scores: str, a: Box, place: Array, seen: Array, n: int) -> Share:
    """One place's share in each row of logits [rows, keys], among the keys that the row sees. Weights of infinite logits are no numbers,
    and nan is what a program gets that adds -inf to an infinite logit that it hides."""
    if scores != "uniform":
        known(a)
    rows, rivals = np.arange(len(place)), seen.copy()
    rivals[rows, place] = False
    return share(ops, scores, a.low[rows, place][:, None] - a.high, rivals.astype(np.int64), n)


def share(ops: Numbers, scores: str, gaps: Array, counts: Array, n: int) -> Share:
    """Of a place whose logit leads those of so many rivals by at least so much: [rows, rivals] both, in the units of the format; n keys.

    If a rival may be ahead, the least weight of the place is 0.
    """
    counts, one = np.broadcast_to(counts, gaps.shape), ops.scale or 1.0
    least = np.where(counts > 0, gaps, 1)
    ahead = np.asarray(~(least >= 0).all(axis=1) if scores == "softmax" else ~(least > 0).all(axis=1) | (scores == "uniform"))
    if scores == "hard":
        return _spread(np.where(ahead, 0, one), one, one, one)
    return _spread(*ops.share(np.where((counts > 0) & ~ahead[:, None], np.maximum(gaps, 0), 0), counts, ahead, n))


def may_be_largest(score: Box, starts: Array, shown: Array, agreeing: Mapping[int, tuple[slice, Array]]) -> Array:
    """[rows, positions]: which keys may have the largest score of a row, where the columns from starts[j] on are what the key at j may be.

    `agreeing` has, for some j, its columns and which of them may be together with each row.
    """
    best, worst = np.maximum.reduceat(score.high, starts, axis=1), np.minimum.reduceat(score.low, starts, axis=1)
    for j, (columns, agree) in agreeing.items():
        best[:, j] = np.where(agree, score.high[:, columns], score.high.min() - 1).max(axis=1)
        worst[:, j] = np.where(agree, score.low[:, columns], score.low.max() + 1).min(axis=1)
    return foremost(np.where(shown, worst, worst.min() - 1), best, np.broadcast_to(shown, best.shape))


def real_weight(a: Box, place: Array | None, seen: Array, more: Box | None = None) -> float:
    """The least weight, over rows of logits, that the softmax of real numbers gives one place (None: the one that is largest for sure).

    `more` is the logit of one further key of each row.
    """
    low, high, rows = a.low, np.where(seen, a.high, -np.inf), np.arange(len(a))  # the real logits lie between
    at = np.where(seen, low, -np.inf).argmax(axis=1) if place is None else place
    high[rows, at] = -np.inf
    with np.errstate(over="ignore"):  # infinite where the other weight is all
        mass = np.exp(high - low[rows, at][:, None]).sum(axis=1)
        mass = mass if more is None else mass + np.exp(more.high - low[rows, at])
    weight = 1 / (1 + float(mass.max()) * (1 + 2.0**-30))
    return weight * (1 - 2.0**-40) if np.isfinite(weight) else 0.0


def _spread(least: Array, most: float, total_least: Array | float, total_most: float) -> Share:
    ends = [np.broadcast_to(np.asarray(x), least.shape)[:, None] for x in (least, most, total_least, total_most)]
    return Share(Box(*ends[:2]), Box(*ends[2:]))


def mix(ops: Numbers, share: Share, value: Box, rivals: Box, n: int) -> Box:
    """What a head reads over n keys, [rows, value width], from the value of its place and the box around those of all rivals."""
    weight, total = share.weight, share.total
    between = np.minimum(np.maximum(total.low, weight.low), weight.high)
    lows, highs = [], []
    for W in (weight.low, weight.high, between):
        for T in (total.low, total.high):
            M = np.maximum(T - W, 0)
            lows.append(plus(times(value.low, W), times(rivals.low, M)))
            highs.append(plus(times(value.high, W), times(rivals.high, M)))
    low, high = np.stack(lows).min(axis=0), np.stack(highs).max(axis=0)
    most = np.maximum(value.reach, rivals.reach)
    return ops.unweighed(ops.enclosing(low, high, lambda: most * total.high, n + 1), most * n)


def own_logits(ops: Numbers, q: Box, k: Box) -> Box:
    """Each query with its own key, [rows, 1]."""
    return ops.logits(q[:, None], k[:, None])[:, 0]


def alike(ops: Numbers, count: int) -> Box:
    """The weight of each of `count` tokens if all are weighed equally, [1, 1]."""
    logits = np.zeros((1, count), dtype=np.int64 if ops.exact else np.float64)
    return ops.attention(Box(logits), None, "uniform")[:, :1]


def weighed(ops: Numbers, weight: Box, total: Box, sizes: list[Array]) -> Box:
    """One weight times sums of terms, each of magnitudes up to one of `sizes`: every sum was added up in float64 or exactly."""
    read = ops.enclosing(*products(weight, total), lambda: np.asarray(4 * weight.high * sum(sizes)), 4 * len(sizes))
    return ops.unweighed(read, np.asarray(4 * sum(sizes)))


def focused(ops: Numbers, w: Box, v: Box, hulls: Box, focus: Array, rows: list[slice]) -> list[Box]:
    """What each reader reads: w [readers, tokens] times values, one box `hulls` around those of each token; of its focus all rows of v."""
    n, readers, chosen = w.shape[1], np.arange(len(focus)), focus >= 0
    none = np.zeros(int(chosen.sum()), dtype=w.low.dtype)
    others = w.with_rows((readers[chosen], focus[chosen]), Box(none, none))
    summed, boxes = sums(others, hulls), []
    for i, j in enumerate(focus.tolist()):
        low, high, own = summed[0][i : i + 1], summed[1][i : i + 1], w[i : i + 1]
        if chosen[i]:
            more = products(own[:, j : j + 1], v[rows[i]])
            low, high = plus(low, more[0]), plus(high, more[1])
        read = ops.enclosing(low, high, partial(np.matmul, own.high, hulls.reach), n + 1)
        boxes.append(ops.unweighed(read, hulls.reach.sum(axis=0)))
    return boxes


def sums(w: Box, v: Box) -> tuple[Array, Array]:
    """The ends of the sums of v [keys, ..] with weights w >= 0, [readers, keys]."""
    low = plus(product(w.low, np.maximum(v.low, 0)), product(w.high, np.minimum(v.low, 0)))
    return low, plus(product(w.high, np.maximum(v.high, 0)), product(w.low, np.minimum(v.high, 0)))


def products(w: Box, v: Box) -> tuple[Array, Array]:
    """The ends of the products of weights w >= 0 and values, entry by entry."""
    return times(np.where(v.low >= 0, w.low, w.high), v.low), times(np.where(v.high >= 0, w.high, w.low), v.high)
