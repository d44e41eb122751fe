"""Every gadget is exact on every input that it is made for, and within its tolerance around them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.constructions.forms import Array, Form, slot_form
from separatrix.constructions.gadgets import (
    Gadget,
    Part,
    absolute,
    at_least,
    clip,
    conjunction,
    constant,
    equal,
    gated,
    identity,
    indicator,
    interval,
    lookup_table,
    product,
    sign,
    step,
    table_tolerance,
    threshold,
    truth_table,
    when,
    xor,
    xor_where,
)
from separatrix.errors import BadInput


def run(gadget: Gadget, **slots: list[float]) -> list[float]:
    """The gadget by its definition: the sum over parts of matrix @ (relu(form) * gate), plus the constant."""
    stream = {name: np.array(values, dtype=np.float64) for name, values in slots.items()}

    def at(form: Form) -> Array:
        return form.constant + sum(matrix @ stream[slot] for slot, matrix in form.terms.items())

    total = gadget.constant
    for part in gadget.parts:
        total = total + part.matrix @ (np.maximum(at(part.form), 0) * (1 if part.gate is None else at(part.gate)))
    assert len(total) == gadget.outputs
    return total.tolist()


a, b, c = slot_form("a", 1), slot_form("b", 1), slot_form("c", 1)
EIGHTHS = [n / 8 for n in range(-24, 25)]


def test_a_step_is_0_up_to_a_quarter_and_1_from_three_quarters() -> None:
    for z in EIGHTHS:
        if z <= 1 / 4 or z >= 3 / 4:
            assert run(step(a), a=[z]) == [float(z > 0.5)]
    assert run(step(a), a=[0.5]) == [0.5]  # between them it is no step
    assert step(a).tolerance == 1 / 4


def test_a_sign_is_exact_from_one_half_on() -> None:
    for z in EIGHTHS:
        if abs(z) >= 1 / 2:
            assert run(sign(a), a=[z]) == [1.0 if z > 0 else -1.0]
    assert run(sign(a), a=[0.0]) == [0.0]


def test_a_clip_keeps_what_lies_within() -> None:
    for z in EIGHTHS:
        assert run(clip(a, -0.5, 1.25), a=[z]) == [min(max(z, -0.5), 1.25)]


def test_xor_compares_signs_of_magnitude_one_half_to_one() -> None:
    readings = [n / 8 for n in range(-8, 9) if abs(n) >= 4]
    for x, y in itertools.product(readings, repeat=2):
        assert run(xor(a, b), a=[x], b=[y]) == [float((x > 0) != (y > 0))]


def test_xor_where_is_silent_where_its_flag_is() -> None:
    everything = [n / 8 for n in range(-8, 9)]
    for x, y, off in itertools.product(everything, everything, (0.0, 1 / 8, 1 / 4)):
        assert run(xor_where(a, b, c), a=[x], b=[y], c=[off]) == [0.0]
        if abs(x) >= 3 / 4 and abs(y) >= 3 / 4:
            assert run(xor_where(a, b, c), a=[x], b=[y], c=[1 - off]) == [float((x > 0) != (y > 0))]


def test_xor_treats_every_row_alike() -> None:
    wide = slot_form("a", 3)
    assert run(xor(wide, slot_form("b", 3)), a=[1.0, -1.0, 0.5], b=[1.0, 1.0, -0.5]) == [0.0, 1.0, 1.0]
    assert run(xor_where(wide, slot_form("b", 3), c), a=[1.0, -1.0, 1.0], b=[1.0, 1.0, -1.0], c=[1.0]) == [0.0, 1.0, 1.0]


def test_a_conjunction_is_1_where_all_flags_are() -> None:
    for flags in itertools.product((0.0, 1.0), repeat=3):
        values = dict(zip("abc", ([flag] for flag in flags), strict=True))
        assert run(conjunction([a, b, c]), **values) == [float(all(flags))]
        assert run(conjunction([a, 1 - b]), **values) == [float(flags[0] and not flags[1])]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_truth_table_is_read_at_its_bits(k: int) -> None:
    bits, table = slot_form("a", k), slot_form("b", 2**k)
    for entries in itertools.product((0.0, 1.0), repeat=2**k):
        for v in range(2**k):
            spelled = [float(v >> i & 1) for i in range(k)]  # least significant first
            assert run(truth_table(bits, table), a=spelled, b=list(entries)) == [entries[v]]


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 4), st.data())
def test_a_truth_table_tolerates_what_it_says(k: int, data: st.DataObject) -> None:
    off = st.integers(-16, 16).map(lambda n: n / 16 * table_tolerance(k))
    bits = data.draw(st.lists(st.integers(0, 1), min_size=k, max_size=k))
    entries = data.draw(st.lists(st.integers(0, 1), min_size=2**k, max_size=2**k))
    read = [bit + data.draw(off) for bit in bits]
    stored = [entry + data.draw(off) for entry in entries]
    result = run(truth_table(slot_form("a", k), slot_form("b", 2**k)), a=read, b=stored)
    assert result == pytest.approx([entries[sum(bit << i for i, bit in enumerate(bits))]], abs=1e-12)


def test_an_indicator_is_1_at_one_integer() -> None:
    for value, x in itertools.product(range(-3, 4), range(-6, 7)):
        assert run(indicator(a, value), a=[float(x)]) == [float(x == value)]


@pytest.mark.parametrize("gap", [0.25, 0.5, 1.0, 4.0])
def test_a_threshold_has_a_gap_in_which_it_rises(gap: float) -> None:
    for x in EIGHTHS:
        if x >= 1 or x <= 1 - gap:
            assert run(at_least(a, 1.0, gap), a=[x]) == [float(x >= 1)]
    assert run(at_least(a, 1.0, gap), a=[1 - gap / 2]) == [0.5]


@settings(max_examples=60, deadline=None)
@given(st.integers(-5, 5), st.lists(st.integers(-9, 9), min_size=1, max_size=9))
def test_a_lookup_table_is_exact_at_its_integers(first: int, values: list[int]) -> None:
    table = {first + i: float(v) for i, v in enumerate(values)}
    gadget = lookup_table(a, table)
    assert [run(gadget, a=[float(x)])[0] for x in table] == list(table.values())
    assert gadget.units <= max(1, len(values) - 1)
    assert (gadget.low, gadget.high) == (min(table.values()), max(table.values()))


@settings(max_examples=60, deadline=None)
@given(st.integers(-64, 64), st.integers(-64, 64))
def test_products_and_identities_hold_for_all_numbers(m: int, n: int) -> None:
    x, y = m / 8, n / 4
    assert run(product(a, b), a=[x], b=[y]) == [x * y]
    assert run(identity(a - 2 * b), a=[x], b=[y]) == [x - 2 * y]
    wide = slot_form("b", 2)
    assert run(gated(a, wide), a=[1.0], b=[x, y]) == [x, y]
    assert run(gated(a, wide), a=[0.0], b=[x, y]) == [0.0, 0.0]


def test_every_value_has_a_flag_of_its_own_or_all_have_one() -> None:
    values = slot_form("b", 2)
    assert run(gated(slot_form("a", 2), values), a=[1.0, 0.0], b=[3.0, 5.0]) == [3.0, 0.0]
    assert [part.form.rows for part in gated(a, values).parts] == [2]
    assert gated(a, values).units == 2


def test_a_part_has_one_row_for_each_unit() -> None:
    for form, gate in ((slot_form("a", 2), None), (slot_form("a", 3), slot_form("b", 2))):
        with pytest.raises(AssertionError, match="for each unit"):
            Part(np.eye(3), form, gate)


def test_an_absolute_value_loses_its_sign() -> None:
    for z in EIGHTHS:
        assert run(absolute(a), a=[z]) == [abs(z)]


def test_constants_take_no_units() -> None:
    assert run(constant(2.0, -0.5)) == [2.0, -0.5]
    assert constant(2.0, -0.5).units == 0


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(["step", "sign", "xor", "xor where"]), st.data())
def test_errors_within_the_tolerance_have_no_effect(name: str, data: st.DataObject) -> None:
    signs, flags = st.sampled_from([-1.0, 1.0]), st.sampled_from([0.0, 1.0])
    gadget, domain = {
        "step": (step(a), [flags]),
        "sign": (sign(a), [signs]),
        "xor": (xor(a, b), [signs, signs]),
        "xor where": (xor_where(a, b, c), [signs, signs, flags]),
    }[name]
    true = [data.draw(part) for part in domain]
    off = [data.draw(st.integers(-32, 32)) / 32 * gadget.tolerance for _ in domain]
    read = [max(-1.0, min(1.0, t + e)) for t, e in zip(true, off, strict=True)]  # a head reads averages: never beyond the values

    def at(values: list[float]) -> list[float]:
        return run(gadget, **{slot: [v] for slot, v in zip("abc", values, strict=False)})

    assert at(read) == at(true)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: truth_table(slot_form("a", 2), slot_form("b", 3)), "a truth table over 2 bits has 4 entries, found 3"),
        (lambda: at_least(a, 1.0, gap=0.3), "the gap must be a power of two, found 0.3"),
        (lambda: lookup_table(a, {1: 0.0, 3: 1.0}), "a lookup table needs consecutive integers"),
    ],
)
def test_what_has_no_weights_is_refused(make: object, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make()  # type: ignore[operator]


def test_a_rule_gives_its_value_where_every_flag_is_set_and_none_that_forbids_it() -> None:
    d = slot_form("d", 1)
    for x, y, z in itertools.product((0, 1), repeat=3):
        assert run(when([a, b], d, unless=[c]), a=[x], b=[y], c=[z], d=[-7]) == [-7 * x * y * (1 - z)]
        assert run(when([], d, unless=[c]), c=[z], d=[5]) == [5 * (1 - z)]
    assert when([a, b], d, unless=[c]).units == 1


def test_equal_gives_a_signed_value_where_two_integers_are_equal() -> None:
    for x, y in itertools.product(range(-4, 5), repeat=2):
        assert run(equal(a, b, c), a=[x], b=[y], c=[-3]) == [-3 * (x == y)]
    assert run(equal(a, b, slot_form("v", 2)), a=[4], b=[4], v=[5, -6]) == [5, -6]


def test_a_threshold_and_an_interval_multiply_a_value_outside_their_gaps() -> None:
    for x in EIGHTHS:
        if x <= 1 - 1 / 4 or x >= 1:
            assert run(threshold(a, 1, 1 / 4, b), a=[x], b=[-3]) == [-3 * (x >= 1)]
        if x <= -1 - 1 / 4 or -1 <= x <= 1 / 2 or x >= 1 / 2 + 1 / 4:
            assert run(interval(a, -1, 1 / 2, 1 / 4, b), a=[x], b=[5]) == [5 * (-1 <= x <= 1 / 2)]
    assert run(interval(a, -1, 1 / 2, 1 / 4, b), a=[1 / 2 + 1 / 8], b=[5]) == [
        2.5
    ]  # above the interval it needs its gap, as printed it has none
    with pytest.raises(BadInput, match=r"the gap must be a power of two, found 0\.3"):
        threshold(a, 1, 0.3, b)
