from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.nearest_neighbor import NearestNeighbor, costs, grid_weights
from tests.tasks.plain_counter import Draws


def products(task: NearestNeighbor, tokens: tuple[int, ...]) -> list[Fraction]:
    """The inner products of the unit vectors with the query."""
    points = task.vectors[list(tokens[::2])]
    return [Fraction(int(product), task.norm) for product in points[:-1] @ points[-1]]


def test_weights_grow_as_fast_as_their_squares_leave_no_gap() -> None:
    # By hand: each w is the floor of the square root of 1 + the squares before it.
    assert grid_weights(10) == (1, 1, 1, 2, 2, 3, 4, 6, 8, 11)
    assert NearestNeighbor(4, dimension=6).norm == 20


def test_all_vectors_have_the_same_norm_and_meet_every_inner_product() -> None:
    task = NearestNeighbor(4, dimension=7)
    vectors = task.vectors
    assert vectors.shape == (128, 7)
    assert len({*map(tuple, vectors.tolist())}) == 128
    assert {*(vectors**2).sum(axis=1).tolist()} == {36}
    for query in (0, 77, 127):
        assert {*(vectors @ vectors[query]).tolist()} == {36 - 2 * cost for cost in range(37)}


def test_the_margin_is_the_least_of_the_grid_that_is_at_least_gamma() -> None:
    assert NearestNeighbor(4, dimension=6, gamma=0.1).margin == Fraction(1, 10)
    assert NearestNeighbor(4, dimension=6, gamma=0.11).margin == Fraction(2, 10)
    assert NearestNeighbor(4, dimension=12, gamma=0.1).margin == Fraction(100, 997)


@pytest.mark.parametrize("task", [NearestNeighbor(9, dimension=5, gamma=0.8), NearestNeighbor(8, dimension=7, distribution="training")])
def test_examples_replay_from_the_documented_draws(task: NearestNeighbor) -> None:
    def cost(signs: int) -> int:
        return sum(w * w for i, w in enumerate(task.weights) if signs >> i & 1)

    N, order, batch = task.length, sorted(range(task.keys), key=cost), task.sample(4, 200, start=9)
    for r in range(200):
        draws = Draws(task, 4, 9 + r)
        k = N // 2 + 1 + draws.high(0, N - N // 2) if task.distribution == "training" else N
        near = [signs for signs in order if cost(signs) <= task.norm - task.steps]
        nearest, query = near[draws.high(2, len(near))], draws.high(1, task.keys)
        behind = [signs for signs in order if cost(signs) >= cost(nearest) + task.steps]
        signs = [behind[draws.high(4 + i, len(behind))] for i in range(k - 1)]
        signs[draws.high(3, k - 1)] = nearest
        pairs = [(query ^ sign, task.keys + draws.low(4 + i, 2)) for i, sign in enumerate(signs)]
        assert batch.row(r) == (*(token for pair in pairs for token in pair), query)


@pytest.mark.parametrize(("dimension", "gamma"), [(6, 0.3), (12, 0.1), (12, 0.01), (14, 0.001), (4, 1.9)])
def test_every_family_is_what_it_says(dimension: int, gamma: float) -> None:
    task = NearestNeighbor(30, dimension, gamma)
    for kind in task.case_kinds:
        batch = task.cases(kind, 3, 60)
        for r in range(60):
            nearest, *others = sorted(products(task, batch.row(r)), reverse=True)
            assert nearest - others[0] >= task.margin >= Fraction(str(gamma))
            if kind == "gamma-below":
                assert {*others} == {nearest - task.margin}
            if kind == "far":
                assert (nearest, {*others}) == (-1 + task.margin, {-1})
            if kind == "exact-match":
                assert nearest == 1


def test_in_adversarial_families_the_nearest_alone_has_its_label() -> None:
    task = NearestNeighbor(20)
    for kind in ("gamma-below", "far", "exact-match"):
        batch = task.cases(kind, 0, 100)
        same = (batch.tokens[:, 1::2] - task.keys == batch.targets[:, -1:]).sum(axis=1)
        assert (same == 1).all()
        assert 20 < batch.targets.sum() < 80


