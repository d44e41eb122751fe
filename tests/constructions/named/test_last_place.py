"""Weights of named architectures with every number moved to a neighbour of it: all rows are still right."""

from __future__ import annotations

import math

import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.constructions import CONSTRUCTIONS, build, construction
from tests.constructions.named.running import batches, share_right

NAMED = [name for name, where in CONSTRUCTIONS.items() if where.startswith("separatrix.constructions.named.")]
IN_FLOATS = [name for name in NAMED if not name.endswith("/hard-attention")]  # the weights of softmax attention, which have their own tests
SIZES = {"labels": 3, "symbols": 5, "swaps": 6, "dimension": 2, "gamma": 1.5}


@torch.no_grad()
def moved(built: Built, seed: int) -> Built:
    """Each weight but 0 is the next number above or below; changes the model."""
    coins = torch.Generator().manual_seed(seed)
    for weight in built.model.parameters():
        up = torch.rand(weight.shape, generator=coins) < 0.5
        next_one = torch.nextafter(weight, torch.where(up, math.inf, -math.inf).to(weight.dtype))
        weight.copy_(torch.where(weight == 0, weight, next_one))
    return built


@pytest.mark.parametrize("name", IN_FLOATS)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_a_unit_in_the_last_place_of_every_weight_is_harmless(name: str, arithmetic: str) -> None:
    declared = construction(name)
    chosen = {
        key: value
        for key, value in SIZES.items()
        if key in declared.parameters and not (key == "symbols" and "labels" in declared.parameters)
    }
    for length in (4, 14):
        for seed in (0, 1):
            built = moved(build(name, length=length, arithmetic=arithmetic, **chosen), seed)
            assert all(share_right(built, batch) == 1 for batch in batches(built, 20)), (length, seed)


def test_every_named_construction_was_moved() -> None:
    assert len(IN_FLOATS) >= 80
