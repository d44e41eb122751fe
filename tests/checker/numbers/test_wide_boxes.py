"""Boxes that are wide, or reach from the least numbers to large ones, against programs that are common."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.exact import Fixed
from separatrix.checker.numbers.floats import FLOATS, Float
from separatrix.checker.numbers.gates import overwritten
from separatrix.checker.numbers.leads import leads
from separatrix.checker.numbers.smooth import normed

NAMES = list(FLOATS)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [2, 3, 16])
def test_a_layer_norm_by_torch_of_numbers_far_from_zero(name: str, width: int) -> None:
    """It has x r and m r with r = w / sqrt(variance), and subtracts then: where x is almost its mean m, by more than the root of the width.

    Its sums of squares are those of means that it merges, which overflow where those of x less its mean do not.
    """
    rng, ops, beyond = np.random.default_rng(5), Float(name), 0
    largest = np.log2(float(np.finfo(ops.dtype).max))
    for exponent in rng.uniform(0, 0.9 * largest, 1500):
        mean = 2.0**exponent
        x: Array = (mean * (1 + rng.integers(-4, 5, (1, width)) * 2 * ops.u)).astype(ops.dtype)
        low, high = x.astype(np.float64), x.astype(np.float64)
        with np.errstate(all="ignore"):
            low[0, 0] -= 0.9 * mean * rng.integers(0, 2)
            box = normed(ops, Box(low, high), "layer", np.ones(width), np.zeros(width))
        one = torch.ones(width, dtype=torch.from_numpy(x).dtype)
        y = torch.nn.functional.layer_norm(torch.from_numpy(x), (width,), one, 0 * one, 1e-5).double().numpy()
        assert (~np.isfinite(box.reach) | ((box.low <= y) & (y <= box.high))).all()
        beyond += bool((~np.isfinite(y) | (np.abs(y) > 1.01 * np.sqrt(width))).any())
    assert beyond > 10


def test_the_delta_rule_with_keys_below_the_normal_range() -> None:
    """A key of 2^-1068 times a share of 0.06 is rounded by much, and what it multiplies is large."""
    rng, ops = np.random.default_rng(6), Float("float64")
    for _ in range(500):
        small = float(rng.integers(1, 100)) * 2.0**-1074
        far = -(2.0 ** rng.uniform(0, 200))
        S, beta = np.array([[0.0], [2.0 ** rng.uniform(0, 200)]]), np.array(rng.uniform(0.01, 0.1))
        v = rng.normal(size=1)
        box = overwritten(ops, Box(S), Box(np.array([small, far]), np.array([small, 0.0])), Box(v), Box(beta))
        for other in (far, far / 2, far / 8, 0.0):
            k = np.array([small, other])
            y = S + k[:, None] * (beta * (v - k @ S))
            assert ((box.low <= y) & (y <= box.high)).all()


@pytest.mark.parametrize(("p", "f"), [(33, 31), (9, 3), (64, 30), (130, 64), (63, 1)])
def test_two_logits_beyond_an_exact_format_are_clamped_to_one_number(p: int, f: int) -> None:
    """Sums of 63 bits and more among them; a lead of one unit before both are clamped is none after it."""
    ops = Fixed(p, f)
    one = np.array([[min(ops.scale, ops.high - 1)]], dtype=object if p > 62 else np.int64)
    w, bias = np.concatenate([one, one]), np.array([ops.high, ops.high - 1], dtype=one.dtype)
    with np.errstate(all="ignore"):
        assert leads(ops, Box(one, one + 1), w // 2, bias, np.array([0])).tolist() == [0]
    x = Box(np.array([[ops.low]], dtype=one.dtype), np.array([[ops.high]], dtype=one.dtype))
    apart = np.concatenate([-one, one])
    assert leads(ops, x, apart, None, np.array([0]))[0] <= ops.low - ops.high + 1
