"""Numbers of state by shape: those of the models that are trained, and the least width that follows."""

from __future__ import annotations

import math

import pytest

import separatrix as sx
from separatrix.architectures import Architecture
from separatrix.bounds.shapes import SHAPES, least_width, shape_of, state_numbers
from separatrix.errors import BadInput


@pytest.mark.parametrize("architecture", SHAPES)
@pytest.mark.parametrize(("width", "layers"), [(32, 1), (64, 2), (96, 1)])
def test_the_formula_is_the_state_of_the_model_that_is_trained_by_that_name(architecture: Architecture, width: int, layers: int) -> None:
    model = sx.model(str(architecture), vocabulary=5, targets=3, width=width, layers=layers)
    assert model.state_numbers(100) == state_numbers(architecture, width, layers)


@pytest.mark.parametrize("architecture", SHAPES)
@pytest.mark.parametrize("bits", [0, 1, 64, 65, 1000, 123_457])
@pytest.mark.parametrize("precision", [1, 16, 64])
def test_the_least_width_holds_the_bits_and_the_next_smaller_one_does_not(architecture: Architecture, bits: int, precision: int) -> None:
    width = least_width(architecture, bits, precision)
    step = 4 if shape_of(architecture).shares else 1
    assert width % step == 0
    assert state_numbers(architecture, width) * precision >= bits
    assert width == step or state_numbers(architecture, width - step) * precision < bits


def test_by_hand() -> None:
    assert least_width(Architecture.LSTM, 256, 32) == 4  # two vectors of 4 numbers of 32 bits
    assert least_width(Architecture.RETNET, 32 * 32, 32, heads=1) == 4  # 2 d^2 = 32
    assert least_width(Architecture.LINEAR_ATTENTION, 20 * 8, 8, heads=1) == 4  # 16 + 4
    assert least_width(Architecture.ELMAN, 100, 10, layers=2) == 5


@pytest.mark.parametrize("architecture", SHAPES)
def test_the_width_grows_by_the_stated_power(architecture: Architecture) -> None:
    few, many = 1 << 30, 1 << 40
    exponent = math.log2(least_width(architecture, many, 16) / least_width(architecture, few, 16)) / 10
    assert abs(exponent - shape_of(architecture).growth) < 0.01


def test_what_has_no_shape_or_no_sense_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^no formula for the state of hybrid: expected one of linear-attention, "):
        least_width(Architecture.HYBRID, 10, 8)
    with pytest.raises(BadInput, match=r"^retnet: width 6 is not divisible by heads 4$"):
        state_numbers(Architecture.RETNET, 6)
    with pytest.raises(BadInput, match=r"^lstm: expected bits of at least 0 and a precision of at least 1, found 5 and 0$"):
        least_width(Architecture.LSTM, 5, 0)
