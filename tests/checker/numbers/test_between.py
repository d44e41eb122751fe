"""Ranges: what a program computes lies in the range that is claimed for it, and a wide range stays as narrow as its ends."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.numbers import gates, smooth
from separatrix.checker.numbers.between import Ranged, convex, products, ratio, sums, totals
from separatrix.checker.numbers.values import Values
from tests.checker.numbers.test_against_reals import CASES, ROWS, operand

RANGED = ("quotient", "tanh", "sigmoid", "elu + 1", "rms", "rms at the ends", "layer", "swish", "unit", "unit at the ends")
SHUT_OR_OPEN = Values(np.array([[-500.0]]), np.array([[250.0]]))  # -1000 .. 0


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
@pytest.mark.parametrize("name", RANGED)
def test_what_a_program_has_lies_in_its_range(name: str, arithmetic: str) -> None:
    case, ops, rng = CASES[name], Ranged(arithmetic), np.random.default_rng(len(name))
    operands = [operand(rng, ops, (ROWS // max(case.columns), width), case.widest, False) for width in case.columns]
    with np.errstate(all="ignore"):
        result = case.checked(ops, *(one.checked for one in operands))
        program = case.program(*(one.program for one in operands)).astype(np.float64)
        allowed = 2 * result.errors + 2 * np.finfo(ops.dtype).smallest_subnormal
        inside = np.isinf(allowed) | (np.abs(program - result.value) <= allowed * (1 + 1e-12))
    assert bool(inside.all())


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
def test_numbers_inside_wide_ranges_lead_to_numbers_inside_the_result(arithmetic: str) -> None:
    ops, rng = Ranged(arithmetic), np.random.default_rng(1)
    centre, radius = rng.normal(size=(2, 500, 3)) * 10.0 ** rng.integers(-2, 3, size=(2, 500, 1))
    x = Values(centre.astype(ops.dtype).astype(float), np.abs(radius) / 2)
    y = Values(np.abs(x.value[::-1]) + 3 * np.abs(radius) + 1e-3, np.abs(radius) / 2)
    m = Values(rng.normal(size=(500, 3, 2)), np.abs(rng.normal(size=(500, 3, 2))))
    with np.errstate(all="ignore"):
        results = [smooth.sigmoid(ops, x), smooth.tanh(ops, x), smooth.elu_plus_one(ops, x), gates.swish(ops, x), gates.unit(ops, x),
                   products(ops, x, y, ops.product(x, y)), totals(ops, x, y, ops.add(x, y)), smooth.quotient(ops, x, y),
                   sums(ops, x, m, ops.mix(x[..., None, :], m)[..., 0, :], np.zeros((500, 2)))]  # fmt: skip
    for _ in range(40):
        a, b, c = (v.value + rng.choice([-2, 2, rng.uniform(-2, 2)]) * v.errors for v in (x, y, m))
        sigma = 1 / (1 + np.exp(-a))
        real = [sigma, np.tanh(a), np.where(a > 0, a + 1, np.exp(np.minimum(a, 0))), a * sigma,
                a / np.sqrt((a * a).sum(axis=-1, keepdims=True) + 1e-6), a * b, a + b, a / b, (a[:, None, :] @ c)[:, 0]]  # fmt: skip
        for result, each in zip(results, real, strict=True):
            assert bool((np.abs(each - result.value) <= 2 * result.errors * (1 + 1e-9) + 1e-12 * np.abs(each)).all())


def test_a_range_is_as_narrow_as_its_ends() -> None:
    ops = Ranged("float64")
    with np.errstate(all="ignore"):
        for found, low, high in ((smooth.sigmoid(ops, SHUT_OR_OPEN), 0, 0.5), (gates.swish(ops, SHUT_OR_OPEN), -0.2785, 0),
                                 (smooth.elu_plus_one(ops, SHUT_OR_OPEN), 0, 1)):  # fmt: skip
            assert found.value - 2 * found.errors == pytest.approx(low, abs=1e-9)
            assert found.value + 2 * found.errors == pytest.approx(high, abs=1e-9)
        plain = smooth.Float("float64")
        assert smooth.elu_plus_one(plain, SHUT_OR_OPEN).errors > 100, "an ordinary forward pass keeps the distance to the real number"
        blend = convex(ops, Values(np.ones(1)), Values(-np.ones(1)), Values(np.zeros(1), np.full(1, 9.0)))
        assert blend.value + 2 * blend.errors == pytest.approx(1)
        unknown = ratio(ops, Values(np.ones(1)), Values(np.zeros(1), np.ones(1)), Values(np.ones(1), np.full(1, np.inf)))
        assert np.isinf(unknown.errors).all(), "what may be divided by 0 stays unbounded"


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
def test_ranges_on_either_side_of_zero_have_room_for_all_corners(arithmetic: str) -> None:
    ops, rng = Ranged(arithmetic), np.random.default_rng(2)
    x, y = (Values(rng.normal(size=300).round(3) * 3, np.abs(rng.normal(size=300)).round(3)) for _ in range(2))
    s = rng.uniform(size=300)
    wide = Values(np.zeros(300), np.full(300, 99.0))
    results = totals(ops, x, y, ops.add(x, y)), products(ops, x, y, ops.product(x, y)), convex(ops, x, y, wide)
    for one in (-2, 2):
        for other in (-2, 2):
            a, b = x.value + one * x.errors, y.value + other * y.errors
            for result, real in zip(results, (a + b, a * b, s * a + (1 - s) * b), strict=True):
                assert bool((np.abs(real - result.value) <= 2 * result.errors * (1 + 1e-9)).all())
    assert bool((results[0].errors <= 1.01 * (x.errors + y.errors)).all())
