"""Units that cancel: the tighter bound holds for every input within the error, and does not grow through a step that is saturated."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.checker.models.description import FeedForward
from separatrix.checker.models.layer import feedforward
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.floats import Float
from separatrix.constructions import build

F32 = np.float32


def near(value: Array, radius: Array) -> Box:
    """All that lies within the radius."""
    return Box(value - radius, value + radius)


def both(y: Box, inner: Array, inner_bias: Array, outer: Array, outer_bias: Array) -> tuple[Box, Box]:
    """The result where each unit is bounded by itself, and where units that share a direction are."""
    ops = Float("float32")
    alone = ops.linear(ops.relu(ops.linear(y, inner, inner_bias)), outer, outer_bias)
    weights = {"inner": inner, "inner_bias": inner_bias, "outer": outer, "outer_bias": outer_bias}
    return alone, feedforward(FeedForward(len(inner), "relu", bias=True), weights, ops, y)


def real(y: Array, inner: Array, inner_bias: Array, outer: Array, outer_bias: Array) -> Array:
    return np.asarray(np.maximum(y @ inner.T + inner_bias, 0) @ outer.T + outer_bias)


@pytest.mark.parametrize("seed", range(30))
def test_no_input_within_the_error_and_no_program_is_further_off(seed: int) -> None:
    """Real arithmetic at the corners and inside, and programs in float32 that add up in random orders."""
    rng = np.random.default_rng(seed)
    d, hidden, targets, n = int(rng.integers(1, 5)), 8, 3, 12
    inner = rng.integers(-4, 5, (hidden // 2, d)) / 4.0
    inner, outer = np.concatenate([inner, inner]), rng.integers(-4, 5, (targets, hidden // 2)) / 2.0
    outer = np.concatenate([outer, -outer], axis=1)  # pairs of units that cancel once both are on
    inner_bias, outer_bias = rng.integers(-8, 9, hidden) / 8.0, rng.integers(-4, 5, targets) / 4.0
    value = rng.integers(-16, 17, (n, d)) / 4.0
    error = rng.choice([0.0, 1e-6, 1e-3, 0.1], (n, d))
    weights = (inner, inner_bias, outer, outer_bias)
    alone, tighter = both(near(value, error), *weights)
    assert ((alone.low <= tighter.low) & (tighter.high <= alone.high)).all()
    for _ in range(200):
        corner = rng.choice([-1.0, 0.0, 1.0], (n, d)) if rng.integers(2) else rng.uniform(-1, 1, (n, d))
        inside = value + corner * error
        exact = real(inside, *weights)
        assert ((tighter.low <= exact) & (exact <= tighter.high)).all()
        order, units = rng.permutation(d), rng.permutation(hidden)
        h = np.zeros((n, hidden), dtype=F32) + inner_bias.astype(F32)
        for i in order:
            h = h + inside.astype(F32)[:, i : i + 1] * inner.astype(F32)[:, i]
        z = np.zeros((n, targets), dtype=F32) + outer_bias.astype(F32)
        for j in units:
            z = z + np.maximum(h[:, j : j + 1], F32(0)) * outer.astype(F32)[:, j]
        slack = np.abs(inside.astype(F32) - inside).max() * 100  # the program's own input is a number of float32
        assert ((tighter.low - slack <= z) & (z <= tighter.high + slack)).all()


def test_a_saturated_step_forgets_the_error_of_its_input() -> None:
    """step(a) = relu(8 a) - relu(8 a - 1) at a = 1, which is off by 0.1: by units 1.6, and truly 0."""
    step = (np.array([[8.0], [8.0]]), np.array([0.0, -1.0]), np.array([[1.0, -1.0]]), np.array([0.0]))
    alone, tighter = both(near(np.array([[1.0]]), np.array([[0.1]])), *step)
    assert tighter.middle[0, 0] == pytest.approx(1.0)
    assert alone.radius[0, 0] > 1.5
    assert tighter.radius[0, 0] < 1e-5
    open_step = both(near(np.array([[0.1]]), np.array([[0.1]])), *step)[1]  # not saturated for every program
    assert (open_step.low[0, 0], open_step.high[0, 0]) == (pytest.approx(0, abs=1e-5), pytest.approx(1, abs=1e-5))


@pytest.mark.parametrize("name", ["eq-random", pytest.param("eq-one", marks=pytest.mark.slow), "eq-ncp"])
def test_equality_across_a_separator_is_certified_in_float32(name: str) -> None:
    verdict = check_document(verify(build(name, length=20, arithmetic="float32")).document)
    assert verdict.holds, verdict.reason
    assert verdict.claim.endswith("float32")
