"""What the paper's GeLU gadgets reach: the errors of their derivation, in float64 and in float32."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from separatrix.constructions.parts.gelu_gadgets import Units, linear, product, select
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.model import Model

U64, U32 = 2.0**-53, 2.0**-24
Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]


def run(units: Units, x: Floats, dtype: torch.dtype = torch.float64, approximate: str = "none") -> Floats:
    tensors = [torch.tensor(part, dtype=dtype) for part in (units.inner, units.outer, x)]
    hidden = functional.gelu(functional.linear(tensors[2], tensors[0]), approximate=approximate)
    result: Floats = functional.linear(hidden, tensors[1]).double().numpy()
    return result


@pytest.mark.parametrize("M", [1, 10, 100, 1000, 10**4])
def test_a_product_is_off_by_the_two_thirds_power_of_the_rounding_and_hardly_less(M: int) -> None:
    rng = np.random.default_rng(M)
    x = np.concatenate([rng.uniform(-M, M, (4000, 2)), [[M, M], [M, -M], [0, M], [-M, -M]]])
    off = np.abs(run(product(M, U64), x)[:, 0] - x.prod(axis=1)).max()
    assert 0.3 * M**2 * U64 ** (2 / 3) < off <= 1.7 * M**2 * 2.4e-11
    off32 = np.abs(run(product(M, U32), x, torch.float32)[:, 0] - x.prod(axis=1)).max()
    assert 1e-5 * M**2 < off32 < 1e-4 * M**2


def test_a_linear_map_is_exact_with_either_gelu() -> None:
    rng = np.random.default_rng(0)
    W, x = rng.normal(size=(3, 5)), rng.normal(size=(500, 5)) * 100
    for approximate in ("none", "tanh"):
        z = x @ W.T
        assert (np.abs(run(linear(W), x, approximate=approximate) - z) <= 1e-13 * np.abs(x) @ np.abs(W).T).all()
    ones = np.array([[1.0]])
    line = np.linspace(-40, 40, 4001)[:, None]
    assert (np.abs(run(linear(ones), line) - line) <= 4e-16 * np.abs(line)).all()


def test_a_selection_cancels_only_where_its_switch_is_bounded() -> None:
    rng = np.random.default_rng(1)
    M, alpha, d = 100.0, 0.01, 3
    gadget = select(d, M, alpha, lam=9 / M)
    x, y = rng.uniform(-M, M, (200, d)), rng.uniform(-M, M, (200, d))
    for size, most in ((0.01, 1e-10), (1.0, 1e-9), (1e9, 10.0)):
        t = np.where(rng.integers(2, size=200) == 1, size, -size)
        off = np.abs(run(gadget, np.concatenate([x, y, t[:, None]], axis=1)) - np.where(t[:, None] > 0, x, y)).max()
        assert off <= most
    assert off > 1e-4  # t up to 10^9, which the lemma allows


def test_a_gelu_is_refused_in_exact_formats() -> None:
    config = ModelConfig(
        EmbeddingConfig(2), (LayerConfig(None, FeedForwardConfig(4, "gelu"), residual=True),), ReadoutConfig(2), 2, arithmetic="fixed:20,8"
    )
    with pytest.raises(BadInput, match="fixed:20,8 has no exact form of gelu"):
        Model(config)


@pytest.mark.parametrize(("M", "u"), [(0.0, U64), (1.0, 0.0), (1.0, math.nan)])
def test_bounds_that_are_none_are_refused(M: float, u: float) -> None:
    with pytest.raises(BadInput, match="product: expected a bound above 0"):
        product(M, u)
