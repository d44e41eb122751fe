"""Nearest neighbour by a steep kernel in a matrix state, against the oracle; a blunter kernel is outvoted."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.nearest_kernels import features, steepness
from separatrix.errors import BadInput
from separatrix.tasks.nearest_neighbor import NearestNeighbor
from tests.constructions.named.running import all_right, every_input_right, share_right

BY = ("deltanet", "gated-deltanet", "mamba2")


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_the_nearest_vector_gives_its_label(by: str, arithmetic: str) -> None:
    assert all_right(build(f"nearest-neighbor/{by}", length=4, dimension=3, gamma=0.7, arithmetic=arithmetic))
    if arithmetic == "float64":
        assert all_right(build(f"nearest-neighbor/{by}", length=16, dimension=6, gamma=0.2))


@pytest.mark.parametrize("by", BY)
def test_every_small_input_is_right_and_certified(by: str) -> None:
    built = build(f"nearest-neighbor/{by}", length=3, dimension=2, gamma=1.0)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason


def test_features_make_the_kernel() -> None:
    task = NearestNeighbor(6, dimension=4, gamma=0.3)
    table, vectors = features(task), task.vectors / np.sqrt(task.norm)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    assert np.allclose(unit @ unit.T, np.exp(-steepness(task) * (1 - vectors @ vectors.T)), rtol=1e-12)
    assert table.min() == 1


@pytest.mark.parametrize("by", BY)
def test_a_kernel_that_is_not_steep_is_outvoted(by: str) -> None:
    """The square root of each feature: half as steep."""
    built = build(f"nearest-neighbor/{by}", length=16, dimension=6, gamma=0.2)
    table = built.model.state_dict()["embedding.table"]
    keys = built.task.keys  # type: ignore[attr-defined]
    table[:keys, :keys] = table[:keys, :keys].sqrt().sqrt()
    assert share_right(built, built.task.adversarial("gamma-below", 1, 100)) < 1


@pytest.mark.parametrize("by", BY)
def test_what_does_not_fit_is_refused(by: str) -> None:
    with pytest.raises(BadInput, match=rf"^nearest-neighbor/{by} has a row for each of 2\^d vectors: expected dimension <= 10, found 12$"):
        build(f"nearest-neighbor/{by}", length=8, dimension=12, gamma=0.1)
    with pytest.raises(BadInput, match=r"features range over a factor .* in float32: expected fewer vectors, a larger gamma or float64$"):
        build(f"nearest-neighbor/{by}", length=16, dimension=6, gamma=0.2, arithmetic="float32")


def test_formulas_are_what_is_built() -> None:
    for by in BY:
        for dimension in (3, 5, 7):
            chosen = {"length": 8, "dimension": dimension, "gamma": 1.0}
            built, sizes = build(f"nearest-neighbor/{by}", **chosen).sizes(), construction(f"nearest-neighbor/{by}").sizes(chosen)
            assert sizes is not None
            assert (built["width"], built["state_bits"]) == (sizes["width"], sizes["state_bits"])
