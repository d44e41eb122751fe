from __future__ import annotations

import numpy as np

from separatrix.tasks.intersects import Intersects
from tests.tasks.plain_counter import Draws


def test_examples_replay_from_the_documented_draws() -> None:
    task = Intersects(14)
    batch = task.sample(8, 60, start=5)
    for r in range(60):
        draws = Draws(task, 8, 5 + r)
        element = [draws.high(2 + i, 3) for i in range(7)]
        x, y = [int(e == 2) for e in element], [int(e == 1) for e in element]
        if draws.high(0, 2):
            x[draws.high(1, 7)] = y[draws.high(1, 7)] = 1
        assert batch.row(r) == (*x, *y)


def test_half_of_the_sets_are_disjoint_and_the_others_share_one_element() -> None:
    batch = Intersects(40).sample(0, 10_000)
    common = (batch.tokens[:, :20] & batch.tokens[:, 20:]).sum(axis=1)
    assert (common == batch.targets[:, -1]).all()
    assert abs(common.mean() - 1 / 2) < 0.02


def test_complements_leave_out_no_element() -> None:
    batch = Intersects(12).cases("complement", 0, 200)
    x, y = batch.tokens[:, :6], batch.tokens[:, 6:]
    assert (x | y).all()
    assert ((x & y).sum(axis=1) == batch.targets[:, -1]).all()
    assert 60 < batch.targets.sum() < 140


def test_fair_bits_meet_as_often_as_they_must() -> None:
    batch = Intersects(8).cases("fair-bits", 0, 10_000)
    assert abs(batch.targets.sum() / 10_000 - (1 - (3 / 4) ** 4)) < 0.02
    assert abs(np.mean(batch.tokens) - 1 / 2) < 0.01


def test_disjoint_sets_and_sets_that_meet() -> None:
    assert [Intersects(6).answer(bits) for bits in ((0, 1, 1, 1, 0, 0), (1, 1, 0, 0, 1, 0))] == [0, 1]
    assert Intersects(6).answer((0, 1, 1)) is None
    assert Intersects(6).answer((0, 2)) is None
