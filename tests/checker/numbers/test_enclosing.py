"""How a format rounds a sum that lies between two ends: compared with fractions, and with programs that add in any order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.leads import _difference, leads_of

TYPES = {"float64": np.float64, "float32": np.float32}


def sequentially(terms: Array, dtype: type) -> Array:
    """Each row added from left to right, in a type of the machine."""
    total = np.zeros(len(terms), dtype=dtype)
    for column in terms.astype(dtype).T:
        total = (total + column).astype(dtype)
    return total.astype(np.float64)


@pytest.mark.parametrize("name", ["float64", "float32"])
def test_programs_that_add_in_any_order_end_between_the_ends(name: str) -> None:
    """Sums that cancel: the box is as wide as the orders of a program differ, and each of them lies in it."""
    rng, ops, differ = np.random.default_rng(0), numbers(name), 0
    for _ in range(50):
        terms = (rng.normal(size=(20, 12)) * 10.0 ** rng.integers(-6, 7, size=(20, 12))).astype(TYPES[name]).astype(np.float64)
        terms[:, 6:] = -terms[:, rng.permutation(6)]
        exact = np.array([[float(sum(map(Fraction, row.tolist())))] for row in terms])
        box = ops.enclosing(exact, exact, lambda terms=terms: np.abs(terms).sum(axis=1, keepdims=True), 12)  # type: ignore[misc]
        orders = [sequentially(terms[:, rng.permutation(12)], TYPES[name])[:, None] for _ in range(8)]
        assert all(((box.low <= said) & (said <= box.high)).all() for said in orders)
        differ += any((said != exact).any() for said in orders)
    assert differ > 40


@pytest.mark.parametrize("name", ["float:5,4", "float:8,7", "float:8,23"])
def test_the_ends_of_a_small_float_are_rounded_outwards(name: str) -> None:
    """The exact sum, rounded once, lies between the ends, though float64 may have lost some of it: 1 + 2^-60 is above a tie at 1."""
    ops = numbers(name)
    half = 2.0 ** -(ops.m + 1)  # type: ignore[attr-defined]
    tie = np.array([[1 + half]])
    box = ops.enclosing(tie, tie, lambda: np.abs(tie), 4)
    assert box.low[0, 0] == 1
    assert box.high[0, 0] == 1 + 2 * half
    exact = np.array([[1.5]])
    box = ops.enclosing(exact, exact, lambda: exact, 4)
    assert (box.low[0, 0], box.high[0, 0]) == (1.5, 1.5)


def test_weights_of_open_logits_hold_what_a_program_of_float32_computes() -> None:
    """Differences that float32 rounds: the weights of its own softmax, subtracted and divided in float32, lie between the ends."""
    rng, ops = np.random.default_rng(1), numbers("float32")
    outside = 0
    for _ in range(200):
        a = (rng.normal(size=(3, 5)) * 40).astype(np.float32)
        box = ops.attention(Box(a.astype(np.float64), a.astype(np.float64)), None, "softmax")
        e = np.exp(a - a.max(axis=1, keepdims=True)).astype(np.float32)
        w = (e / e.sum(axis=1, keepdims=True, dtype=np.float32)).astype(np.float64)
        real = np.exp(a.astype(np.float64) - a.max(axis=1, keepdims=True).astype(np.float64))
        real /= real.sum(axis=1, keepdims=True)
        assert ((box.low <= w) & (w <= box.high)).all()
        assert ((box.low <= real) & (real <= box.high)).all()
        outside += int((w != real).sum())
    assert outside > 100


@pytest.mark.parametrize("name", ["nearest:15", "fixed:14,6"])
def test_the_lead_of_one_form_over_another_allows_for_the_rounding_of_both(name: str) -> None:
    """The difference of two logits, bounded as one form, is never above the least lead over the numbers of the box."""
    rng, ops, tight = np.random.default_rng(2), numbers(name), 0
    for _ in range(400):
        w = rng.integers(-3, 4, size=(2, 2)) * ops.scale // 2  # many ties
        low = rng.integers(-200, 200, size=(1, 2))
        box = Box(low, low + rng.integers(1, 3, size=(1, 2)))
        bound = int(_difference(ops, box, w, None, 0)[0])
        leads = []
        for a in range(int(box.low[0, 0]), int(box.high[0, 0]) + 1):
            for b in range(int(box.low[0, 1]), int(box.high[0, 1]) + 1):
                y = ops.linear(Box(np.array([[a, b]])), w).middle[0]
                leads.append(int(y[0]) - int(y[1]))
        assert bound <= min(leads)
        tight += bound == min(leads)
        whole = ops.linear(box, w)
        assert int(leads_of(ops, whole, np.array([0]))[0]) <= min(leads)
    assert tight > 20
