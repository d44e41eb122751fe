"""Fields are there, have their type, and nothing else is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from separatrix.checker.fields import at_least, free_text, require_equal, require_equal_items, require_fields, within
from separatrix.checker.seal import Refused


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ([], r"^x: expected an object, found list$"),
        ({"a": 1, "b": 2}, r"^x: unknown field 'b'$"),
        ({}, r"^x: missing field 'a'$"),
        ({"a": True}, r"^x.a: expected int, found bool$"),
        ({"a": 8.0}, r"^x.a: expected int, found float$"),
        ({"a": None}, r"^x.a: expected int, found NoneType$"),
    ],
)
def test_exactly_these_fields_of_these_types(document: Any, reason: str) -> None:
    assert require_fields({"a": 1}, "x", a=int) == {"a": 1}
    with pytest.raises(Refused, match=reason):
        require_fields(document, "x", a=int)


def test_a_derived_field_has_value_and_type() -> None:
    require_equal(3, 3, "x")
    for claimed, result in ((3, 4), (3, 3.0), (1, True), ("3", 3)):
        with pytest.raises(Refused, match=r"^x: the certificate says .*, recomputation gives .*$"):
            require_equal(claimed, result, "x")
    with pytest.raises(Refused) as refusal:
        require_equal("a" * 10000, "", "x")
    assert len(str(refusal.value)) < 400


def test_lists_are_compared_to_the_last_item() -> None:
    require_equal_items([[1, "0"], []], [[1, "0"], []], "x")
    with pytest.raises(Refused, match=r"^x\[0\]\[1\]: the certificate says '1', recomputation gives '0'$"):
        require_equal_items([[1, "1"]], [[1, "0"]], "x")
    for claimed in ([[1]], [[1, 2, 3]], [1], {}):
        with pytest.raises(Refused):
            require_equal_items(claimed, [[1, 2]], "x")


def test_at_least_so_much() -> None:
    at_least(0.5, Fraction(1, 2), "x")
    at_least(0, 0.25, "x")
    for claimed in (0.5000001, -0.1, "0.1", True, None):
        with pytest.raises(Refused, match=r"^x: the certificate says at least .*, recomputation gives 0.5$"):
            at_least(claimed, Fraction(1, 2), "x")


def test_free_text_is_printable_ascii() -> None:
    assert free_text("index-lookup/recurrent (mine)", "x") == "index-lookup/recurrent (mine)"
    assert free_text("", "x") == ""
    for wrong in ("index\u2010lookup", "a\nb", "a" * 201, "\x1b[2J", "\u202eabc"):
        with pytest.raises(Refused, match=r"^x: expected at most 200 printable ASCII characters$"):
            free_text(wrong, "x")


def test_within_names_the_bounds() -> None:
    assert within(3, 1, 3, "x") == 3
    with pytest.raises(Refused, match=r"^x: expected 1\.\.3, found 4$"):
        within(4, 1, 3, "x")
    with pytest.raises(Refused) as refusal:
        within(10**4000, 1, 3, "x")
    assert len(str(refusal.value)) < 300
