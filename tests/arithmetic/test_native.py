"""Ordinary floats: torch's own operators, and the conventions that every format shares."""

from __future__ import annotations

import math

import pytest
import torch

from separatrix.arithmetic import arithmetic


@pytest.mark.parametrize("name", ["float64", "float32", "bfloat16", "float16"])
def test_hidden_keys_weigh_nothing_and_a_blind_query_reads_zero(name: str) -> None:
    A = arithmetic(name)
    a = torch.tensor([[1.0, 5.0, 1.0], [1.0, 5.0, 5.0]], dtype=A.dtype)
    visible = torch.tensor([[True, False, True], [False, False, False]])
    assert A.softmax(a, visible).tolist() == A.uniform(a, visible).tolist() == [[0.5, 0.0, 0.5], [0.0] * 3]
    assert A.hard(a, visible).tolist() == [[1.0, 0.0, 0.0], [0.0] * 3]
    assert A.hard(a, None).tolist() == [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]


@pytest.mark.parametrize("kind", ["softmax", "hard", "uniform"])
def test_a_whole_head_is_logits_then_weights_then_a_weighted_sum(kind: str) -> None:
    A = arithmetic("float64")
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 3, 5, 4, dtype=torch.float64) for _ in range(3))
    visible = torch.ones(5, 5, dtype=torch.bool).tril(-1)  # the first query is blind
    steps = A.mix(A.weights(q, k, visible, kind), v)
    assert torch.allclose(A.attend(q, k, v, visible, kind), steps, rtol=0, atol=1e-14)
    assert steps[:, :, 0].abs().max() == 0


def test_a_number_of_more_bits_is_off_the_grid() -> None:
    third = torch.tensor([1 / 3], dtype=torch.float64)
    assert [arithmetic(name).on_grid(third) for name in ("float64", "float32", "bfloat16", "float16")] == [True, False, False, False]
    assert all(arithmetic(name).on_grid(torch.tensor([0.375])) for name in ("float64", "float32", "bfloat16", "float16"))


def test_linear_forms_products_and_sums_are_torchs_own() -> None:
    A = arithmetic("float32")
    x = A.enter(torch.tensor([[1.0, -2.0]]))
    assert A.leave(A.linear(x, torch.tensor([[3.0, 4.0]]), torch.tensor([1.0]))).tolist() == [[-4.0]]
    assert A.product(x, x).tolist() == [[1.0, 4.0]]
    assert A.add(x, x).tolist() == [[2.0, -4.0]]
    assert A.relu(x).tolist() == [[1.0, 0.0]]
    assert math.isclose(A.softmax(x, None).sum().item(), 1.0, rel_tol=1e-6)
