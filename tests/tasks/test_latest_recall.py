"""The latest label of a key, by hand and as drawn."""

from __future__ import annotations

import numpy as np

from separatrix.tasks.latest_recall import LatestRecall
from tests.tasks.plain_counter import Draws


def ids(task: LatestRecall, text: str) -> list[int]:
    return [int(word[1:]) + (task.keys if word[0] == "y" else 0) for word in text.split()]


def test_the_latest_label_counts_and_a_key_that_never_came_has_none() -> None:
    task = LatestRecall(3, symbols=3)
    assert [task.answer(ids(task, text)) for text in ("x1 y0 x0 y1 x1 y1 x1", "x1 y1 x0 y1 x1 y0 x1", "x1 y1 x0 y1 x1 y0 x0")] == [1, 0, 1]
    assert task.answer(ids(task, "x1 y1 x0 y1 x1 y0 x2")) is None


def test_examples_replay_from_the_documented_draws() -> None:
    task = LatestRecall(7, symbols=3, labels=4)
    batch = task.sample(5, 40, start=9)
    for r in range(40):
        draws = Draws(task, 5, 9 + r)
        pairs = [(draws.high(i, 3), draws.low(i, 4)) for i in range(7)]
        key = pairs[draws.high(7, 7)][0]
        assert batch.row(r) == (*(token for s, y in pairs for token in (s, 3 + y)), key)
        assert batch.answer(r) == [y for s, y in pairs if s == key][-1]


def test_keys_come_again_unless_there_is_one_for_each_pair() -> None:
    batch = LatestRecall(10).sample(0, 200)
    assert all(len({*row}) < 10 for row in batch.tokens[:, :-1:2].tolist())
    first = [row[1::2][row[::2].index(row[-1])] - 5 for row in batch.tokens.tolist()]
    wrong = np.mean([a != batch.answer(r) for r, a in enumerate(first)])
    assert 0.15 < wrong < 0.5  # the first label of a key is often not its latest


def test_a_stale_label_is_met_at_every_place() -> None:
    task = LatestRecall(6, labels=3)
    batch = task.adversarial("stale-label", 2, 6)
    for place in range(6):
        keys, labels = batch.tokens[place, :-1:2].tolist(), batch.tokens[place, 1::2].tolist()
        assert keys[: place + 1] == [batch.tokens[place, -1]] * (place + 1)
        assert task.answer(batch.row(place)) == batch.answer(place) == labels[place] - 3
        assert labels[place] not in labels[:place]
