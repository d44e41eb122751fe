"""What is known of a slot is true: computed values never leave the interval by more than the error says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.forms import Array, Form, row, slot_form, stack
from separatrix.constructions.gadgets import Gadget, at_least, clip, gated, identity, lookup_table, product, step
from separatrix.constructions.known import Known, between, exactly, logit_error, of_address, of_form, of_gadget, read_with

x, y = slot_form("x", 2), slot_form("y", 2)
FORMS = [2 * x - y, x.through(row(1.0, -3.0)[None]) + 0.5, stack(x[0], -y), x * 0]
GADGETS = [
    identity(x - y),
    clip(3 * x, -1, 2),
    product(x, y),
    gated(x[0], y),
    at_least(x, 0.5, 0.5),
    lookup_table(x, {0: 1.0, 1: 4.0, 2: 0.0}),
]


def known(draw: np.random.Generator) -> tuple[dict[str, Known], dict[str, Array], dict[str, Array]]:
    """Intervals and errors, true values within the intervals, and computed ones within the errors."""
    about, true, computed = {}, {}, {}
    for slot in ("x", "y"):
        ends = draw.random((2, 2)) * 4 - 2
        low, high, error = ends.min(axis=0), ends.max(axis=0), draw.random(2) / 4
        about[slot] = Known(low, high, error)
        true[slot] = low + (high - low) * draw.random(2)
        computed[slot] = true[slot] + error * (2 * draw.integers(0, 2, 2) - 1)
    return about, true, computed


def at(form: Form, slots: dict[str, Array]) -> Array:
    return form.constant + sum(matrix @ slots[slot] for slot, matrix in form.terms.items())


def run(gadget: Gadget, slots: dict[str, Array]) -> Array:
    total = gadget.constant
    for part in gadget.parts:
        total = total + part.matrix @ (np.maximum(at(part.form, slots), 0) * (1 if part.gate is None else at(part.gate, slots)))
    return total


def assert_holds(about: Known, true: Array, computed: Array) -> None:
    assert (true >= about.low - 1e-12).all()
    assert (true <= about.high + 1e-12).all()
    assert (np.abs(computed - true) <= about.error + 1e-12).all()


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6))
def test_forms_and_gadgets_stay_within_what_is_known(seed: int) -> None:
    about, true, computed = known(np.random.default_rng(seed))
    for form in FORMS:
        assert_holds(of_form(form, about), at(form, true), at(form, computed))
    for gadget in GADGETS:
        loose = Gadget(gadget.name, gadget.parts, gadget.constant, gadget.inputs, low=None, high=None, slope=gadget.slope)
        assert_holds(of_gadget(loose, about), run(gadget, true), run(gadget, computed))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_a_logit_is_off_by_no_more_than_is_known(seed: int) -> None:
    about, true, computed = known(np.random.default_rng(seed))
    off = float((computed["x"] * computed["y"]).sum() - (true["x"] * true["y"]).sum())
    assert abs(off) <= logit_error(about["x"], about["y"]) + 1e-12


def test_a_head_leaks_its_share_of_the_range() -> None:
    # values in [-1, 1] off by 1/8, a quarter of the weight elsewhere: 1/8 + 1/4 (2 + 2/8)
    read = read_with(Known(row(-1.0), row(1.0), row(0.125)), 0.25)
    assert float(read.error[0]) == 0.125 + 0.25 * 2.25
    assert read_with(between(-np.inf, np.inf, 1), 0.0).off == 0.0


def test_a_gadget_within_its_tolerance_is_exact() -> None:
    slots = {"x": Known(np.zeros(2), np.ones(2), np.full(2, 0.25)), "y": between(0, 1, 2)}
    assert of_gadget(step(x), slots).off == 0
    assert of_gadget(identity(x), slots).off == 0.25
    assert of_gadget(at_least(4 * x, 1.0, 0.5), slots).off == 2 * 2 * 4 * 0.25  # two parts of slope 2


@pytest.mark.parametrize(
    ("address", "low", "high"),
    [
        (AddressWeights("sign", 2), [-1, -1], [1, 1]),
        (AddressWeights("one-hot", 2), [0, 0], [1, 1]),
        (AddressWeights("quadratic", 2), [-1, 0], [9, 81]),
        (AddressWeights("table", 2, np.array([[3.0, -1.0], [5.0, 0.0]])), [3, -1], [5, 0]),
    ],
)
def test_an_address_has_a_range(address: AddressWeights, low: list[float], high: list[float]) -> None:
    about = of_address(address, -1, 9, np.eye(2), gates=np.ones(3))
    assert (about.low.tolist(), about.high.tolist()) == (low, high)
    doubled = of_address(address, -1, 9, np.array([[-2.0], [0.0]]), gates=np.ones(3))
    assert (float(doubled.low[0]), float(doubled.high[0])) == (-2 * high[0], -2 * low[0])


def test_a_gate_stretches_the_range_of_an_address() -> None:
    # places 3 .. 5 are (3 .. 5, 9 .. 25); a token without its place has (0, 0), one with gate -2 up to twice as much on the other side
    address, eye = AddressWeights("quadratic", 2), np.eye(2)
    ranges = {gates: of_address(address, 3, 5, eye, np.array(gates)) for gates in ((1.0, 1.0), (1.0, 0.0), (1.0, -2.0), (2.0, 3.0))}
    assert {gates: (known.low.tolist(), known.high.tolist()) for gates, known in ranges.items()} == {
        (1.0, 1.0): ([3, 9], [5, 25]),
        (1.0, 0.0): ([0, 0], [5, 25]),
        (1.0, -2.0): ([-10, -50], [5, 25]),
        (2.0, 3.0): ([6, 18], [15, 75]),
    }


def test_what_is_written_twice_adds_up() -> None:
    total = exactly(row(1.0), row(2.0)) + Known(row(-1.0), row(5.0), row(0.5))
    assert (*total.low, *total.high, total.off, *total.size) == (0.0, 7.0, 0.5, 7.5)
