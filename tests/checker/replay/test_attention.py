"""The weight of a place and what a head reads, bounded: beside the head itself, in every format."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.formats import Numbers, numbers
from separatrix.checker.numbers.heads import mix, own_logits, share
from separatrix.checker.numbers.small_float import SmallFloat

FORMATS = ["float64", "float32", "fixed:12,5", "fixed:9,2", "fixed:30,20", "nearest:15", "nearest:41", "float:6,9", "float:5,2"]


def stored(ops: Numbers, x: Array) -> Array:
    """Numbers of the format near x."""
    if isinstance(ops, Grid):
        return np.floor(x * ops.scale).astype(np.int64)
    return ops.rounded(x) if isinstance(ops, SmallFloat) else x.astype(np.float32).astype(np.float64)


@pytest.mark.parametrize("scores", ["softmax", "hard", "uniform"])
@pytest.mark.parametrize("arithmetic", FORMATS)
def test_weights_their_sum_and_what_is_read_lie_within_their_bounds(arithmetic: str, scores: str) -> None:
    rng, ops = np.random.default_rng(5), numbers(arithmetic)
    for _ in range(300):
        n = int(rng.integers(1, 9))
        a, v = stored(ops, rng.choice([0.1, 1.0, 3.0]) * rng.standard_normal((1, n))), stored(ops, 1.5 + rng.standard_normal((n, 2)))
        place = int(rng.integers(n))
        w, others = ops.attention(Box(a), None, scores), np.delete(np.arange(n), place)
        found = share(ops, scores, (a[:, [place]] - a)[:, others], np.ones((1, n - 1), dtype=np.int64), n)
        lower, upper = w.low, w.high
        assert found.weight.low[0, 0] <= upper[0, place]
        assert lower[0, place] <= found.weight.high[0, 0]
        assert found.total.low[0, 0] <= upper.sum()
        assert lower.sum() <= found.total.high[0, 0]
        rest = v[others] if n > 1 else v[[place]]
        box, read = mix(ops, found, Box(v[[place]], v[[place]]), Box(rest.min(axis=0), rest.max(axis=0))[None], n), ops.mix(w, Box(v))
        assert (box.low <= read.high).all()
        assert (read.low <= box.high).all()


def test_floored_weights_may_add_up_to_less_than_one_and_rounded_ones_to_more() -> None:
    """By hand: in quarters, three equal logits weigh floor(1/3) = 1/4 each, 3/4 together; six weigh 1/6, nearest to 1/4, 6/4 together."""
    fixed, near = numbers("fixed:9,2"), numbers("nearest:5")
    gaps, counts = np.zeros((1, 2), dtype=np.int64), np.ones((1, 2), dtype=np.int64)
    found = share(fixed, "softmax", gaps, counts, 3)
    assert (found.weight.low[0, 0], found.total.low[0, 0], found.total.high[0, 0]) == (1, 1, 4)  # in quarters
    assert share(near, "softmax", np.zeros((1, 5), dtype=np.int64), np.ones((1, 5), dtype=np.int64), 6).total.high[0, 0] >= 6  # 6 times 1/4
    value, rivals = Box(np.array([[8]]), np.array([[8]])), Box(np.array([[8]]), np.array([[8]]))
    box = mix(fixed, found, value, rivals, 3)
    assert (box.low[0, 0], box.high[0, 0]) == (2, 8)  # the head itself reads 3/4 of 2, which is 6 quarters


@pytest.mark.parametrize("arithmetic", FORMATS)
def test_logits_of_numbers_inside_boxes_lie_inside_theirs(arithmetic: str) -> None:
    rng, ops = np.random.default_rng(6), numbers(arithmetic)
    for _ in range(60):
        ends = [np.sort(stored(ops, rng.standard_normal((2, rows, 4))), axis=0) for rows in (3, 5)]
        boxes = [Box(*pair) for pair in ends]
        every, own = ops.logits(*boxes), own_logits(ops, boxes[0], boxes[1][:3])
        for _ in range(20):
            q, k = (np.where(rng.random(pair[0].shape) < 0.5, pair[0], pair[1]) for pair in ends)
            found = ops.logits(Box(q), Box(k))
            assert (every.low <= found.high).all()
            assert (found.low <= every.high).all()
            diagonal = np.arange(3), np.arange(3)
            assert (own.low[:, 0] <= found.high[diagonal]).all()
            assert (found.low[diagonal] <= own.high[:, 0]).all()
