"""What number formats hold: against NumPy's own floats and against hand-made cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.arithmetic import arithmetic, parse_format
from separatrix.constructions.forms import row
from separatrix.constructions.number_limits import (
    exact_integers,
    fractional_bits,
    largest_number,
    next_representable,
    refuse_large_embedding,
    refuse_off_grid,
    representable,
    significant_bits,
    temperature_unit,
    uniform_weight,
)
from separatrix.errors import BadInput

FORMATS = ("float64", "float32", "bfloat16", "float16", "float:4,3", "float:5,10", "fixed:8,4", "fixed:5,4", "nearest:9")


@pytest.mark.parametrize(
    ("name", "largest"),
    [
        ("float64", float(np.finfo(np.float64).max)),
        ("float32", float(np.finfo(np.float32).max)),
        ("float16", 65504.0),
        ("bfloat16", (2 - 2**-7) * 2.0**127),
        ("float:5,10", 65504.0),
        ("float:4,3", 240.0),  # 1.875 * 2^7, the exponent field 15 being kept for infinity
        ("fixed:8,4", 8 - 1 / 16),
        ("nearest:9", 16 - 1 / 16),
    ],
)
def test_the_largest_number(name: str, largest: float) -> None:
    assert largest_number(parse_format(name)) == largest


@pytest.mark.parametrize(
    ("name", "count"),
    [("float64", 2**53), ("float32", 2**24), ("bfloat16", 256), ("float16", 2048), ("float:4,3", 16), ("fixed:8,4", 7), ("nearest:9", 15)],
)
def test_integers_are_exact_up_to_the_mantissa_or_the_range(name: str, count: int) -> None:
    assert exact_integers(parse_format(name)) == count


@pytest.mark.parametrize(
    ("name", "unit"),
    [("float64", 2**-16), ("float32", 2**-16), ("float16", 2**-7), ("bfloat16", 2**-4), ("float:4,3", 1), ("float:5,2", 1),
     ("float:6,4", 1 / 2), ("fixed:8,4", 2**-4), ("fixed:40,20", 2**-16), ("nearest:9", 2**-4)],
)  # fmt: skip
def test_temperatures_below_8_are_numbers_of_the_format(name: str, unit: float) -> None:
    format = parse_format(name)
    assert temperature_unit(format) == unit
    assert representable(np.arange(unit, min(8.0, largest_number(format)), unit), format)


@pytest.mark.parametrize(
    ("name", "integer", "expected"),
    [("bfloat16", 255, 255), ("bfloat16", 256, 256), ("bfloat16", 257, 258), ("bfloat16", 511, 512), ("bfloat16", 1025, 1032),
     ("float32", 2**24 + 1, 2**24 + 2), ("float64", 2**53, 2**53), ("float:4,3", 17, 18), ("float:4,3", 15, 15), ("float:5,2", 9, 10),
     ("fixed:8,4", 1001, 1001), ("nearest:41", 1001, 1001)],
)  # fmt: skip
def test_the_next_integer_that_a_mantissa_holds(name: str, integer: int, expected: int) -> None:
    assert next_representable(integer, parse_format(name)) == expected


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(FORMATS), st.floats(allow_nan=False, allow_infinity=False) | st.integers(-300, 300).map(lambda n: n / 32))
def test_what_is_representable_is_what_the_arithmetic_has(name: str, value: float) -> None:
    import torch

    expected = arithmetic(name).on_grid(torch.tensor([value], dtype=torch.float64))
    assert representable(row(value), parse_format(name)) == expected


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["fixed:8,4", "fixed:30,14", "fixed:12,0", "nearest:9", "nearest:31"]), st.integers(1, 5000))
def test_a_uniform_weight_is_what_the_arithmetic_stores(name: str, n: int) -> None:
    assert uniform_weight(n, parse_format(name)) == arithmetic(name).reciprocal(n)  # type: ignore[attr-defined]


def test_bits_of_numbers_are_counted() -> None:
    assert significant_bits(row(0.0, 6.0, -0.375, 2.0**90)) == 2  # 6 = 11.0, 0.375 = 0.011
    assert significant_bits(row(5.0, -9.0)) == 4
    assert significant_bits(row(0.0)) == 0
    assert fractional_bits(row(6.0, -0.375)) == 3
    assert fractional_bits(row(4.0)) == 0


def test_weights_off_the_grid_are_refused_in_exact_formats_only() -> None:
    refuse_off_grid((0.3, 1e9), parse_format("float16"), "x")
    refuse_off_grid((0.25, -8.0), parse_format("fixed:8,4"), "x")
    for weight in (0.3, 8.0, -8.0625):
        with pytest.raises(BadInput, match=rf"^x: weight {weight} is not representable in fixed:8,4$"):
            refuse_off_grid((1.0, weight), parse_format("fixed:8,4"), "x")


def test_sums_that_float64_would_round_are_refused() -> None:
    refuse_large_embedding(2.0**39 - 1, 14, parse_format("fixed:60,14"), "x")
    refuse_large_embedding(2.0**90, 14, parse_format("float64"), "x")
    with pytest.raises(BadInput, match=r"^x: embeddings up to 5.498e\+11 with 14 fractional bits are not exact in float64$"):
        refuse_large_embedding(2.0**39, 14, parse_format("fixed:60,14"), "x")
