"""Gates of recurrences against torch's functions, where they are steep, saturated, or taken as linear."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch.nn import functional

from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.gates import exponential, overwritten, softplus, unit
from separatrix.checker.numbers.smooth import sigmoid, swish

POINTS = np.array([-1000.0, -709.5, -88.5, -40.0, -1.0, -1e-9, 0.0, 1e-3, 2.0, 19.9, 20.1, 21.0, 80.0])


@pytest.mark.parametrize(("arithmetic", "dtype"), [("float64", torch.float64), ("float32", torch.float32)])
def test_torch_lies_within_the_bound(arithmetic: str, dtype: torch.dtype) -> None:
    ops, x = Float(arithmetic), torch.tensor(POINTS, dtype=dtype)
    values = Box(x.double().numpy())
    for ours, theirs in ((softplus, functional.softplus), (swish, functional.silu), (exponential, torch.exp)):
        bounded = ours(ops, values)
        said = theirs(x).double().numpy()
        assert ((bounded.low <= said) & (said <= bounded.high)).all(), ours.__name__


def test_a_shut_gate_is_sure_and_softplus_may_be_taken_as_linear_above_20() -> None:
    ops = Float("float64")
    assert float(swish(ops, Box(np.array([-1024.0]))).radius[0]) < 1e-300
    assert float(softplus(ops, Box(np.array([21.0]))).radius[0]) > np.exp(-21.0) * 0.9  # torch says 21 there
    assert float(softplus(ops, Box(np.array([19.0]))).radius[0]) < 1e-12


@pytest.mark.parametrize(("arithmetic", "dtype", "least"), [("float64", torch.float64, -1074), ("float32", torch.float32, -149)])
def test_sigmoid_is_0_for_the_checker_only_where_it_is_0_in_torch(arithmetic: str, dtype: torch.dtype, least: int) -> None:
    """Below half of the least number; in vectors of every length, as torch has other code for what does not fill a register."""
    ops, top = Float(arithmetic), (least - 2) * math.log(2)
    for size in (1, 2, 3, 5, 8, 16, 31, 64, 257):
        x = (torch.linspace(1.0, 3.0, size, dtype=torch.float64) * top * (1 + 1e-6)).to(dtype)
        bounded = sigmoid(ops, Box(x.double().numpy()))
        assert not bounded.reach.any()
        for same in (x.sigmoid(), 1 / (1 + (-x).exp()), x.exp() / (1 + x.exp())):
            assert not same.any()
    assert float(sigmoid(ops, Box(np.array([top + 1.0]))).high[0]) > 0
    assert float(sigmoid(ops, Box(np.array([top - 1.0]), np.array([top + 1.0]))).high[0]) > 0  # for some program it may lie above


def test_a_share_of_0_leaves_the_memory_as_it_is_unless_the_difference_overflows() -> None:
    ops, v = Float("float32"), Box(np.array([5.0, 5.0]))
    S, k = Box(np.array([[0.3, -7.0]]), np.array([[0.31, -7.0]])), Box(np.array([1.0]), np.array([1.0 + 1e-7]))
    kept = overwritten(ops, S, k, v, Box(np.zeros(())))
    assert (kept.low.tolist(), kept.high.tolist()) == (S.low.tolist(), S.high.tolist())
    changed = overwritten(ops, S, k, v, Box(np.zeros(()), np.full((), 1e-30)))
    assert (changed.radius > S.radius).all()
    lost = overwritten(ops, S, k, Box(np.array([3e38, 5.0])), Box(np.zeros(())))  # 0 times infinity is no number
    assert np.isinf(lost.reach).all()


def test_a_vector_of_zeros_stays_there_and_a_long_one_has_norm_1() -> None:
    ops = Float("float64")
    assert float(np.abs(unit(ops, Box(np.zeros(4))).middle).max()) == 0
    assert unit(ops, Box(np.array([0.0, 2.0**20, 0.0]))).middle.tolist() == [0.0, 1.0, 0.0]
