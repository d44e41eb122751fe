"""Gates of recurrences against torch's functions, where they are steep, saturated, or taken as linear."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional

from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.gates import exponential, softplus, unit
from separatrix.checker.numbers.smooth import swish

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


def test_a_vector_of_zeros_stays_there_and_a_long_one_has_norm_1() -> None:
    ops = Float("float64")
    assert float(np.abs(unit(ops, Box(np.zeros(4))).middle).max()) == 0
    assert unit(ops, Box(np.array([0.0, 2.0**20, 0.0]))).middle.tolist() == [0.0, 1.0, 0.0]
