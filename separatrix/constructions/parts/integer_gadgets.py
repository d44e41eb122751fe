"""Gadgets on integers, exact with ReLU units: the corrected forms of the fourth paper's feed-forward lemmas.

[yang2024 Lemma A.4] [yang2024 Lemma A.5] [yang2024 Lemma A.6] [yang2024 Lemma A.7]

Notation   R(z) = max(z, 0)      e  a flag, 0 or 1      C  a bound on the magnitude of what a gate lets through

The paper approximates with GeLU and multiplies with its Lemma A.1. A product of which one factor is 0 or 1 is a gate,
R(v + 2 C e - C) - C e, and exact; so no gadget here has a tolerance to choose or a weight beyond 2 C.
A step from one integer to the next has slope 3, so that everything within 1/3 of an integer counts as that integer: the slope 2
that the paper prints reaches 1/4 only.
"""

from __future__ import annotations

import numpy as np

from separatrix.constructions.forms import Form, constant_form, stack
from separatrix.constructions.gadgets import Gadget, Part

NEAR = 1 / 3  # how far from an integer a step may be


def positive(x: Form) -> Gadget:
    """1 where the integer x is at least 1, else 0: R(3x - 1) - R(3x - 2)."""
    eye = np.eye(x.rows)
    return Gadget("positive", (Part(eye, 3 * x - 1), Part(-eye, 3 * x - 2)), np.zeros(x.rows), (x,), NEAR)


def zero(x: Form) -> Gadget:
    """1 where the integer x is 0: it is at least 0, and its opposite too."""
    eye = np.eye(x.rows)
    parts = tuple(Part(sign * eye, 3 * side + shift) for side in (x, -x) for sign, shift in ((1.0, 2.0), (-1.0, 1.0)))
    return Gadget("zero", parts, np.full(x.rows, -1.0), (x,), NEAR)


def both(a: Form, b: Form) -> Gadget:
    """1 where both flags are 1: R(a + b - 1)."""
    return Gadget("both", (Part(np.eye(a.rows), a + b - 1),), np.zeros(a.rows), (a, b))


def larger(a: Form, b: Form, least: float, low: float, high: float) -> Gadget:
    """The larger of a and b, which lies in [low, high], where a is at least `least`: a + R(b - a)."""
    one = np.eye(1)
    return Gadget("larger", (Part(one, a - least), Part(one, b - a)), np.array([least]), (a, b), low=low, high=high, slope=1.0)


def select(flag: Form, x: Form, y: Form, C: float, low: float, high: float) -> Gadget:
    """x where the flag is 1, y where it is 0, both of magnitude at most C: Lemma A.4 for t = 2 e - 1, which is -1 or 1."""
    one, t = np.eye(1), C * (2 * flag - 1)
    parts = (Part(one, x + t), Part(-one, t), Part(one, y - t), Part(-one, -t))
    return Gadget("select", parts, np.zeros(1), (flag, x, y), low=low, high=high, slope=1.0)


def gate(flag: Form, value: Form, C: float, low: float, high: float) -> Gadget:
    """The value where the flag is 1, 0 where it is 0: R(v + 2 C e - C) - C e; one flag for all rows, or one for each."""
    flags = flag if flag.rows == value.rows else stack(*[flag] * value.rows)
    eye = np.eye(value.rows)
    parts = (Part(eye, value + 2 * C * flags - C), Part(-C * eye, flags))
    return Gadget("gate", parts, np.zeros(value.rows), (flag, value), low=min(low, 0.0), high=max(high, 0.0), slope=1.0)


def bounded_product(x: Form, y: Form, sums: range, differences: range, low: float, high: float) -> Gadget:
    """x y for integers: ((x + y)^2 - (x - y)^2) / 4, the squares from tables over all integers that occur."""
    parts, constant = [], 0.0
    for factor, form, values in ((0.25, x + y, sums), (-0.25, x - y, differences)):
        first = values.start
        constant += factor * first * first
        slopes = [2.0 * v + 1 for v in values[:-1]]  # from v^2 to (v + 1)^2
        changes = np.diff(np.array([0.0, *slopes]))
        if len(changes):
            form_at_kinks = stack(*(form - v for v in values[:-1]))
            parts.append(Part(factor * changes[None, :], form_at_kinks))
    return Gadget("product", tuple(parts), np.array([constant]), (x, y), low=low, high=high)


