"""Small floats against the formats that NumPy has in hardware."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.small_float import SmallFloat
from separatrix.checker.seal import Refused


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
    x, y = Box(np.array([[18.0, 1.0]])), np.array([[1.0, 0.0625]])
    assert ops.linear(x, y).middle.tolist() == [[18.0]]  # 18.0625 is exact in float64, then rounded
    assert ops.linear(x, y).point
    assert ops.add(Box(np.array([16.0])), Box(np.array([1.0]))).middle.tolist() == [16.0]  # a tie, exactly: to even
    assert ops.product(Box(np.array([1.125])), Box(np.array([1.125]))).middle.tolist() == [1.25]  # 1.265625
    uniform = ops.attention(Box(np.zeros((1, 3))), None, "uniform")
    assert uniform.middle.tolist() == [[0.34375] * 3]  # 11/32 is nearest to 1/3
    assert uniform.point  # the error bound of float64 lies far from the next number
    assert not ops.exact
    assert (ops.bits, ops.scale) == (8, None)


def test_a_weight_is_a_number_of_the_format() -> None:
    ops = SmallFloat(4, 3)
    assert ops.parameter(np.array([16.0, 2.0**-9, 240.0]), "w").tolist() == [16.0, 2.0**-9, 240.0]
    for wrong in (17.0, 2.0**-10, 1e300, 0.1):
        with pytest.raises(Refused, match=r"^weights: w holds .*, which is not a number of float:4,3$"):
            ops.parameter(np.array([wrong]), "w")
    with pytest.raises(Refused, match="which is not a number of float:4,3"):
        ops.integers(np.array([17]))


def test_a_value_too_near_a_boundary_is_left_open_between_two_numbers() -> None:
    ops = SmallFloat(4, 3)
    some = np.array([17.0, 17.0 + 1e-9, 16.4])
    near = ops.once(Box(some - 1e-15, some + 1e-15))
    assert not near.point
    assert near.low.tolist() == [16.0, 18.0, 16.0]
    assert near.high.tolist() == [18.0, 18.0, 16.0]  # 17 may be either neighbour, the others are decided


def test_an_open_value_spreads() -> None:
    ops = SmallFloat(4, 3)
    x = Box(np.array([[16.0]]), np.array([[18.0]]))  # 16 or 18
    y = ops.linear(x, np.array([[0.5]]))
    assert (y.low[0, 0], y.high[0, 0]) == (8.0, 9.0)
