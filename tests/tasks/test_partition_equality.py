from __future__ import annotations

import pytest

from separatrix.errors import BadInput
from separatrix.tasks.partition_equality import PartitionEquality
from tests.tasks.plain_counter import Draws


def test_examples_replay_from_the_documented_draws() -> None:
    task = PartitionEquality(10, symbols=5, first=(2, 3, 7, 8, 10))
    batch = task.sample(8, 60, start=5)
    for r in range(60):
        draws = Draws(task, 8, 5 + r)
        one = [draws.high(2 + i, 5) for i in range(5)]
        other = [draws.high(7 + i, 5) for i in range(5)] if draws.high(0, 2) else one
        row = batch.row(r)
        assert [row[i - 1] for i in (2, 3, 7, 8, 10)] == one
        assert [row[i - 1] for i in (1, 4, 5, 6, 9)] == other


def test_the_drawing_of_the_module() -> None:
    task = PartitionEquality(6, first=(1, 3, 4))
    assert [task.answer((0, 1, 1, 1, 0, 0)), task.answer((0, 0, 1, 1, 1, 1))] == [0, 1]


def test_a_drawn_partition_is_balanced_and_another_instance_is_another_one() -> None:
    drawn = [PartitionEquality(40, instance=i).pairs for i in range(5)]
    for pairs in drawn:
        assert sorted(place for pair in pairs for place in pair) == [*range(1, 41)]
        assert [a for a, _ in pairs] == sorted(a for a, _ in pairs)
        assert [b for _, b in pairs] == sorted(b for _, b in pairs)
    assert len({*drawn}) == 5


def test_one_change_differs_in_one_pair_and_meets_every_pair() -> None:
    task = PartitionEquality(12, symbols=3, instance=1)
    batch = task.cases("one-change", 0, 12)
    changed = [[p for p, (a, b) in enumerate(task.pairs) if row[a - 1] != row[b - 1]] for row in batch.tokens.tolist()]
    assert changed == [[j % 6] for j in range(12)]
    assert not batch.targets.any()
    assert (task.cases("equal", 0, 12).targets[:, -1] == 1).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"length": 5}, "partition-equality: length N must be even, N/2 places for each half, found 5"),
        ({"length": 4, "symbols": 1}, r"partition-equality: symbols must lie in 2..2\^31, found 1"),
        ({"length": 4, "instance": -1}, "partition-equality: instance is a seed and must not be negative, found -1"),
        ({"length": 4, "first": (1,)}, r"partition-equality: first must name N/2 = 2 different places, found \[1\]"),
        ({"length": 4, "first": (0, 1)}, r"partition-equality: places must lie in 1..N with N = 4, found \[0, 1\]"),
    ],
)
def test_what_is_no_partition_is_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        PartitionEquality(**parameters)
