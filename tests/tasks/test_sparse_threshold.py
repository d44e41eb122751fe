from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.sparse_threshold import Feature, SparseThreshold

WRITTEN = "1,3:0110; 2,4:0001; 4:01"


def test_the_example_of_the_documentation() -> None:
    task = SparseThreshold(4, features=WRITTEN, threshold=0)
    assert task.sparse_features == (Feature((1, 3), (0, 1, 1, 0)), Feature((2, 4), (0, 0, 0, 1)), Feature((4,), (0, 1)))
    assert [task.answer(task.read(text)) for text in ("^ 1 0 1 1", "^ 1 0 1 0", "^ 1 1 1 0", "^ 0 0 1 0")] == [1, 0, 0, 1]


@pytest.mark.parametrize("settings", [SparseThreshold.enumerated_at, *SparseThreshold.sampled_at])
def test_an_entry_of_a_written_table_is_a_pattern_of_bits(settings: dict[str, Any]) -> None:
    task = SparseThreshold(**settings)
    for _, *bits in task.inputs():
        hold = 0
        for feature in task.features.split(";"):
            places, table = feature.split(":")
            pattern = "".join(str(bits[int(place) - 1]) for place in places.split(","))
            hold += pattern in {format(v, f"0{len(pattern)}b") for v, value in enumerate(table.strip()) if value == "1"}
        assert task.answer((2, *bits)) == int(hold > task.bound)


def test_the_first_place_is_the_leftmost_bit_of_the_table() -> None:
    implies = Feature((5, 2), (1, 1, 0, 1))  # x5 -> x2
    assert [implies.value([0, x2, 0, 0, x5]) for x5, x2 in itertools.product((0, 1), repeat=2)] == [1, 1, 0, 1]


def test_more_than_b_features_must_hold() -> None:
    for threshold in (-1, 0, 1, 2, 3):
        task = SparseThreshold(3, features="1:01; 2:01; 3:01", threshold=threshold)
        assert [task.answer((2, *bits)) for bits in itertools.product((0, 1), repeat=3)] == [
            int(sum(bits) > threshold) for bits in itertools.product((0, 1), repeat=3)
        ]


def test_intersection_is_a_threshold_of_two_sparse_features() -> None:
    task = SparseThreshold(6, features="1,4:0001; 2,5:0001; 3,6:0001", threshold=0)
    other = make_task("intersects", length=6)
    assert all(task.answer((2, *bits)) == other.answer(bits) for bits in other.inputs())


def test_equality_is_a_threshold_of_two_sparse_features() -> None:
    task = SparseThreshold(6, features="1,4:1001; 2,5:1001; 3,6:1001", threshold=2)
    other = make_task("equality", length=6)
    assert all(task.answer((2, *bits)) == other.answer(bits) for bits in other.inputs())


def test_features_that_are_drawn_look_at_k_different_bits_and_are_as_many_as_bits() -> None:
    task = SparseThreshold(30, k=4)
    assert len(task.sparse_features) == 30
    assert all(sorted({*feature.places}) == [*feature.places] and len(feature.places) == 4 for feature in task.sparse_features)
    values = np.array([feature.table for feature in task.sparse_features])
    assert values.shape == (30, 16)
    assert 0.4 < values.mean() < 0.6
    assert task.bound == 15


def test_every_place_is_drawn_alike() -> None:
    drawn = [feature.places for instance in range(100) for feature in SparseThreshold(10, instance=instance).sparse_features]
    counts = np.bincount(np.ravel(drawn), minlength=11)[1:]
    assert abs(counts - 300).max() < 5 * np.sqrt(300)


def test_an_instance_is_drawn_by_its_own_seed() -> None:
    one, other = SparseThreshold(20), SparseThreshold(20, instance=1)
    assert one.sparse_features == SparseThreshold(20).sparse_features != other.sparse_features


def test_the_oracle_and_the_vectorised_count_agree_on_drawn_features() -> None:
    for task in (SparseThreshold(9, k=3), SparseThreshold(2, k=4), SparseThreshold(9, k=1, threshold=3)):
        batch = task.sample(0, 300)
        assert [batch.answer(r) for r in range(300)] == [task.answer(batch.row(r)) for r in range(300)]


def test_cases_at_the_edge_have_exactly_b_or_one_more_feature_that_holds() -> None:
    task = SparseThreshold(60)
    batch = task.cases("edge", 0, 200)
    assert (task.count(batch.tokens[:, 1:]) == task.bound + np.arange(200) % 2).all()


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"features": "1,2"}, "expected features such as 1,3:0110 separated by ;, found '1,2'"),
        ({"features": "1:01;"}, "expected features such as 1,3:0110 separated by ;, found ''"),
        ({"features": "1,1:0110"}, r"expected 2 different places and 2\^2 values, found '1,1:0110'"),
        ({"features": "1,2:011"}, r"expected 2 different places and 2\^2 values, found '1,2:011'"),
        ({"features": "1,5:0110"}, r"places must lie in 1..N with N = 4, found \[1, 5\]"),
        ({"features": "0:01"}, r"places must lie in 1..N with N = 4, found \[0\]"),
        ({"features": "1,2,3:01101001", "k": 2}, "a feature may read at most k = 2 bits, found one that reads 3"),
        ({"features": "1:01;" * 4 + "1:01"}, "there may be at most N = 4 features, found 5"),
        ({"k": 13}, "k must lie in 1..12, found 13"),
        ({"instance": -1}, "instance is a seed and must not be negative, found -1"),
        ({"length": 0}, "length N must be at least 1, found 0"),
    ],
)
def test_what_is_no_threshold_of_sparse_features_is_refused(chosen: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=f"^sparse-threshold: {message}$"):
        make_task("sparse-threshold", **{"length": 4, **chosen})
