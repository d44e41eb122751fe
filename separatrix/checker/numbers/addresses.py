"""Addresses of many positions at once: boxes around what they add to the stream, and the sums of programs that add it.

Also what the logits of an index and its place are, if both have one address A, T(p) F A(j) + b A(j) in real numbers: by how much place p
leads, and how many places at most are led by so much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.rounding import SLACK, U64, gamma, grid_of, no_rounding
from separatrix.checker.seal import Unproven

DISTANCES = 1000  # distinct distances of squares
ENDS = 32  # places at either end that are treated separately
CODEWORDS = 22  # bits of an address whose codewords are enumerated


@dataclass(frozen=True, eq=False)
class Addressed:
    """What an address adds to the stream, over some indices: between two rows; and how its sums are rounded."""

    low: Array
    high: Array
    reach: Array  # the sum of magnitudes
    grid: int | None
    terms: int


def addressed(kind: str, dims: int, directions: Array | None, table: Array | None, i: Array) -> Addressed:
    """The addresses of every integer i along some directions, from what is known of each of their coordinates alone."""
    along: Array = np.eye(dims) if directions is None else directions
    if kind == "sign":
        low, high = -np.ones(dims), np.ones(dims)
    elif kind == "one-hot":
        low, high = np.zeros(dims), np.ones(dims)
    elif kind == "quadratic":
        both = np.stack([i, i * i])
        low, high = both.min(axis=1).astype(np.float64), both.max(axis=1).astype(np.float64)
    else:
        assert table is not None
        low, high = table.min(axis=0), table.max(axis=0)
    own = 0 if table is None else grid_of(table)
    grids = own, grid_of(along)
    up, down = np.maximum(along, 0), np.minimum(along, 0)
    reach = np.maximum(np.abs(low), np.abs(high)) @ np.abs(along)
    off = gamma(2 * dims + 4, U64) * reach
    grid = None if None in grids else sum(g for g in grids if g is not None)
    if grid is not None and no_rounding(53, float(reach.max()), grid):
        off = np.zeros_like(reach)
    return Addressed(low @ up + high @ down - off, high @ up + low @ down + off, reach, grid, dims)


@dataclass(frozen=True, eq=False)
class Sizes:
    """How a program's sums are rounded: the sum of magnitudes in each coordinate, grids of all terms, and how many there are."""

    reach: Array
    grids: tuple[int | None, ...]
    terms: int
    small: Array  # how many of them may underflow, each times the gate that multiplies it then

    @classmethod
    def of(cls, rows: Array) -> Sizes:
        """The sizes for rows of the token table alone."""
        return cls(np.abs(rows), (grid_of(rows),), 1, np.ones_like(rows))

    def plus(self, part: Addressed, gate: Array) -> Sizes:
        """With an address and its gate; a program may have the address before it is gated."""
        own = grid_of(gate)
        grid = None if part.grid is None or own is None else part.grid + own
        more, times = part.terms + 3, np.maximum(np.abs(gate), 1)
        return Sizes(self.reach + times * part.reach, (*self.grids, part.grid, grid), self.terms + more, self.small + times * more)

    def error(self, ops: Float) -> Array:
        """How far any program, and float64, is from the real sum."""
        if all(no_rounding(ops.digits, float(self.reach.max(initial=0)), grid) for grid in self.grids):
            return np.zeros_like(self.reach)
        if not float(self.reach.max(initial=0)) < ops.largest / 2:
            raise Unproven("the embedding", "a number may overflow")
        return np.asarray((2 * gamma(self.terms + 4, ops.u) * self.reach + self.small * ops.tiny) * SLACK)

    @property
    def grid(self) -> int | None:
        """The finest grid that all sums lie on; None if there is none."""
        return None if None in self.grids else min(g for g in self.grids if g is not None)


def summed(ops: Float, rows: Array, gate: Array | None, parts: Sequence[Addressed]) -> Box:
    """Rows of the token table plus gated addresses, with the error of the sum that a program computes."""
    gates = np.ones((len(rows), 1)) if gate is None else gate[:, None]
    low, high, sizes = rows, rows, Sizes.of(rows)
    for part in parts:
        low, high = low + np.minimum(gates * part.low, gates * part.high), high + np.maximum(gates * part.low, gates * part.high)
        sizes = sizes.plus(part, gates)
    off = 2 * sizes.error(ops)
    return Box(low - off, high + off)


@dataclass(frozen=True, eq=False)
class Stream:
    """Tokens x(i) = base + A(i) W for i = 1 .. N in real numbers, and how a program's are rounded."""

    base: Array  # [width]
    along: Array  # W, [dims, width]
    low: Array
    high: Array
    sizes: Sizes

    def box(self, ops: Float) -> Box:
        """Around all of them, as a program has them, [1, width]."""
        off = 2 * self.sizes.error(ops)
        return Box(self.low[None] - off, self.high[None] + off)

    def through(self, ops: Float, weight: Array) -> Form:
        """A linear form of it."""
        reach, error = self.sizes.reach.ravel(), self.sizes.error(ops).ravel()
        size, terms = np.abs(weight) @ (reach + 2 * error), weight.shape[1] + 1
        exact = not error.any() and no_rounding(ops.digits, float(size.max(initial=0)), self.sizes.grid, grid_of(weight))
        off = np.zeros_like(size) if exact else (np.abs(weight) @ error + gamma(terms, ops.u) * size + terms * ops.tiny) * SLACK
        grids = self.sizes.grid, grid_of(weight)
        grid = None if not exact or None in grids else sum(g for g in grids if g is not None)
        return Form(weight @ self.base, self.along @ weight.T, size, off, grid)