def squared(x: Form, n: int) -> Gadget:
    """x^2 for an integer x in 1 .. n, from a table: x + 2 sum over v of R(x - v)."""
    parts = [Part(np.eye(1), x), *([Part(np.full((1, n - 1), 2.0), stack(*(x - v for v in range(1, n))))] if n > 1 else [])]
    return Gadget("squared", tuple(parts), np.zeros(1), (x,), low=0.0, high=float(n * n))


def one_hot(x: Form, n: int) -> Gadget:
    """e_x for an integer x in 1 .. n: differences of adjacent steps [x >= v]; the product that the paper takes is not needed."""
    if n == 1:
        return Gadget("one-hot", (), np.ones(1), (x,), NEAR)
    thresholds = range(2, n + 1)
    differences = np.zeros((n, n - 1))  # e_v = [x >= v] - [x >= v + 1], where [x >= 1] = 1
    for column in range(n - 1):
        differences[column, column], differences[column + 1, column] = -1.0, 1.0
    steps = stack(*(3 * (x - (v - 1)) for v in thresholds))
    constant = np.zeros(n)
    constant[0] = 1.0
    return Gadget("one-hot", (Part(differences, steps - 1), Part(-differences, steps - 2)), constant, (x,), NEAR)


def block_and_slot(t: Form, W: int, blocks: int) -> Gadget:
    """For an integer t in 1 .. W blocks: its block c = ceil(t / W) and its slot t - W (c - 1), both from 1 on.

    c = 1 + sum over j of [t > j W]. The sum that the paper prints counts the blocks from the other end.
    Where t is off by up to 1/3, c is exact and the slot is off by as much.
    """
    ends = range(W, W * blocks, W)
    rows = np.array([[1.0], [-float(W)]])  # what one more block does to c and to the slot
    parts = [Part(np.array([[0.0], [1.0]]), t)]
    if ends:
        steps, every = stack(*(3 * (t - j) for j in ends)), np.ones((1, len(ends)))
        parts += [Part(rows @ every, steps - 1), Part(-rows @ every, steps - 2)]
    return Gadget("block and slot", tuple(parts), np.array([1.0, 0.0]), (t,), low=0.0, high=float(max(W, blocks)), slope=1.0)


def spread(payload: Form, slot: Form, C: float) -> Gadget:
    """The payload in the coordinate of its slot, 0 in the others: one gate for each of the W slots."""
    return gate(slot, stack(*[payload] * slot.rows), C, -C, C)


def pick(vector: Form, slot: Form, C: float) -> Gadget:
    """The coordinate of a vector that a one-hot slot names; one gate is open, so errors do not add up."""
    row = np.ones((1, vector.rows))
    parts = (Part(row, vector + 2 * C * slot - C), Part(-C * row, slot))
    return Gadget("pick", parts, np.zeros(1), (vector, slot), low=-C, high=C, slope=1.0)


def times_count(mean: Form, here: Form, slot: Form, C: float) -> Gadget:
    """A mean over a block times how many tokens of the block were read: as many as the one-hot slot says where the block is the
    token's own (`here` is 1), else W.

    mean W, less what is too much: for every c < W, (W - c) mean behind a gate that is open where `here` and slot c are both 1.
    """
    W = slot.rows
    every, missing = np.ones((1, W - 1)), np.arange(W - 1, 0, -1.0)[None, :]
    flags = slot[: W - 1] + stack(*[here] * (W - 1)) if W > 1 else constant_form()
    parts = [Part(np.array([[float(W)]]), mean + C)]
    if W > 1:
        behind = stack(*[mean] * (W - 1)) + 2 * C * flags - 3 * C  # mean + C where both are 1, else at most mean - C
        parts += [Part(-missing * every, behind), Part(C * missing * every, flags - 1)]
    return Gadget("times count", tuple(parts), np.array([-W * C]), (mean, here, slot), low=-C, high=C, slope=float(W))
