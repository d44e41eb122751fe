"""Attention weights and weighted sums over boxes: whatever lies in the boxes, what comes of it lies between the ends."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.heads import alike, products, sums
from separatrix.checker.replay.proof import Unproven

FLOATS = ("float64", "float32", "float:6,8")


def inside(rng: np.random.Generator, box: Box) -> Array:
    """A point of the box, often a corner."""
    share = rng.choice([0.0, 1.0, rng.random()], size=box.shape)
    return np.clip(box.low + share * (box.high - box.low), box.low, box.high)


def logits(rng: np.random.Generator, rows: int, keys: int) -> Box:
    low = rng.integers(-16, 17, size=(rows, keys)) / 4
    return Box(low, low + rng.integers(0, 3, size=(rows, keys)) / 4 * rng.integers(0, 2))


def seen_by(rng: np.random.Generator, rows: int, keys: int) -> Array:
    seen = rng.random((rows, keys)) < 0.7
    seen[:, 0] = True
    return seen


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("scores", ["softmax", "hard", "uniform"])
def test_weights_of_all_logits_in_a_box_lie_between_the_ends(name: str, scores: str) -> None:
    rng, ops = np.random.default_rng(0), numbers(name)
    open_ = 0
    for _ in range(300):
        a, seen = logits(rng, 2, 4), seen_by(rng, 2, 4)
        found = ops.attention(a, seen, scores)
        open_ += bool((found.high - found.low > 0.01).any())
        for _ in range(8):
            real = ops.attention(Box(inside(rng, a)), seen, scores)
            assert (real.low <= found.high).all()
            assert (real.high >= found.low).all()
            assert (found.high[~seen] == 0).all()
    assert open_ == 0 if scores == "uniform" else open_ > 30


@pytest.mark.parametrize("name", FLOATS)
def test_softmax_weights_are_reached_at_the_corners(name: str) -> None:
    """One logit between 0 and 1 beside one that is 0: the weight lies between 1/2 and e / (1 + e), and both are taken on."""
    a = Box(np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]]))
    found = numbers(name).attention(a, np.ones((1, 2), dtype=bool), "softmax")
    most = np.e / (1 + np.e)
    assert found.low[0] == pytest.approx([0.5, 1 - most], abs=2**-8)
    assert found.high[0] == pytest.approx([most, 0.5], abs=2**-8)


@pytest.mark.parametrize("name", ["fixed:16,6", "nearest:21"])
def test_exact_formats_have_exact_weights_and_are_not_covered_where_a_logit_is_open(name: str) -> None:
    ops, seen = numbers(name), np.ones((1, 2), dtype=bool)
    low = np.array([[0, 64]])
    found = ops.attention(Box(low, low), seen, "softmax")
    assert found.point
    assert np.array_equal(found.low, ops.attention(Box(low), seen, "softmax").low)
    with pytest.raises(Unproven, match="attention: a query or a key depends on the input"):
        ops.attention(Box(low, low + 1), seen, "softmax")


def test_a_logit_that_is_open_where_nobody_looks_does_not_matter() -> None:
    low = np.array([[0, 64]])
    found = numbers("fixed:16,6").attention(Box(low, low + np.array([[0, 5]])), np.array([[True, False]]), "softmax")
    assert found.low.tolist() == [[64, 0]]


@pytest.mark.parametrize("name", [*FLOATS, "fixed:16,6", "nearest:21"])
def test_weighted_sums_of_all_that_lies_in_boxes_lie_between_the_ends(name: str) -> None:
    rng, ops = np.random.default_rng(1), numbers(name)
    for _ in range(200):
        v = rng.integers(-64, 65, size=(4, 2))
        if ops.scale:
            w, values = rng.integers(0, 65, size=(2, 4)), Box(v, v + rng.integers(0, 20, size=(4, 2)))
            shares = Box(w, w)
        else:
            low = rng.integers(0, 65, size=(2, 4)) / 128
            shares = Box(low, low + rng.integers(0, 16, size=(2, 4)) / 128)
            values = Box(v / 16, (v + rng.integers(0, 20, size=(4, 2))) / 16)
        box = ops.enclosing(*sums(shares, values), partial(np.matmul, shares.high, values.reach), 5)
        each = products(shares[0, :, None], values)
        for _ in range(6):
            some = inside(rng, values)
            weight = inside(rng, shares)
            if ops.scale:
                some, weight = np.rint(some).astype(np.int64), np.rint(weight).astype(np.int64)
            real = ops.mix(Box(weight), Box(some))
            assert (real.low <= box.high).all()
            assert (real.high >= box.low).all()
            if ops.scale:
                assert (each[0] <= shares.low[0][:, None] * some).all()
            else:
                assert (each[0] <= weight[0][:, None] * some + 1e-12).all()
                assert (each[1] >= weight[0][:, None] * some - 1e-12).all()


@pytest.mark.parametrize("name", [*FLOATS, "fixed:16,6", "nearest:21"])
@pytest.mark.parametrize("count", [1, 3, 8, 11])
def test_the_weight_of_one_of_many_is_that_of_the_format(name: str, count: int) -> None:
    ops, found = numbers(name), alike(numbers(name), count)
    assert found.shape == (1, 1)
    if name == "fixed:16,6":
        assert found.low[0, 0] == found.high[0, 0] == 64 // count  # floor
    elif name == "nearest:21":
        assert found.low[0, 0] == found.high[0, 0] == round(1024 / count)
    else:
        assert found.low[0, 0] <= 1 / count <= found.high[0, 0] or name == "float:6,8"
        assert found.high[0, 0] - found.low[0, 0] < 2.0**-20
    assert ops.name == name
