"""Nearest neighbour holds associative recall: the prompts of the reduction are the task's own, and every key can be asked for."""

from __future__ import annotations

import itertools

import pytest

from separatrix.architectures import Quantity
from separatrix.bounds.families.nearest_neighbor import keys_apart, recall_keys
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.states.profile import state_profile
from separatrix.tasks.nearest_neighbor import NearestNeighbor


@pytest.mark.parametrize("task", [NearestNeighbor(5, 5, 0.3), NearestNeighbor(9, 4, 0.5), NearestNeighbor(40, 6, 0.2)], ids=str)
def test_every_key_can_be_asked_for_behind_the_repeated_one(task: NearestNeighbor) -> None:
    n = recall_keys(task)
    *keys, rest = keys_apart(task.weights, task.steps, n + 1)
    keys = [*keys, rest][:n]
    assert len(keys) == n
    front = [rest] * (task.length - 1 - n)
    for asked, labels in itertools.product(keys, itertools.islice(itertools.product((0, 1), repeat=n), 8)):
        prompt = [token for key in front for token in (key, task.keys)]
        prompt += [token for key, label in zip(keys, labels, strict=True) for token in (key, task.keys + label)]
        assert task.answer([*prompt, asked]) == labels[keys.index(asked)]


def test_a_vector_that_has_a_neighbour_within_gamma_cannot_be_asked_for() -> None:
    task = NearestNeighbor(3, 3, 1.0)
    near = [key for key in range(1, task.keys) if 0 < task._product(0, 0) - task._product(0, key) < 2 * task.steps]
    assert near
    for key in near:
        assert all(task.answer([0, task.keys, key, task.keys + 1, query]) is None for query in range(task.keys))


@pytest.mark.parametrize("task", [NearestNeighbor(3, 2, 1.0), NearestNeighbor(4, 2, 1.0), NearestNeighbor(5, 2, 1.0)], ids=str)
def test_the_bound_is_at_most_the_count(task: NearestNeighbor) -> None:
    (bits,) = [row.value for row in bounds_for(task, 8) if row.quantity is Quantity.STATE_BITS]
    alphabets = [tuple(alphabet) for alphabet in task.alphabets()]
    assert 1 <= bits <= state_profile(task.answer, alphabets, len(alphabets)).bits


def test_it_is_at_least_recall_where_the_grid_has_room_and_no_more_where_it_has_not() -> None:
    def rows(task: NearestNeighbor) -> dict[Quantity, list[int]]:
        found: dict[Quantity, list[int]] = {}
        for row in bounds_for(task, 8):
            found.setdefault(row.quantity, []).append(row.value)
        return found

    roomy, crowded = rows(NearestNeighbor(20)), rows(NearestNeighbor(1000))
    assert roomy[Quantity.STATE_BITS] == [23]  # ceil(log2(19 * 2^18))
    assert len(roomy[Quantity.WIDTH]) == 2  # and the theorem's own
    assert crowded[Quantity.STATE_BITS][0] < 40  # 12 dimensions hold a few dozen vectors a tenth apart, not 500
    assert len(crowded[Quantity.WIDTH]) == 1
