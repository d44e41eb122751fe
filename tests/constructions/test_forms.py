"""Linear forms over named slots: ordinary algebra, and refusals where rows or slots do not fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.constructions.forms import Array, Form, constant_form, slot_form, stack
from separatrix.errors import BadInput

LAYOUT = {"a": slice(0, 2), "b": slice(3, 5), "c": slice(5, 6)}


def value(form: Form, x: Array) -> Array:
    """The form at one vector of the stream."""
    matrix, constant = form.resolved(LAYOUT, 6)
    return matrix @ x + constant


small = st.integers(-8, 8).map(lambda n: n / 4)


@settings(max_examples=60, deadline=None)
@given(st.lists(small, min_size=6, max_size=6), small, small, small)
def test_forms_compute_what_their_text_says(numbers: list[float], p: float, q: float, r: float) -> None:
    x = np.array(numbers)
    a, b, c = slot_form("a", 2), slot_form("b", 2), slot_form("c", 1)
    assert np.array_equal(value(p * a - b * q + r, x), p * x[0:2] - x[3:5] * q + r)
    assert np.array_equal(value(r - a, x), r - x[0:2])
    assert np.array_equal(value(-(a + a), x), -2 * x[0:2])
    assert np.array_equal(value(stack(a[1], c, b), x), x[[1, 5, 3, 4]])
    assert np.array_equal(value(stack(constant_form(p, q), c - r), x), np.array([p, q, numbers[5] - r]))
    matrix = np.array([[1.0, p], [q, -2.0], [0.0, 1.0]])
    assert np.array_equal(value((a + r).through(matrix), x), matrix @ (x[0:2] + r))


def test_a_form_knows_its_rows() -> None:
    a, b = slot_form("a", 2), slot_form("b", 2)
    assert [form.rows for form in (a, a[0], a[0:2], stack(a, b, a[1]), a.through(np.ones((5, 2))))] == [2, 1, 2, 5, 5]


def test_a_slot_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="slot 'd' does not exist at this stage: expected one of a, b, c"):
        value(slot_form("d", 1), np.zeros(6))
