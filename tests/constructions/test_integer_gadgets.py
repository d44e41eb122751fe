"""Gadgets on integers: exact within their tolerance, in floats and on a grid; and what the paper prints instead is wrong where it is."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from separatrix.constructions.forms import Form, slot_form, stack
from separatrix.constructions.gadgets import Gadget
from separatrix.constructions.parts.integer_gadgets import (
    NEAR,
    block_and_slot,
    both,
    bounded_product,
    gate,
    larger,
    one_hot,
    pick,
    positive,
    select,
    spread,
    squared,
    times_count,
    zero,
)

a, b, flag = slot_form("a", 1), slot_form("b", 1), slot_form("flag", 1)
OFF = [0.0, 0.3, -0.3, 1 / 3 - 1e-9, 1e-9 - 1 / 3]  # within the tolerance of a step


def run(gadget: Gadget, **slots: float | list[float]) -> list[Fraction]:
    """The gadget by its definition, in exact arithmetic: floats are rational."""
    stream = {name: [Fraction(v) for v in (values if isinstance(values, list) else [values])] for name, values in slots.items()}

    def at(form: Form) -> list[Fraction]:
        rows = [Fraction(c) for c in form.constant]
        for slot, matrix in form.terms.items():
            rows = [
                row + sum(Fraction(w) * v for w, v in zip(line, stream[slot], strict=True)) for row, line in zip(rows, matrix, strict=True)
            ]
        return rows

    total = [Fraction(c) for c in gadget.constant]
    for part in gadget.parts:
        units = [max(Fraction(0), unit) for unit in at(part.form)]
        total = [
            t + sum(Fraction(w) * unit for w, unit in zip(line, units, strict=True)) for t, line in zip(total, part.matrix, strict=True)
        ]
    return total


@pytest.mark.parametrize("off", OFF)
def test_steps_and_equality_are_exact_within_a_third_of_an_integer(off: float) -> None:
    for x in range(-5, 6):
        assert run(positive(a), a=x + off) == [x >= 1]
        assert run(zero(a), a=x + off) == [x == 0]
    assert positive(a).tolerance == zero(a).tolerance == NEAR


def test_beyond_a_third_a_step_is_no_step() -> None:
    assert run(positive(a), a=0.4) == [Fraction(0.4) * 3 - 1]
    assert run(zero(a), a=0.4) != [1]


def test_slope_two_as_printed_fails_at_a_third() -> None:
    """The staircase of equations 12 and 13 spans a quarter, not a third, around an integer."""

    def printed(x: Fraction) -> Fraction:  # max(2x - 1/2, 0) - max(2x - 3/2, 0), for the step from 0 to 1
        return max(2 * x - Fraction(1, 2), Fraction(0)) - max(2 * x - Fraction(3, 2), Fraction(0))

    assert printed(Fraction(1, 3)) == Fraction(1, 6)
    assert printed(Fraction(2, 3)) == Fraction(5, 6)
    assert run(positive(a), a=1 / 3 - 2.0**-50) == [0]


def test_the_larger_of_two_and_both_flags() -> None:
    for x in range(-4, 5):
        for y in range(-4, 5):
            assert run(larger(a, b, -4, -4, 4), a=x, b=y) == [max(x, y)]
    assert [run(both(a, b), a=x, b=y)[0] for x in (0, 1) for y in (0, 1)] == [0, 0, 0, 1]


def test_a_gate_lets_negative_values_through_and_nothing_else() -> None:
    for v in range(-7, 8):
        assert run(gate(flag, a, 7, -7, 7), flag=1, a=v) == [v]
        assert run(gate(flag, a, 7, -7, 7), flag=0, a=v) == [0]
        assert run(select(flag, a, b, 7, -7, 7), flag=1, a=v, b=-v) == [v]
        assert run(select(flag, a, b, 7, -7, 7), flag=0, a=v, b=-v) == [-v]
    assert run(gate(flag, a, 6, -7, 7), flag=0, a=7) == [1]  # a bound that is too small leaks


def test_nested_relus_as_printed_lose_negative_values() -> None:
    """Lemma A.12 takes ReLU(ReLU(v + M) - M (...)), which is ReLU(v) where the gate is open."""
    M, v = 7, -3
    assert max(max(v + M, 0) - M, 0) == 0 != v


def test_products_of_bounded_integers_are_exact() -> None:
    for x in range(-3, 6):
        for y in range(-2, 5):
            gadget = bounded_product(a, b, range(-5, 10), range(-7, 8), -10, 20)
            assert run(gadget, a=x, b=y) == [x * y]


@pytest.mark.parametrize("n", [1, 2, 3, 9])
@pytest.mark.parametrize("off", OFF)
def test_one_hot_vectors(n: int, off: float) -> None:
    for x in range(1, n + 1):
        assert run(one_hot(a, n), a=x + off) == [v == x for v in range(1, n + 1)]


@pytest.mark.parametrize("n", range(2, 33))
def test_block_and_slot_are_ceiling_and_remainder_and_the_printed_sum_is_not(n: int) -> None:
    gadget, wrong = block_and_slot(a, n, n), 0
    for i in {*range(1, min(n * n, 40) + 1), n * n - 1, n * n}:
        c = math.ceil(i / n)
        assert run(gadget, a=i) == [c, i - n * (c - 1)]
        wrong += sum(i <= j * n for j in range(1, n + 1)) != c  # equation 14
    assert wrong > 0


def test_a_payload_goes_to_its_slot_and_comes_back_times_the_count() -> None:
    W, C = 5, 9
    slot, vector, mean = slot_form("slot", W), slot_form("vector", W), slot_form("mean", 1)
    for s in range(W):
        here = np.eye(W)[s].tolist()
        for v in range(-C, C + 1):
            assert run(spread(a, slot, C), a=v, slot=here) == [v * (k == s) for k in range(W)]
        for v in (-C, -1, 0, 4, C):
            values = [float((v + k) % C) for k in range(W)]
            assert run(pick(vector, slot, C), vector=values, slot=here) == [values[s]]
            count = s + 1  # in its own block a token has read up to its slot, else all of the block
            for near, counted in ((1, count), (0, W)):
                m = v / 4 / counted * 4 if counted in (1, 2, 4) else v / counted
                assert run(times_count(mean, flag, slot, C), mean=m, flag=near, slot=here) == [Fraction(m) * counted]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_square_is_exact_up_to_the_largest_that_it_declares(n: int) -> None:
    gadget = squared(a, n)
    assert [run(gadget, a=x) for x in range(1, n + 1)] == [[x * x] for x in range(1, n + 1)]
    assert (gadget.low, gadget.high) == (0, n * n)


def test_a_block_of_one_counts_one() -> None:
    assert run(times_count(slot_form("mean", 1), flag, slot_form("slot", 1), 9), mean=-4, flag=1, slot=[1.0]) == [-4]


def test_gates_of_several_values_share_one_flag() -> None:
    assert run(gate(flag, stack(a, b), 4, -4, 4), flag=1, a=3, b=-4) == [3, -4]