def test_the_promise_is_a_lead_of_gamma_in_squared_distances_of_unit_vectors() -> None:
    task = NearestNeighbor(**NearestNeighbor.enumerated_at)
    points, promised = task.vectors / np.sqrt(task.norm), 0
    for tokens in itertools.product(*task.alphabets()):
        squared = sorted(
            (float(((points[x] - points[tokens[-1]]) ** 2).sum()), y) for x, y in zip(tokens[:-1:2], tokens[1::2], strict=True)
        )
        leads = squared[1][0] - squared[0][0] >= 2 * task.gamma - 1e-9  # |u - v|^2 = 2 - 2 <u, v>
        assert task.answer(tokens) == (squared[0][1] - task.keys if leads else None), tokens
        promised += leads
    assert promised == task.input_count


def test_labels_and_the_place_of_the_nearest_are_alike() -> None:
    task = NearestNeighbor(6, dimension=8)
    batch = task.sample(0, 4000)
    cost = costs(8)[0][batch.tokens[:, :-1:2] ^ batch.tokens[:, -1:]]
    assert abs(np.bincount(cost.argmin(axis=1)) / 4000 - 1 / 5).max() < 0.04
    assert abs((batch.tokens[:, 1::2] - task.keys).mean() - 1 / 2) < 0.02


def test_training_draws_more_than_half_of_the_vectors() -> None:
    for N in (2, 9, 10):
        batch = NearestNeighbor(N, distribution="training").sample(0, 400)
        assert {*((batch.lengths + 1) // 2).tolist()} == {*range(N // 2 + 1, N + 1)}


def test_in_one_pass_every_late_vector_with_a_margin_is_asked() -> None:
    task = NearestNeighbor(12, dimension=10, gamma=0.05)
    batch = task.one_pass(0, 40)
    queries = 0
    for r in range(40):
        for k in range(2, 13):
            answer = task.answer(batch.row(r)[: 2 * k - 1])
            assert batch.mask[r, 2 * k - 2] == (k > 6 and answer is not None)
            if batch.mask[r, 2 * k - 2]:
                assert batch.targets[r, 2 * k - 2] == answer
                queries += 1
    assert not batch.mask[:, 1::2].any()
    assert 100 < queries < 240
    assert (task.one_pass(0, 10, start=30).tokens == batch.tokens[30:]).all()


def test_a_margin_that_is_not_kept_has_no_answer() -> None:
    task = NearestNeighbor(3, dimension=6, gamma=0.3)  # steps of 1/10, so the nearest must lead by 3 / 10
    assert task.answer(task.read("x0 y1 x7 y0 x0")) == 1  # x7 differs where w = 1, 1, 1: inner product 1 - 6/20
    assert task.answer(task.read("x0 y1 x3 y0 x0")) is None
    assert task.answer(task.read("x0 y1 x0 y1 x0")) is None
    assert task.answer(task.read("x0")) is None


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"gamma": 0}, r"the margin gamma between unit vectors must lie in \(0, 2\], found 0"),
        ({"gamma": 2.1}, r"the margin gamma between unit vectors must lie in \(0, 2\], found 2.1"),
        ({"gamma": 0.001, "dimension": 6}, "gamma = 0.001 is finer than the grid's step 0.1; dimension 14 is fine enough"),
        ({"gamma": 1e-9}, "gamma = 1e-09 is finer than the grid's step 0.002; no dimension up to 20 is fine enough"),
        ({"dimension": 21}, "dimension must lie in 1..20, found 21"),
        ({"length": 1}, "length N must be at least 2, found 1"),
    ],
)
def test_sizes_without_a_task_are_refused(chosen: dict[str, float], message: str) -> None:
    with pytest.raises(BadInput, match=f"^nearest-neighbor: {message}$"):
        NearestNeighbor(**{"length": 8, **chosen})
