"""The words of a verdict, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.checker.sentence import counted, model_words, number, rate

SIZES: dict[str, Any] = {"layers": 1, "heads": 1, "width": 26, "state_bits": None}


def test_a_model_in_words() -> None:
    assert model_words(SIZES, "float64") == "one layer, one head, width 26, float64"
    assert model_words({"layers": 2, "heads": 0, "width": 80, "state_bits": 1080}, "fixed:8,3") == (
        "two layers, 1,080 bits of state, width 80, fixed:8,3"
    )
    assert model_words({**SIZES, "layers": 12, "heads": 11}, "float32") == "12 layers, 11 heads, width 26, float32"


def test_numbers_in_words() -> None:
    assert (counted(1, "head"), counted(0, "head"), counted(10, "layer"), counted(1234, "layer")) == (
        "one head", "no heads", "ten layers", "1,234 layers"
    )  # fmt: skip
    assert counted(2, "family", "families") == "two families"
    assert number(1234567) == "1,234,567"


@pytest.mark.parametrize(("value", "text"), [(0.0206, "2.1 %"), (0.02, "2 %"), (0.00312, "0.32 %"), (0.999, "100 %"), (1.0, "100 %"),
                                              (0.75, "75 %"), (0.0, "0 %"), (0.751, "76 %")])  # fmt: skip
def test_a_rate_is_never_shown_smaller_than_it_is(value: float, text: str) -> None:
    assert rate(value) == text
