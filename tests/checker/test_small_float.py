"""Small floats against the formats that NumPy has in hardware."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.numbers import numbers
from separatrix.checker.small_float import SmallFloat


def awkward(seed: int) -> np.ndarray:
    """Numbers of every size, ties, neighbours of ties, the ends of the range."""
    rng = np.random.default_rng(seed)
    some = np.ldexp(rng.uniform(-2, 2, 4000), rng.integers(-170, 140, 4000))
    ties = np.ldexp(2.0 * rng.integers(-2000, 2000, 4000) + 1, rng.integers(-30, 20, 4000))
    edges = np.array([0.0, -0.0, 65504.0, 65519.999, 65520.0, -65520.0, 2.0**-24, 2.0**-25, 1.5 * 2.0**-25, 2.0**-14, np.inf, -np.inf])
    return np.concatenate([some, ties, np.nextafter(ties, np.inf), np.nextafter(ties, -np.inf), edges])


@pytest.mark.parametrize(("name", "dtype"), [("float:5,10", np.float16), ("float:8,23", np.float32), ("float:11,52", np.float64)])
def test_rounding_is_that_of_the_hardware(name: str, dtype: type) -> None:
    ops, x = numbers(name), awkward(1)
    assert isinstance(ops, SmallFloat)
    with np.errstate(over="ignore", under="ignore"):
        assert (ops.rounded(x) == x.astype(dtype).astype(np.float64)).all()


def test_every_number_of_an_eight_bit_float_is_kept_and_halfway_goes_to_even() -> None:
    # float:4,3 has exponents -6 .. 7 and subnormal multiples of 2^-9; its largest number is (2 - 1/8) 2^7 = 240
    ops = SmallFloat(4, 3)
    values = np.array([k * 2.0**-9 for k in range(8)] + [(8 + k) * 2.0 ** (e - 3) for e in range(-6, 8) for k in range(8)])
    assert values[-1] == 240.0
    assert (ops.rounded(values) == values).all()
    middle = (values[:-1] + values[1:]) / 2
    even = np.where(np.arange(len(middle)) % 2 == 0, values[:-1], values[1:])
    assert (ops.rounded(middle) == even).all()
    assert ops.rounded(np.array([247.9, 248.0, -1e300])).tolist() == [240.0, np.inf, -np.inf]


def test_each_operator_rounds_once() -> None:
    ops = SmallFloat(4, 3)
    x, y = np.array([[17.0, 1.0]]), np.array([[1.0, 0.0625]])
    assert ops.parameter(np.array([17.0]), "w").tolist() == [16.0]  # halfway between 16 and 18
    assert ops.linear(x, y).tolist() == [[18.0]]  # 17.0625 is exact in float64, then rounded
    assert ops.add(np.array([16.0]), np.array([1.0])).tolist() == [16.0]
    assert ops.product(np.array([1.125]), np.array([1.125])).tolist() == [1.25]  # 1.265625
    assert ops.attention(np.zeros((1, 3)), None, "uniform").tolist() == [[0.34375] * 3]  # 11/32 is nearest to 1/3
    assert not ops.exact
    assert (ops.bits, ops.scale) == (8, None)
