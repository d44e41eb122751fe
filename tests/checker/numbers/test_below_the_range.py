"""What underflows on the way, and is made large again by what comes after it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from separatrix.checker.models.description import FeedForward
from separatrix.checker.models.layer import feedforward
from separatrix.checker.numbers.addresses import addressed, summed
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.floats import FLOATS, Float
from separatrix.checker.numbers.formats import Term
from separatrix.checker.numbers.smooth import scaled

NAMES = list(FLOATS)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("together", [False, True])
def test_an_address_that_underflows_before_its_gate_makes_it_large(name: str, together: bool) -> None:
    """gate (vector direction): the product is 0 in a program, though not times the gate in real numbers."""
    rng, ops, gone = np.random.default_rng(3), Float(name), 0
    bits = -np.log2(ops.tiny)
    for _ in range(300):
        powers = (int(rng.uniform(*ends) * bits) for ends in ((-0.9, 0), (-0.9, 0), (0, 0.9)))
        v, d, g = (float(np.ldexp(ops.dtype(rng.uniform(1, 2)), power)) for power in powers)
        row = np.zeros((1, 1))
        if together:
            box = summed(ops, row, np.array([g]), [addressed("table", 1, np.array([[d]]), np.array([[v]]), np.array([1]))])
        else:
            box = ops.embed(row, [Term(slice(None), np.array([[v]]), True, np.array([[d]]), np.array([g]))])
        with np.errstate(all="ignore"):
            program = float(ops.dtype(g) * (ops.dtype(v) * ops.dtype(d)))
        low, high, real = float(box.low[0, 0]), float(box.high[0, 0]), Fraction(v) * Fraction(d) * Fraction(g)
        assert low <= program <= high
        assert low <= real <= high
        gone += program == 0
    assert gone > 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("factor", [0.5, 2.0**-10, 1.0, 2.0, 0.3])
def test_a_box_from_the_least_numbers_to_large_ones_is_scaled(name: str, factor: float) -> None:
    """The small end is rounded, however far away the other one is."""
    ops, rng = Float(name), np.random.default_rng(4)
    least = float(np.finfo(ops.dtype).smallest_subnormal)
    small: Array = np.append(least * rng.integers(1, 2000, 500), ops.tiny * rng.uniform(1, 4, 500)).astype(ops.dtype)
    for sign in (1, -1):
        ends = np.sort([sign * small.astype(np.float64), np.full(1000, float(sign))], axis=0)
        box = scaled(ops, Box(*ends), factor)
        with np.errstate(all="ignore"):
            program = (sign * small * ops.dtype(factor)).astype(np.float64)
        assert ((box.low <= program) & (program <= box.high)).all()


@pytest.mark.parametrize("a", [2.0**60, 2.0**499, 2.0**900])
def test_units_that_turn_between_two_numbers_are_bounded_each_by_itself(a: float) -> None:
    """A tent whose top is at the least number y of float64: y / 2 is not a float64, yet a program has its height, 1, exactly."""
    ops, y = Float("float64"), 2.0**-1074
    step, c = a * y, 1 / (a * y)
    w = {
        "inner": np.full((3, 1), a),
        "inner_bias": np.array([0.0, -step, -2 * step]),
        "outer": np.array([[c, -2 * c, c]]),
        "outer_bias": np.zeros(1),
    }
    for low, high in ((y, y), (0.0, 2 * y), (-y, 8 * y)):
        with np.errstate(all="ignore"):
            box = feedforward(FeedForward(3, "relu", bias=True), w, ops, Box(np.array([[low]]), np.array([[high]])), together=True)
            h = np.maximum(a * y + w["inner_bias"], 0)
        assert float(w["outer"][0] @ h) == 1
        assert not box.finite or box.low[0, 0] <= 1 <= box.high[0, 0]