@dataclass(frozen=True, eq=False)
class Form:
    """f(i) = base + A(i) W in real numbers; the magnitudes of f, how far a program is off, and a grid where it is not."""

    base: Array
    along: Array
    reach: Array
    error: Array
    grid: int | None


def stream(row: Array, gate: Array | None, fixed: Sequence[tuple[Array, Array, Addressed]], moving: tuple[Array, Addressed]) -> Stream:
    """A row of the token table, gated addresses (vector, directions, bounds) that are always the same, and one that is not."""
    gates = np.ones(1) if gate is None else gate
    base, sizes = row, Sizes.of(row)
    for vector, directions, part in fixed:
        base, sizes = base + gates * (vector @ directions), sizes.plus(part, gates)
    along, part = moving
    return Stream(base, along, base + part.low, base + part.high, sizes.plus(part, np.ones(1)))


def logit_error(ops: Float, q: Form, k: Form) -> float:
    """How far the logits of any program are from the real ones, for every query and key."""
    size, terms = float((q.reach * k.reach).sum()), len(q.reach) + 1
    if q.grid is not None and k.grid is not None and no_rounding(ops.digits, size, q.grid, k.grid):
        return 0.0
    off = float((q.error * k.reach + q.reach * k.error).sum())
    return (off + gamma(terms, ops.u) * size + terms * ops.tiny) * SLACK


def lead_over_itself(q: Form, there: Form, itself: Form, addresses: Iterable[Array], terms: int) -> Array:
    """How far the place that an index names leads the index token itself, at least, for every address; in real numbers."""
    leads = []
    for some in addresses:
        T = some.astype(np.float64)
        asked = T @ q.along + q.base
        leads.append((asked * (T @ (there.along - itself.along) + (there.base - itself.base))).sum(axis=1))
    size = float((q.reach * (there.reach + itself.reach)).sum())
    return np.concatenate(leads) - gamma(2 * len(q.along) + 3 * len(q.base) + terms + 20, U64) * size * SLACK


def rivals(real: Array, counts: Array, own: Array, off: float, own_off: float, squares: bool) -> tuple[Array, Array]:
    """Gaps and counts of all rivals, for `share`: of some p alone and of all others together, the index token itself last.

    A place near an end has fewer neighbours by squares, and that is where an index token that shows nothing is least far behind.
    """
    N, own = len(own), own - off - own_off
    rows, alone = counts[None, :], own.min(keepdims=True)
    if squares and N > 2 * ENDS:
        p = np.concatenate([np.arange(1, ENDS + 1), np.arange(N - ENDS + 1, N + 1)])[:, None]
        distances = np.arange(1, len(counts) + 1)[None, :]
        near = np.minimum((distances < p).astype(np.int64) + (distances <= N - p), counts)
        near[:, -1] = counts[-1]  # all that are farther
        rows, alone = np.append(near, counts[None, :], axis=0), np.append(own[p[:, 0] - 1], own[ENDS : N - ENDS].min())
    gaps = np.concatenate([np.broadcast_to(real * (1 - 2.0**-50) - 2 * off, rows.shape), alone[:, None]], axis=1)
    return gaps, np.append(rows, np.ones((len(rows), 1), dtype=np.int64), axis=1)


def sign_gaps(F: Box, b: Box, generator: Array, N: int, where: str) -> tuple[Array, Array]:
    """Addresses by signs: all gaps, and as many places at most as there are codewords of that weight."""
    form, fixed, (k, L) = F.low, b.low[0], generator.shape
    c = float(form[0, 0])
    if fixed.any() or (form != c * np.eye(k)).any() or c <= 0:
        raise Unproven(where, "its logits are not a positive multiple of the product of two addresses")
    if L > CODEWORDS or (1 << L) < N:
        raise Unproven(where, f"{N} places need {(N - 1).bit_length()} to {CODEWORDS} bits of an index, found {L}")
    counts = np.bincount(codeword_weights(generator), minlength=k + 1)
    counts[0] -= 1  # p xor p
    return 2 * c * np.arange(k + 1), counts


def square_gaps(F: Box, b: Box, N: int, where: str) -> tuple[Array, Array]:
    """Addresses by squares: each distance twice at most, and all that are farther."""
    form, fixed = F.low, b.low[0]
    eta = -float(fixed[1])
    if eta <= 0 or fixed[0] or form[0, 0] != 2 * eta or form[0, 1] or form[1].any():
        raise Unproven(where, "its logits are not minus a multiple of the squared distance")
    J = min(N - 1, DISTANCES)
    distances = np.arange(1.0, J + 2)
    return eta * distances**2, np.where(distances <= J, 2, max(0, N - 1 - J))


def codeword_weights(generator: Array) -> Array:
    """wt(G x) for every x: the codewords of 2^b inputs are those of 2^(b-1) and the same plus one column."""
    columns = np.packbits(generator.astype(bool), axis=0).T  # one row of bytes per input bit
    words = np.zeros((1, columns.shape[1]), dtype=np.uint8)
    for column in columns:
        words = np.concatenate([words, words ^ column])
    ones = np.array([int(byte).bit_count() for byte in range(256)], dtype=np.int64)
    return np.asarray(sum(ones[words[:, byte]] for byte in range(words.shape[1])))
