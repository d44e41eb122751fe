"""float64 and float32 with a running error bound.

Every operator computes in float64 and carries, for each entry, how far any program of the format may be from the real number:
it may add in any order, with or without fused multiplication. There are two hypotheses: IEEE 754 arithmetic, and exp, tanh, sin and
cos accurate to 4 units in the last place.

Notation   x, e   value and error of an entry: real number, value and what any program has lie within e of the real number
           u      unit roundoff of the format                  X = |x| + 2 e bounds what any program has
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from separatrix.checker.numbers.formats import Numbers, Term, visible_rows
from separatrix.checker.numbers.rounding import EXP64, SLACK, TINY64, U64, gamma, gammas, grid_of, mass, no_rounding
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.seal import Refused, Unproven


class FloatFormat(NamedTuple):
    """A native float."""

    bits: int
    digits: int  # of the mantissa, including the leading one
    dtype: type


FLOATS = {"float64": FloatFormat(64, 53, np.float64), "float32": FloatFormat(32, 24, np.float32)}
ULPS = 4  # units of error allowed to exp and similar functions
MANY = 1 << 12  # weights whose magnitudes are cached


class Float(Numbers):
    """The operators of `float64` and `float32`."""

    exact, free = False, True

    def __init__(self, name: str) -> None:
        self.name, (self.bits, self.digits, self.dtype) = name, FLOATS[name]
        self.u, self.tiny = 2.0**-self.digits, float(np.finfo(self.dtype).tiny)
        self.largest = float(np.finfo(self.dtype).max)
        self.room = self.largest / 2
        self.function = 2 * ULPS * self.u * 1.25  # relative error of exp and its relatives, in the format and in the float64 that bounds it
        self._weights: dict[int, tuple[Array, Array, int | None, Array]] = {}

    # -- what enters ---------------------------------------------------------------------------------------------------------------

    def parameter(self, tensor: Array, name: str) -> Array:
        x = tensor.astype(np.float64)
        with np.errstate(over="ignore"):
            wrong = x[~np.isfinite(x) | (x != x.astype(self.dtype).astype(np.float64))]  # also a finite float64 that overflows float32
        if wrong.size:
            raise self.not_a_number(wrong, name)
        return x

    def integers(self, x: Array) -> Values:
        if x.size and int(np.abs(x).max()) > 1 << self.digits:
            raise Refused(f"an input holds the integer {int(np.abs(x).max())}, which is not a number of {self.name}")
        return Values(x.astype(np.float64))

    def embed(self, rows: Array, terms: list[Term]) -> Values:
        x, size, error, count = rows.copy(), np.abs(rows), np.zeros(rows.shape), 1
        exact, grids, room = True, [grid_of(rows)], size.copy()
        for term in terms:
            y, Y, off, grid = term.vectors.astype(np.float64), np.abs(term.vectors).astype(np.float64), term.error, grid_of(term.vectors)
            if term.vectors.dtype.kind in "iu" and Y.max(initial=0) > 2.0**self.digits:  # the square of an index may not fit
                off = self.u * Y
            if term.directions is not None:
                size_of, other, _ = self._weight(term.directions)
                y, Y, off, grid = y @ term.directions, Y @ size_of, None if off is None else off @ size_of, _both(grid, other)
            exact = exact and off is None and no_rounding(self.digits, float(Y.max(initial=0)), grid)
            room[term.where] = np.maximum(room[term.where], Y)  # of an address by itself, before a gate makes it smaller
            if term.gate is not None:
                gate = np.abs(term.gate)[..., None]
                y, Y, off, grid = term.gate[..., None] * y, gate * Y, None if off is None else gate * off, _both(grid, grid_of(term.gate))
            x[term.where] += y
            size[term.where] += Y
            grids.append(grid)
            count += 3 + (0 if term.directions is None else len(term.directions))
            if off is not None:
                error[term.where] += 2 * off
        if exact and all(no_rounding(self.digits, float(size.max(initial=0)), grid) for grid in grids):
            return self.within(x, np.maximum(size, room), None)
        return self.within(x, np.maximum(size, room), error + gamma(count, self.u) * size + count * self.tiny)

    # -- operators -----------------------------------------------------------------------------------------------------------------

    def linear(self, x: Values, weight: Array, bias: Array | None = None) -> Values:
        size_of, grid, terms = self._weight(weight)  # products with 0 add nothing, and round nothing
        y, size = x.value @ weight.T, x.reach @ size_of.T
        if bias is not None:
            y, size, terms = y + bias, size + np.abs(bias), terms + (bias != 0)
        if x.error is None:
            grids = [(grid_of(x.value), grid), *([] if bias is None else [(self._weight(bias)[1],)])]
            if all(no_rounding(self.digits, float(size.max(initial=0)), *each) for each in grids):
                return self.within(y, size, None)
        off = 0.0 if x.error is None else x.error @ size_of.T
        return self.within(y, size, off + gammas(terms, self.u) * size + terms * self.tiny)

    def logits(self, q: Values, k: Values) -> Values:
        return self._products(q, k.swapped())

    def mix(self, w: Values, v: Values) -> Values:
        return self._products(w, v, self._almost_one(w.reach, v.reach))

    def attention(self, a: Values, visible: Array | None, kind: str) -> Values:
        shown, rows = visible_rows(a.value, visible), a.reshape(-1, a.shape[-1])
        if kind == "softmax":
            w = self._softmax(rows, shown)
        elif kind == "hard":
            w = self._hard(rows, shown)
        elif kind == "uniform":
            counts = shown.sum(axis=1, keepdims=True)
            w = Values(shown / counts, 2 * self.u * shown / counts if (counts & (counts - 1)).any() else None)
        else:
            raise Refused(f"unknown scores {kind!r}: expected softmax, hard or uniform")
        return w.reshape(*a.shape)

    def add(self, x: Values, y: Values) -> Values:
        z, size = x.value + y.value, x.reach + y.reach
        if x.error is None and y.error is None:
            grids = (grid_of(x.value), grid_of(y.value))
            if all(no_rounding(self.digits, float(size.max(initial=0)), g) for g in grids):
                return self.within(z, size, None)
        sum_ = self.within(z, size, x.errors + y.errors + 2 * self.u * size)
        # adding what is 0 for every program loses nothing
        return _unless([(y.reach == 0, x.errors), (x.reach == 0, y.errors)], sum_)

    def product(self, x: Values, y: Values) -> Values:
        z, size = x.value * y.value, x.reach * y.reach
        if x.error is None and y.error is None and no_rounding(self.digits, float(size.max(initial=0)), grid_of(x.value), grid_of(y.value)):
            return self.within(z, size, None)
        rounded = self.within(z, size, x.errors * y.reach + y.errors * x.reach + 2 * self.u * size + self.tiny)
        nothing = ((x.reach == 0) | (y.reach == 0)) & np.isfinite(x.reach + y.reach)  # 0 times a finite number is 0 for every program
        return _unless([(nothing, np.zeros(())), (_one(x), y.errors), (_one(y), x.errors)], rounded)

    def relu(self, x: Values) -> Values:
        if x.error is None:
            return Values(np.maximum(x.value, 0))
        return Values(np.maximum(x.value, 0), np.where(x.value + 2 * x.error <= 0, 0.0, x.error))  # below 0 for everyone

    def enclosing(self, low: Array, high: Array, size: Callable[[], Array], terms: int) -> tuple[Array, Array]:
        most = np.broadcast_to(size(), low.shape)
        if not float(most.max(initial=0)) < self.room:
            raise Unproven("the model", "a number may overflow")
        off = ((gamma(2 * terms + 4, U64) + gamma(terms, self.u)) * most + terms * (2 * TINY64 + self.tiny)) * SLACK
        return low - off, high + off

    def share(self, gaps: Array, counts: Array, ahead: Array, n: int) -> tuple[Array, float, Array | float, float]:
        rest = mass(gaps * (1 - 2 * self.u), counts) * (1 + 4 * self.function) + n * 2 * self.tiny
        lost = (gamma(n, self.u) + 8 * self.u) * SLACK + n * self.tiny
        least = np.where(ahead, 0.0, (1 - 2 * self.function) * (1 - min(lost, 1.0)) / (1 + rest) * (1 - 2.0**-40))
        return least, 1 + lost, max(0.0, 1 - lost), 1 + lost

    def cost(self, depth: int) -> int:  # noqa: ARG002
        return 4  # the product, its magnitudes, the errors

    # -- how it is done ------------------------------------------------------------------------------------------------------------

    def _products(self, x: Values, y: Values, rounding: Array | None = None) -> Values:
        """x y for two matrices of computed numbers: |x' y' - x y| <= X e_y + e_x Y for each product.

        What is lost in adding up is no more than `rounding`, where that is known.
        """
        X, Y, terms = x.reach, y.reach, x.shape[-1] + 1
        z, size = x.value @ y.value, X @ Y
        if x.error is None and y.error is None:
            if no_rounding(self.digits, float(size.max(initial=0)), grid_of(x.value), grid_of(y.value)):
                return self.within(z, size, None)
            return self.within(z, size, gamma(terms, self.u) * size + terms * self.tiny)
        lost = gamma(terms, self.u) * size
        off = (lost if rounding is None else np.minimum(lost, rounding)) + terms * self.tiny
        if x.error is not None:
            off = off + x.error @ Y
        if y.error is not None:
            off = off + X @ y.error
        return self.within(z, size, off)

    def _almost_one(self, X: Array, Y: Array) -> Array | None:
        """What is lost in adding up X Y where one term, that of the heaviest weight, is almost all of the sum.

        Rounding a + b to the nearest number loses no more than the smaller of the two, since the other is a number of the format. In
        whatever order terms are added, one side of each addition is without the heavy term; so all additions together lose at most
        the rest R of the terms, a little more for what was lost among them, and the products u of each: u (M + R) + 2 R.
        """
        terms = X.shape[-1] + 2
        if gamma(terms, self.u) > 0.25:
            return None
        many = np.broadcast_shapes(X.shape[:-2], Y.shape[:-2])
        X, Y = np.broadcast_to(X, (*many, *X.shape[-2:])), np.broadcast_to(Y, (*many, *Y.shape[-2:]))
        top = X.argmax(axis=-1)[..., None]
        size = X @ Y
        rest = size - np.take_along_axis(X, top, axis=-1) * np.take_along_axis(Y, top, axis=-2)
        return np.asarray(2 * self.u * size + 2 * (np.maximum(rest, 0.0) + 2 * gamma(terms, 2.0**-53) * size))

    def _softmax(self, a: Values, shown: Array) -> Values:
        """The weights of every program lie between two quotients.

        A program subtracts its own largest logit, which leaves the real weights as they are, so what matters is by how much a
        logit may be off, 2 e from the value here, and the rounding of the difference; exp adds its own error. A weight rises with its
        own exponential and falls with the others: it is largest where that is high and all others are low.
        """
        e = a.errors
        top = np.where(shown, a.value, -np.inf).max(axis=1, keepdims=True)
        highest = np.where(shown, a.value + 2 * e, -np.inf).max(axis=1, keepdims=True)
        lowest = np.where(shown, a.value - 2 * e, -np.inf).max(axis=1, keepdims=True)
        d = np.where(shown, a.value - top, -np.inf)
        r = np.where(shown, 2 * e + 2 * self.u * (np.abs(a.value - top) + 2 * e + (highest - top) + (top - lowest)), 0.0)
        value, (least, most) = np.exp(d), self._quotients(np.exp(d - r), np.exp(d + r), shown)
        w = value / value.sum(axis=1, keepdims=True)
        return self.within(w, np.ones(w.shape), np.where(shown, most - least + self.tiny, 0.0))

    def soft_ends(self, low: Array, high: Array, shown: Array) -> tuple[Array, Array]:
        low, high = np.where(shown, low, -np.inf), np.where(shown, high, -np.inf)
        top, floor = high.max(axis=1, keepdims=True), low.max(axis=1, keepdims=True)  # the largest logit lies between
        far = np.maximum(np.abs(np.where(shown, high - floor, 0.0)), np.abs(np.where(shown, low - top, 0.0)))
        off = np.where(shown, 4 * self.u * (far + (top - floor)), 0.0)
        least, most = self._quotients(np.exp(low - top - off), np.exp(high - top + off), shown)
        return np.maximum(least / EXP64 - self.tiny, 0.0), np.where(shown, most * EXP64 + self.tiny, 0.0)

    def _quotients(self, low: Array, high: Array, shown: Array) -> tuple[Array, Array]:
        """The least and the largest weights, from bounds on the exponentials of a program's differences, but for the error of exp."""
        high = np.where(shown, high * (1 + self.function) + self.tiny, 0.0)
        low = np.where(shown, np.maximum(low * (1 - self.function) - self.tiny, 0.0), 0.0)
        lost64 = gamma(low.shape[1] + 2, U64)  # of the sums here
        largest = np.arange(low.shape[1]) == high.argmax(axis=1)[:, None]
        rest = np.where(largest, 0.0, high).sum(axis=1, keepdims=True) * (1 + lost64)  # added up without the largest, not subtracted
        alone = 4 * rest < self.u * low.max(axis=1, keepdims=True)  # all others together are rounded away beside the largest
        lost = (np.where(alone, 0.0, gamma(low.shape[1], self.u)) + 4 * self.u) * SLACK  # of a program's own sum and quotient
        above = np.where(largest, rest, np.maximum(high.sum(axis=1, keepdims=True) * (1 + lost64) - high, 0.0))  # all others, at most ..
        least_rest = np.where(largest, 0.0, low).sum(axis=1, keepdims=True) * (1 - lost64)
        below = np.where(largest, least_rest, np.maximum(low.sum(axis=1, keepdims=True) * (1 - lost64) - low, 0.0))  # .. and at least
        return np.where(low > 0, low / (low + above), 0.0) * (1 - lost), high / (high + below) * (1 + lost)

    def _hard(self, a: Values, shown: Array) -> Values:
        """Weight 1 on the first largest; if another may be the largest for some program, the weights are undetermined."""
        rows = np.arange(len(a))
        first = np.where(shown, a.value, -np.inf).argmax(axis=1)  # NumPy's argmax is the first
        w = np.zeros(a.shape)
        w[rows, first] = 1.0
        if a.error is None:
            return Values(w)
        floor = (a.value - 2 * a.error)[rows, first][:, None]
        rivals = shown & ~(a.value + 2 * a.error < floor)
        rivals[rows, first] = False
        open_ = rivals.any(axis=1)
        rivals[rows, first] = open_
        return Values(w) if not open_.any() else Values(w, rivals.astype(np.float64))

    def _weight(self, weight: Array) -> tuple[Array, int | None, Array]:
        """Magnitudes and grid of a weight, which many cases share, and for each of its rows how many entries are not 0."""
        known = self._weights.get(id(weight))
        if known is None or known[0] is not weight:
            if len(self._weights) > MANY:
                self._weights.clear()
            known = self._weights[id(weight)] = (weight, np.abs(weight), grid_of(weight), np.count_nonzero(weight, axis=-1))
        return known[1], known[2], known[3]

    def within(self, value: Array, size: Array, error: Array | None) -> Values:
        """A result of magnitudes up to `size`, and its error; the error is infinite if some program may overflow.

        A program's partial sums exceed `size` by less than a factor 2, or else the error is infinite already.
        """
        if not float(size.max(initial=0)) < self.largest / 2:
            bad = ~(size < self.largest / 2)
            return Values(value, np.broadcast_to(np.where(bad, math.inf, 0.0 if error is None else error * SLACK), value.shape))
        return Values(value) if error is None else Values(value, error * SLACK)


def _unless(known: list[tuple[Array, Array]], rounded: Values) -> Values:
    """A result with the first error whose condition holds, in every entry, and else its own."""
    conditions, errors = ([np.broadcast_to(pair[i], rounded.shape) for pair in known] for i in (0, 1))
    return Values(rounded.value, np.select(conditions, errors, default=rounded.errors))


def _one(x: Values) -> Array:
    """Where it is 1 or -1 for every program, and a product with it is not rounded."""
    return np.asarray((np.abs(x.value) == 1) & (x.errors == 0))


def _both(one: int | None, other: int | None) -> int | None:
    """The grid of products of numbers on two grids."""
    return None if one is None or other is None else one + other
