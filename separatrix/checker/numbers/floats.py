"""float64 and float32: the ends of what any program of the format computes.

A program may add in any order, with or without fused multiplication. There are two hypotheses: IEEE 754 arithmetic, and exp, tanh, sin and
cos accurate to 4 units in the last place. Every operator computes a number c in float64, and bounds how far a program may be from it: by
what its operands may be off, and twice by what the format loses, once for the program and once for the float64 of c.

Notation   c, r   middle and radius of a box        X = its reach, the largest magnitude of a program's number        u   unit roundoff
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box, foremost
from separatrix.checker.numbers.formats import Numbers, Term, visible_rows
from separatrix.checker.numbers.rounding import SLACK, TINY64, U64, gamma, gammas, grid_of, mass, no_rounding
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
        self.function = 2 * ULPS * self.u * 1.25  # relative error of exp and its relatives, and a quarter more
        self.loss = (self.u + 2 * U64) * SLACK  # of one operation, of the same in float64, and of moving an end outwards
        self._weights: dict[int, tuple[Array, Array, int | None, Array]] = {}

    # -- what enters ---------------------------------------------------------------------------------------------------------------

    def parameter(self, tensor: Array, name: str) -> Array:
        x = tensor.astype(np.float64)
        with np.errstate(over="ignore"):
            wrong = x[~np.isfinite(x) | (x != x.astype(self.dtype).astype(np.float64))]  # also a finite float64 that overflows float32
        if wrong.size:
            raise self.not_a_number(wrong, name)
        return x

    def integers(self, x: Array) -> Box:
        if x.size and int(np.abs(x).max()) > 1 << self.digits:
            raise Refused(f"an input holds the integer {int(np.abs(x).max())}, which is not a number of {self.name}")
        return Box(x.astype(np.float64))

    def embed(self, rows: Array, terms: list[Term]) -> Box:
        x, size, error, count = rows.copy(), np.abs(rows), np.zeros(rows.shape), 1
        exact, grids, room, small = True, [grid_of(rows)], size.copy(), np.ones(rows.shape)
        for term in terms:
            y, Y, off, grid = term.vectors.astype(np.float64), np.abs(term.vectors).astype(np.float64), term.error, grid_of(term.vectors)
            if term.vectors.dtype.kind in "iu" and Y.max(initial=0) > 2.0**self.digits:  # the square of an index may not fit
                off = self.u * Y
            if term.directions is not None:
                size_of, other, _ = self._weight(term.directions)
                y, Y, off, grid = y @ term.directions, Y @ size_of, None if off is None else off @ size_of, _both(grid, other)
            exact = exact and off is None and no_rounding(self.digits, float(Y.max(initial=0)), grid)
            room[term.where] = np.maximum(room[term.where], Y)  # of an address by itself, before a gate makes it smaller
            steps = 3 + (0 if term.directions is None else len(term.directions))
            small[term.where] += steps if term.gate is None else steps * np.maximum(np.abs(term.gate), 1)[..., None]  # what underflows
            if term.gate is not None:
                gate = np.abs(term.gate)[..., None]
                y, Y, off, grid = term.gate[..., None] * y, gate * Y, None if off is None else gate * off, _both(grid, grid_of(term.gate))
            x[term.where] += y
            size[term.where] += Y
            grids.append(grid)
            count += steps
            if off is not None:
                error[term.where] += 2 * off
        if exact and all(no_rounding(self.digits, float(size.max(initial=0)), grid) for grid in grids):
            return self.within(x, np.maximum(size, room), None)
        return self.within(x, np.maximum(size, room), 2 * (error + gamma(count, self.u) * size + small * self.tiny))

    # -- operators -----------------------------------------------------------------------------------------------------------------

    def linear(self, x: Box, weight: Array, bias: Array | None = None) -> Box:
        size_of, grid, terms = self._weight(weight)  # products with 0 add nothing, and round nothing
        x = Box(x.low) if x.point else x
        y, size = x.middle @ weight.T, x.reach @ size_of.T
        if bias is not None:
            y, size, terms = y + bias, size + np.abs(bias), terms + (bias != 0)
        off = 2 * (gammas(terms, self.u) * size + terms * self.tiny)
        if x.low is not x.high:
            return self.within(y, size, off + x.radius @ size_of.T)
        grids = [(grid_of(x.low), grid), *([] if bias is None else [(self._weight(bias)[1],)])]
        return self.within(y, size, None if all(no_rounding(self.digits, float(size.max(initial=0)), *each) for each in grids) else off)

    def logits(self, q: Box, k: Box) -> Box:
        return self._products(q, k.swapped())

    def mix(self, w: Box, v: Box) -> Box:
        return self._products(w, v, self._almost_one(w.reach, v.reach))

    def unweighed(self, read: Box, size: Array) -> Box:
        return self.between(read.low, read.high, size)  # the exponentials that weigh them are at most 1

    def attention(self, a: Box, visible: Array | None, kind: str) -> Box:
        shown, rows = visible_rows(a.low, visible), a.reshape(-1, a.shape[-1])
        if kind == "softmax":
            w = self._softmax(rows, shown)
        elif kind == "hard":
            w = self._hard(rows, shown)
        elif kind == "uniform":
            counts = shown.sum(axis=1, keepdims=True)
            w = self.within(shown / counts, np.ones(()), 4 * self.u * shown / counts if (counts & (counts - 1)).any() else None)
        else:
            raise Refused(f"unknown scores {kind!r}: expected softmax, hard or uniform")
        return w.reshape(*a.shape)

    def add(self, x: Box, y: Box) -> Box:
        low, high, size = x.low + y.low, x.high + y.high, x.reach + y.reach
        nothing = (x.reach == 0) | (y.reach == 0)  # adding what is 0 for every program loses nothing
        lost = np.where(nothing, 0.0, self.loss)  # rounding is monotone, so each end loses by its own size
        if x.point and y.point and all(no_rounding(self.digits, float(size.max(initial=0)), grid_of(each.low)) for each in (x, y)):
            return self.between(low, low, size)
        return self.between(low - lost * np.abs(low), high + lost * np.abs(high), size)

    def product(self, x: Box, y: Box) -> Box:
        size = x.reach * y.reach
        if x.point and y.point and no_rounding(self.digits, float(size.max(initial=0)), grid_of(x.low), grid_of(y.low)):
            return self.between(x.low * y.low, None, size)
        rounds, (low, high) = ~(_unit(x) | _unit(y)), corners(x, y)
        lost = [rounds * (self.loss * np.abs(end) + 2 * self.tiny) for end in (low, high)]
        return self.between(low - lost[0], high + lost[1], size)

    def kept(self, idle: Array, x: Box, changed: Box) -> Box:
        """x where every program adds 0 to it, and meets no infinity on the way; else what it is changed into."""
        idle = idle & np.isfinite(changed.reach)
        return Box(np.where(idle, x.low, changed.low), np.where(idle, x.high, changed.high)) if bool(idle.any()) else changed

    def relu(self, x: Box) -> Box:
        return Box(np.maximum(x.low, 0)) if x.low is x.high else Box(np.maximum(x.low, 0), np.maximum(x.high, 0))

    def enclosing(self, low: Array, high: Array, size: Callable[[], Array], terms: int) -> Box:
        most = np.broadcast_to(size(), low.shape)
        if not float(most.max(initial=0)) < self.room:
            raise Unproven("the model", "a number may overflow")
        off = ((gamma(2 * terms + 4, U64) + gamma(terms, self.u)) * most + terms * (2 * TINY64 + self.tiny)) * SLACK
        return Box(low - off, high + off)

    def share(self, gaps: Array, counts: Array, ahead: Array, n: int) -> tuple[Array, float, Array | float, float]:
        rest = mass(gaps * (1 - 2 * self.u), counts) * (1 + 4 * self.function) + n * 2 * self.tiny
        lost = (gamma(n, self.u) + 8 * self.u) * SLACK + n * self.tiny
        least = np.where(ahead, 0.0, (1 - 2 * self.function) * (1 - min(lost, 1.0)) / (1 + rest) * (1 - 2.0**-40))
        return least, 1 + lost, max(0.0, 1 - lost), 1 + lost

    def cost(self, depth: int) -> int:  # noqa: ARG002
        return 4  # the product, its magnitudes, the errors

    # -- how it is done ------------------------------------------------------------------------------------------------------------

    def _products(self, x: Box, y: Box, rounding: Array | None = None) -> Box:
        """x y for two matrices: |x' y' - c_x c_y| <= |c_x| r_y + r_x Y for each product.

        What is lost in adding up is no more than `rounding`, where that is known.
        """
        x, y = (Box(each.low) if each.point else each for each in (x, y))
        X, Y, terms = x.reach, y.reach, x.shape[-1] + 1
        z, size = x.middle @ y.middle, X @ Y
        if x.low is x.high and y.low is y.high and no_rounding(self.digits, float(size.max(initial=0)), grid_of(x.low), grid_of(y.low)):
            return self.within(z, size, None)
        lost = gamma(terms, self.u) * size
        off = 2 * ((lost if rounding is None else np.minimum(lost, rounding)) + terms * self.tiny)
        if x.low is not x.high:
            off = off + x.radius @ Y
        if y.low is not y.high:
            off = off + np.abs(x.middle) @ y.radius
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

    def _softmax(self, a: Box, shown: Array) -> Box:
        """The weights of every program lie between two quotients.

        A program subtracts its own largest logit, which lies between `floor` and `top`; that leaves the real weights as they are, so what
        matters is by how much a logit may be off, and the rounding of the difference; exp adds its own error. A weight rises with its own
        exponential and falls with the others: it is largest where that is high and all others are low.
        """
        low, high = np.where(shown, a.low, -np.inf), np.where(shown, a.high, -np.inf)
        top, floor = high.max(axis=1, keepdims=True), low.max(axis=1, keepdims=True)
        far = np.maximum(np.abs(np.where(shown, high - floor, 0.0)), np.abs(np.where(shown, low - top, 0.0)))
        off = np.where(shown, 4 * self.u * (far + (top - floor)), 0.0)
        least, most = self._quotients(np.exp(low - top - off), np.exp(high - top + off), shown)
        return self.between(np.maximum(least - self.tiny, 0.0), np.where(shown, most + self.tiny, 0.0), _row_size(a))

    def _quotients(self, low: Array, high: Array, shown: Array) -> tuple[Array, Array]:
        """The least and the largest weights, from bounds on the exponentials of a program's differences, but for the error of exp."""
        high = np.where(shown, high * (1 + 2 * self.function) + self.tiny, 0.0)
        low = np.where(shown, np.maximum(low * (1 - 2 * self.function) - self.tiny, 0.0), 0.0)
        lost64 = gamma(low.shape[1] + 2, U64)  # of the sums here
        largest = np.arange(low.shape[1]) == high.argmax(axis=1)[:, None]
        rest = np.where(largest, 0.0, high).sum(axis=1, keepdims=True) * (1 + lost64)  # added up without the largest, not subtracted
        alone = 4 * rest < self.u * low.max(axis=1, keepdims=True)  # all others together are rounded away beside the largest
        lost = (np.where(alone, 0.0, gamma(low.shape[1], self.u)) + 8 * self.u) * SLACK  # of a program's own sum and quotient, and of these
        above_ = np.where(largest, rest, np.maximum(high.sum(axis=1, keepdims=True) * (1 + lost64) - high, 0.0))  # all others, at most ..
        least_rest = np.where(largest, 0.0, low).sum(axis=1, keepdims=True) * (1 - lost64)
        below_ = np.where(largest, least_rest, np.maximum(low.sum(axis=1, keepdims=True) * (1 - lost64) - low, 0.0))  # .. and at least
        return np.where(low > 0, low / (low + above_), 0.0) * (1 - lost), high / (high + below_) * (1 + lost)

    def _hard(self, a: Box, shown: Array) -> Box:
        """Weight 1 on the first largest; if another may be the largest for some program, the weights are open."""
        may = foremost(np.where(shown, a.low, -np.inf), a.high, shown)
        most, alone = may.astype(np.float64), may.sum(axis=1, keepdims=True) == 1
        return self.between(np.where(alone, most, 0.0), None if alone.all() else most, _row_size(a))

    def _weight(self, weight: Array) -> tuple[Array, int | None, Array]:
        """Magnitudes and grid of a weight, which many cases share, and for each of its rows how many entries are not 0."""
        known = self._weights.get(id(weight))
        if known is None or known[0] is not weight:
            if len(self._weights) > MANY:
                self._weights.clear()
            known = self._weights[id(weight)] = (weight, np.abs(weight), grid_of(weight), np.count_nonzero(weight, axis=-1))
        return known[1], known[2], known[3]

    def within(self, value: Array, size: Array, off: Array | None) -> Box:
        """All that lies within `off` of a value of magnitudes up to `size`; where nothing is off (None), the value itself."""
        if off is None:
            return self.between(value, None, size)
        off = (off + U64 * np.abs(value)) * SLACK  # the second for the rounding of the ends themselves
        return self.between(value - off, value + off, size)

    def between(self, low: Array, high: Array | None, size: Array) -> Box:
        """A result between two ends; nothing is known of it where magnitudes up to `size` on the way to it may overflow.

        A program's partial sums exceed `size` by less than a factor 2, or else the ends are infinite already.
        """
        top = low if high is None else high
        fine = (size < self.room) & (low <= top)
        return Box(low, high) if fine.all() else Box(np.where(fine, low, -np.inf), np.where(fine, top, np.inf))

    def rising(self, x: Box, function: Callable[[Array], Array], lost: Callable[[Array], Array]) -> Box:
        """A function that rises, at both ends of x; a program, and float64 here, together are off by less than lost(y) where it is y."""
        low, high = function(x.low), function(x.high)
        size = np.where(np.isfinite(x.reach), np.maximum(np.abs(low), np.abs(high)), np.inf)
        return self.between(low - lost(low), high + lost(high), size)


def corners(x: Box, y: Box) -> tuple[Array, Array]:
    """The ends of the products of two boxes of floats, entry by entry."""
    if x.low is x.high and y.low is y.high:
        return (both := x.low * y.low), both
    products = [a * b for a in (x.low, x.high) for b in (y.low, y.high)]
    return np.minimum.reduce(products), np.maximum.reduce(products)


def _row_size(a: Box) -> Array:
    """1 for rows of which something is known of every number, infinite for others: a program may add -inf to a logit that it hides."""
    return np.where(np.isfinite(a.reach).all(axis=1, keepdims=True), 1.0, np.inf)


def _unit(x: Box) -> Array:
    """Where it is 0, 1 or -1 for every program, and a product with it is not rounded."""
    return np.asarray((x.low == x.high) & ((x.low == 0) | (np.abs(x.low) == 1)))


def _both(one: int | None, other: int | None) -> int | None:
    """The grid of products of numbers on two grids."""
    return None if one is None or other is None else one + other
