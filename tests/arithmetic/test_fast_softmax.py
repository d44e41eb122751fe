"""Whole arrays of rounded softmaxes against the routine for one row."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.arithmetic.exact_softmax import softmax_to_nearest
from separatrix.arithmetic.fast_softmax import softmax_to_nearest_each
from separatrix.arithmetic.integers import objects


@pytest.mark.parametrize("f", [1, 2, 4, 12, 26])
@pytest.mark.parametrize("keys", [2, 5, 32])
def test_a_tensor_holds_the_rounded_weights_of_every_row(f: int, keys: int) -> None:
    draw = np.random.default_rng(f * keys)
    a = -draw.integers(0, 3 << f, (6, 20, keys)) * draw.integers(0, 2, (6, 20, keys))  # many equal logits, so many ties
    see = draw.random((20, keys)) < 0.8
    weights = objects(softmax_to_nearest_each(torch.tensor(a, dtype=torch.float64), torch.tensor(see), f))
    check(weights, a, np.broadcast_to(see, a.shape), f)


@pytest.mark.parametrize("f", [10, 35, 46, 47, 48, 60])
def test_an_array_of_python_integers_holds_the_rounded_weights_of_every_row(f: int) -> None:
    draw = np.random.default_rng(f)
    scale = np.array([1 << f, 100 << f, 1, 1 << (f + 70)], dtype=object)
    a = -draw.integers(0, 4, (30, 4)).astype(object) * scale
    see = draw.random((30, 4)) < 0.8
    weights = softmax_to_nearest_each(a, torch.tensor(see), f)
    check(weights, a, see, f)
    assert all(type(weight) is int for weight in weights.flat)


def check(result: np.ndarray, a: np.ndarray, see: np.ndarray, f: int) -> None:
    rows = 0
    for weights, logits, visible in zip(
        result.reshape(-1, a.shape[-1]), a.reshape(-1, a.shape[-1]), see.reshape(-1, a.shape[-1]), strict=True
    ):
        assert weights[~visible].tolist() == [0] * int((~visible).sum())
        if visible.any():
            assert weights[visible].tolist() == softmax_to_nearest([int(logit) for logit in logits[visible]], f)
            rows += 1
    assert rows > 10


def test_ties_are_left_to_the_exact_routine() -> None:
    # 8 equal logits at f = 2: 4/8 = 1/2 goes to 0, and float64 cannot tell it from its neighbours.
    assert softmax_to_nearest_each(torch.zeros(1, 8, dtype=torch.float64), None, 2).tolist() == [[0.0] * 8]
    assert softmax_to_nearest_each(torch.zeros(1, 7, dtype=torch.float64), None, 2).tolist() == [[1.0] * 7]  # 4/7


@pytest.mark.parametrize("gap", [6, 14, 22, 30])
def test_a_near_tie_that_float64_takes_for_a_tie_is_rounded_by_its_true_side(gap: int) -> None:
    # 1/(1 + exp(-x)) = 1/2 + x/4 - x^3/48 + ... with x = gap 2^-26. In steps of 2^-26 that is 2^25 + gap/4, a tie
    # for these gaps, less gap^3/48 2^-52: just below, so it rounds down, and the other share rounds up.
    assert gap % 4 == 2
    for carried in (torch.tensor([[0.0, -gap]], dtype=torch.float64), np.array([[0, -gap]], dtype=object)):
        weights = objects(softmax_to_nearest_each(carried, None, 26))
        assert weights.tolist() == [[2**25 + (gap - 2) // 4, 2**25 - (gap - 2) // 4]]
