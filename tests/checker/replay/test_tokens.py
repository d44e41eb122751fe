"""The input of the first layer in boxes: all positions at once are no wider in range than each by itself."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.replay.proof import Unproven
from separatrix.checker.replay.shapes import anywhere
from tests.checker.models.small import document, layer, model, place, tensors


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
def test_a_stream_that_overflows_is_not_bounded_whatever_reads_it(listed: bool, arithmetic: str) -> None:
    """A row and an address whose sum is not a number of the format: a program has infinity there, and nan after a product with 0."""
    described = document(arithmetic, [layer()], embedding={"places": [place("table")], "number_address": None, "numbers": 0})
    weights, most = tensors(described), float(np.finfo(np.float32 if arithmetic == "float32" else np.float64).max)
    for name in ("embedding.table", "embedding.places.0.address.table", "embedding.places.0.weight"):
        weights[name] = np.zeros_like(weights[name])
    weights["embedding.table"][:, 0] = most / 1.5
    weights["embedding.places.0.address.table"][:, 0] = 1.0
    weights["embedding.places.0.weight"][0, 0] = most / 1.5
    with np.errstate(all="ignore"), pytest.raises(Unproven, match="may overflow"):
        anywhere(model(described, weights), range(2), 4, listed)
    weights["embedding.places.0.weight"][0, 0] = -most / 8
    weights["embedding.table"][:, 0] = most / 8
    assert len(anywhere(model(described, weights), range(2), 4, listed)) == 2


def test_positions_beyond_a_table_are_not_bounded() -> None:
    described = document("float64", [layer()], embedding={"places": [place("table")], "number_address": None, "numbers": 0})
    extent = tensors(described)["embedding.places.0.address.table"].shape[0]
    assert len(anywhere(model(described), range(2), extent, listed=False)) == 2
    with pytest.raises(Unproven, match=f"position {extent + 1} lies beyond the {extent} positions that are stored"):
        anywhere(model(described), range(2), extent + 1, listed=False)
