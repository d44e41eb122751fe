"""The words of a verdict, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.checker.sentence import at_least, at_most, counted, model_words, number, quoted, rate, written

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


@pytest.mark.parametrize(("value", "above", "below"), [(1.00499, "1.01", "1"), (1e-9, "1e-09", "1e-09"), (0.5, "0.5", "0.5"),
                                                      (2 / 3, "0.667", "0.666"),
                                                      (123456.0, "1.24e+05", "1.23e+05"), (9.999, "10", "9.99")])  # fmt: skip
def test_a_bound_is_rounded_against_the_claim(value: float, above: str, below: str) -> None:
    assert (at_most(written(value), 3), at_least(written(value), 3)) == (above, below)
    assert at_most(0.1) == "0.101"  # the float64 lies above the tenth that is written


def test_what_an_author_wrote_stands_in_quotation_marks() -> None:
    assert quoted("palindromes", 60) == "'palindromes'"
    assert quoted("a', proven: 'b", 60) == "\"a', proven: 'b\""
    assert quoted("a\nb\u202e", 60) == "'a\\nb\\u202e'"
    assert quoted("ab" * 40, 60).startswith(f"'{'ab' * 30}'.. (80 characters, SHA-256 ")
    assert quoted("ab" * 40, 60) != quoted("ab" * 40 + "a", 60)
