"""tanh and sigmoid: the error covers every real number near the value, and is small where they are saturated."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.smooth import sigmoid, tanh


def near(value: float, radius: float) -> Box:
    """All that lies within the radius."""
    return Box(np.array([[value - radius]]), np.array([[value + radius]]))


Smooth = Callable[[Float, Box], Box]


def exact(function: str, x: float) -> Fraction:
    """To 60 digits."""
    with mpmath.workdps(60):
        y = mpmath.tanh(mpmath.mpf(x)) if function == "tanh" else 1 / (1 + mpmath.exp(-mpmath.mpf(x)))
        return Fraction(str(y))


@pytest.mark.parametrize("function", ["tanh", "sigmoid"])
@pytest.mark.parametrize("name", ["float64", "float32"])
def test_the_error_covers_what_any_argument_within_its_own_error_gives(function: str, name: str) -> None:
    ops, smooth, rng = Float(name), {"tanh": tanh, "sigmoid": sigmoid}[function], np.random.default_rng(1)
    for value in (0.0, 0.3, -1.7, 4.0, -9.0, 25.0, -60.0):
        for error in (0.0, 1e-12, 1e-3, 0.4, 3.0):
            result = smooth(ops, near(value, error))
            low, high = (Fraction(float(end[0, 0])) for end in (result.low, result.high))
            for _ in range(12):
                assert low <= exact(function, value + error * float(rng.choice([-1, 1, rng.uniform(-1, 1)]))) <= high


@pytest.mark.parametrize(("smooth", "value"), [(tanh, 40.0), (tanh, -40.0), (sigmoid, 40.0), (sigmoid, -40.0)])
def test_a_saturated_unit_forgets_the_error_of_its_argument(smooth: Smooth, value: float) -> None:
    blurred = smooth(Float("float64"), near(value, 2.0))
    assert float(blurred.radius[0, 0]) < 2e-14
    steep = smooth(Float("float64"), near(0.1, 2e-3))
    assert float(steep.radius[0, 0]) > 4e-4
