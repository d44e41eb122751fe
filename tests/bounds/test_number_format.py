"""Numbers are given by their bits or by the name of a format."""

from __future__ import annotations

import pytest

from separatrix.bounds.number_format import NumberFormat, number_format
from separatrix.errors import BadInput


def test_numbers_are_bits_or_a_format() -> None:
    assert number_format("32") == NumberFormat(32)
    assert number_format("bfloat16") == NumberFormat(16, None, "bfloat16")
    assert number_format("fixed:20,5") == NumberFormat(20, 5, "fixed:20,5")
    assert number_format("float:4,3") == NumberFormat(8, None, "float:4,3")  # mantissa bits are not fractional ones
    assert NumberFormat(16).candidates() == ("bfloat16", "float16", None)
    assert NumberFormat(20).candidates() == (None,)
    with pytest.raises(BadInput, match="precision must be at least 1 bit, found 0"):
        number_format("0")
    with pytest.raises(BadInput, match="unknown arithmetic 'decimal'"):
        number_format("decimal")
