"""What is known of a slot is true: computed values never leave the interval by more than the error says."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.constructions.forms import Form, slot_form, stack
from separatrix.constructions.gadgets import Gadget, at_least, clip, gated, identity, lookup_table, product, step
from separatrix.constructions.known import Known, between, exactly, logit_error, of_address, of_form, of_gadget, read_with
from separatrix.models.config import PlaceConfig

x, y = slot_form("x", 2), slot_form("y", 2)
FORMS = [2 * x - y, x.through(torch.tensor([[1.0, -3.0]], dtype=torch.float64)) + 0.5, stack(x[0], -y), x * 0]
GADGETS = [
    identity(x - y),
    clip(3 * x, -1, 2),
    product(x, y),
    gated(x[0], y),
    at_least(x, 0.5, 0.5),
    lookup_table(x, {0: 1.0, 1: 4.0, 2: 0.0}),
]


def known(draw: torch.Generator) -> tuple[dict[str, Known], dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Intervals and errors, true values within the intervals, and computed ones within the errors."""
    about, true, computed = {}, {}, {}
    for slot in ("x", "y"):
        ends = torch.rand(2, 2, generator=draw, dtype=torch.float64) * 4 - 2
        low, high, error = ends.amin(dim=0), ends.amax(dim=0), torch.rand(2, generator=draw, dtype=torch.float64) / 4
        about[slot] = Known(low, high, error)
        true[slot] = low + (high - low) * torch.rand(2, generator=draw, dtype=torch.float64)
        computed[slot] = true[slot] + error * (2 * torch.randint(0, 2, (2,), generator=draw) - 1)
    return about, true, computed


def at(form: Form, slots: dict[str, torch.Tensor]) -> torch.Tensor:
    return form.constant + sum(matrix @ slots[slot] for slot, matrix in form.terms.items())


def run(gadget: Gadget, slots: dict[str, torch.Tensor]) -> torch.Tensor:
    total = gadget.constant
    for part in gadget.parts:
        total = total + part.matrix @ (at(part.form, slots).clamp(min=0) * (1 if part.gate is None else at(part.gate, slots)))
    return total


def assert_holds(about: Known, true: torch.Tensor, computed: torch.Tensor) -> None:
    assert (true >= about.low - 1e-12).all()
    assert (true <= about.high + 1e-12).all()
    assert ((computed - true).abs() <= about.error + 1e-12).all()


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6))
def test_forms_and_gadgets_stay_within_what_is_known(seed: int) -> None:
    about, true, computed = known(torch.Generator().manual_seed(seed))
    for form in FORMS:
        assert_holds(of_form(form, about), at(form, true), at(form, computed))
    for gadget in GADGETS:
        loose = Gadget(gadget.name, gadget.parts, gadget.constant, gadget.inputs, low=None, high=None, slope=gadget.slope)
        assert_holds(of_gadget(loose, about), run(gadget, true), run(gadget, computed))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_a_logit_is_off_by_no_more_than_is_known(seed: int) -> None:
    about, true, computed = known(torch.Generator().manual_seed(seed))
    off = float((computed["x"] * computed["y"]).sum() - (true["x"] * true["y"]).sum())
    assert abs(off) <= logit_error(about["x"], about["y"]) + 1e-12


def test_a_head_leaks_its_share_of_the_range() -> None:
    # values in [-1, 1] off by 1/8, a quarter of the weight elsewhere: 1/8 + 1/4 (2 + 2/8)
    read = read_with(Known(*(torch.tensor([v], dtype=torch.float64) for v in (-1.0, 1.0, 0.125))), 0.25)
    assert float(read.error) == 0.125 + 0.25 * 2.25
    assert read_with(between(-torch.inf, torch.inf, 1), 0.0).off == 0.0


def test_a_gadget_within_its_tolerance_is_exact() -> None:
    slots = {"x": Known(torch.zeros(2).double(), torch.ones(2).double(), torch.full((2,), 0.25).double()), "y": between(0, 1, 2)}
    assert of_gadget(step(x), slots).off == 0
    assert of_gadget(identity(x), slots).off == 0.25
    assert of_gadget(at_least(4 * x, 1.0, 0.5), slots).off == 2 * 2 * 4 * 0.25  # two parts of slope 2


@pytest.mark.parametrize(
    ("config", "stored", "low", "high"),
    [
        (PlaceConfig("sign", 2, 3), None, [-1, -1], [1, 1]),
        (PlaceConfig("one-hot", 2), None, [0, 0], [1, 1]),
        (PlaceConfig("quadratic", 2), None, [-1, 0], [9, 81]),
        (PlaceConfig("table", 2, 2), torch.tensor([[3.0, -1.0], [5.0, 0.0]]), [3, -1], [5, 0]),
    ],
)
def test_an_address_has_a_range(config: PlaceConfig, stored: torch.Tensor | None, low: list[float], high: list[float]) -> None:
    about = of_address(config, stored, -1, 9, torch.eye(2, dtype=torch.float64), everywhere=True)
    assert (about.low.tolist(), about.high.tolist()) == (low, high)
    doubled = of_address(config, stored, -1, 9, torch.tensor([[-2.0], [0.0]], dtype=torch.float64), everywhere=True)
    assert (float(doubled.low), float(doubled.high)) == (-2 * high[0], -2 * low[0])
    sometimes = of_address(config, stored, -1, 9, torch.eye(2, dtype=torch.float64), everywhere=False)
    assert (sometimes.low <= 0).all()
    assert (sometimes.high >= 0).all()


def test_what_is_written_twice_adds_up() -> None:
    total = exactly(torch.tensor([1.0]), torch.tensor([2.0])) + Known(torch.tensor([-1.0]), torch.tensor([5.0]), torch.tensor([0.5]))
    assert (float(total.low), float(total.high), total.off, float(total.size)) == (0.0, 7.0, 0.5, 7.5)
