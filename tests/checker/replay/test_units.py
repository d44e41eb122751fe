"""Hidden units that share a direction are bounded as one function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.checker.models.description import FeedForward
from separatrix.checker.models.layer import feedforward
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.replay.proof import Unproven
from separatrix.checker.replay.shapes import after_reading
from tests.checker.models.small import document, layer, model

RELU = FeedForward(2, "relu", bias=True)
STEP = {"inner": [[2.0], [2.0]], "inner_bias": [-0.5, -1.5], "outer": [[1.0, -1.0]], "outer_bias": [0.0]}


def weights(arithmetic: str, tensors: dict[str, Any] = STEP) -> dict[str, Any]:
    ops = numbers(arithmetic)
    return {name: ops.parameter(np.array(tensor), name) for name, tensor in tensors.items()}


def units(arithmetic: str, *values: float) -> Any:
    ops = numbers(arithmetic)
    return np.array([values]).T if ops.scale is None else (np.array([values]).T * ops.scale).astype(np.int64)


@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:12,5", "nearest:21", "float:6,9"])
def test_a_step_is_one_on_everything_above_three_quarters_and_zero_below_a_quarter(arithmetic: str) -> None:
    """Plain intervals have [1/2, 3/2] for 3/4 .. 5/4: relu(2z - 1/2) - relu(2z - 3/2) with each unit alone."""
    ops = numbers(arithmetic)
    box = Box(units(arithmetic, 0.75, -1.0), units(arithmetic, 1.25, 0.25))
    found = feedforward(RELU, weights(arithmetic), ops, box, together=True)
    slack = 0 if ops.scale is not None else 2.0**-7 if arithmetic == "float:6,9" else 2.0**-18
    scale = ops.scale or 1
    assert np.abs(found.low[:, 0] / scale - [1.0, 0.0]).max() <= slack
    assert np.abs(found.high[:, 0] / scale - [1.0, 0.0]).max() <= slack


@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:14,5", "nearest:21", "float:6,9"])
@pytest.mark.parametrize("activation", ["relu", "reglu"])
def test_what_a_part_gives_on_any_point_lies_in_its_box(arithmetic: str, activation: str) -> None:
    rng, ops = np.random.default_rng(7), numbers(arithmetic)
    shape = {"inner": (6, 3), "inner_bias": (6,), "outer": (3, 6), "outer_bias": (3,), "gate": (6, 3), "gate_bias": (6,)}
    tight = 0
    for _ in range(60):
        drawn = {name: rng.integers(-8, 9, size) / 4 for name, size in shape.items() if activation == "reglu" or "gate" not in name}
        drawn["inner"][3:] = drawn["inner"][:3] * rng.choice([1.0, -1.0, 0.5, 2.0], (3, 1))  # directions that several units share
        w, part = weights(arithmetic, drawn), FeedForward(6, activation, bias=True)
        ends = np.sort(rng.integers(-16, 17, (2, 1, 3)) / 8, axis=0)
        low, high = ((end * ops.scale).astype(np.int64) if isinstance(ops, Grid) else end for end in ends)
        box = feedforward(part, w, ops, Box(low, high), together=True)
        if isinstance(ops, Grid):
            points = rng.integers(low, high + 1, (400, 3))
        else:
            points = low + (high - low) * rng.integers(0, 9, (400, 3)) / 8
            points = points.astype(np.float32).astype(np.float64) if arithmetic != "float:6,9" else ops.rounded(points)  # type: ignore[attr-defined]
        y = feedforward(part, w, ops, Box(points)).middle
        assert (box.low <= y).all()
        assert (y <= box.high).all()
        tight += int((box.high - box.low <= 2 * (y.max(axis=0) - y.min(axis=0)) + 2).all())
    assert tight > (20 if activation == "relu" else 0)  # not everything is allowed


def test_other_activations_are_not_bounded() -> None:
    described = document("float64", [layer(feedforward={"hidden": 2, "activation": "gelu", "bias": True})])
    stream, read = (Box(np.zeros((1, width)), np.ones((1, width))) for width in (described["width"], 2 * described["width"]))
    ready = model(described)
    read = read[:, : ready.weights["layers.0.mixer.out"].shape[1]]
    with pytest.raises(Unproven, match="layer 1: the feed-forward part has gelu units, expected relu or reglu"):
        after_reading(ready, 0, stream, read)
