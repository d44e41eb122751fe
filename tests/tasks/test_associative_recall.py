from __future__ import annotations

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.associative_recall import AssociativeRecall
from tests.tasks.plain_counter import Draws


def test_examples_replay_from_the_documented_draws() -> None:
    task = AssociativeRecall(9, symbols=11, labels=3)
    batch = task.sample(6, 60, start=20)
    for r in range(60):
        draws, deck, pairs = Draws(task, 6, 20 + r), [*range(11)], []
        for i in range(9):
            choice = i + draws.high(i, 11 - i)
            deck[i], deck[choice] = deck[choice], deck[i]
            pairs.append((deck[i], draws.low(i, 3)))
        key, label = pairs[draws.high(9, 9)]
        assert batch.row(r) == (*(token for s, y in pairs for token in (s, 11 + y)), key)
        assert batch.answer(r) == label


def test_keys_are_distinct_and_every_order_is_alike() -> None:
    tokens = AssociativeRecall(3, symbols=3).sample(0, 12_000).tokens
    orders, counts = np.unique(tokens[:, :6:2], axis=0, return_counts=True)
    assert sorted(map(tuple, orders.tolist())) == [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    assert abs(counts - 2000).max() < 5 * np.sqrt(2000)


def test_keys_labels_and_queried_places_are_alike() -> None:
    batch = AssociativeRecall(4, symbols=8).sample(0, 16_000)
    keys, labels = batch.tokens[:, :8:2], batch.tokens[:, 1:8:2] - 8
    queried = (keys == batch.tokens[:, -1:]).argmax(axis=1)
    assert abs(np.bincount(keys.ravel()) / 64_000 - 1 / 8).max() < 0.01
    assert abs(labels.mean() - 1 / 2) < 0.01
    assert abs(np.bincount(queried) / 16_000 - 1 / 4).max() < 0.02


def test_there_are_twice_as_many_symbols_as_keys_unless_one_says_otherwise() -> None:
    assert [AssociativeRecall(10).vocabulary, AssociativeRecall(10).at(20).vocabulary, AssociativeRecall(10, symbols=10).vocabulary] == [
        22,
        42,
        12,
    ]


def test_the_key_with_the_lone_label_is_asked_at_each_place_in_turn() -> None:
    task = AssociativeRecall(5, labels=4)
    batch = task.cases("lone-label", 0, 5)
    for r in range(5):
        labels = batch.tokens[r, 1:-1:2] - task.keys
        assert batch.tokens[r, 2 * r] == batch.tokens[r, -1]
        assert labels[r] == batch.answer(r)
        assert {*np.delete(labels, r).tolist()} == {(batch.answer(r) + 1) % 4}
    assert task.position_kinds == ("lone-label",)  # so a verification asks about every place


def test_a_label_stands_alone_even_where_several_keys_share_another() -> None:
    batch = AssociativeRecall(4, labels=2).cases("lone-label", 3, 40)
    for r in range(40):
        labels = batch.tokens[r, 1:-1:2].tolist()
        assert labels.count(batch.answer(r) + 8) == 1


def test_outside_the_promise_there_is_no_answer() -> None:
    task = AssociativeRecall(2, symbols=4)
    assert task.answer(task.read("x3 y0 x1 y1 x3")) == 0
    for text in ("x3 y0 x3 y1 x3", "x3 y0 x1 y1 x0", "x3 y0 x1 y1", "x3 x1 x3", "x3"):
        assert task.answer(task.read(text)) is None


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"length": 9, "symbols": 8}, "associative-recall: 9 distinct keys need as many symbols, found symbols = 8"),
        ({"length": 0}, "associative-recall: length N must be at least 1, found 0"),
        ({"length": 3, "labels": 1}, "associative-recall: labels must lie in 2..2.24, found 1"),
        ({"length": 3, "symbols": 2**25}, "associative-recall: symbols must be at most 2.24, found 33554432"),
    ],
)
def test_sizes_without_a_task_are_refused(chosen: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        AssociativeRecall(**chosen)


@pytest.mark.parametrize(("n", "K", "filler", "absent"), [(4, 6, 5, False), (4, 6, 0, True), (3, 5, 4, True)])
def test_filler_and_absent_keys_replay_from_the_documented_draws(n: int, K: int, filler: int, absent: bool) -> None:
    task = AssociativeRecall(n, symbols=K, filler=filler, absent=absent)
    batch, plain = task.sample(6, 80, start=20), 2 * n
    none = 0
    for r in range(80):
        draws, deck, pairs = Draws(task, 6, 20 + r), [*range(K)], []
        for i in range(n):
            choice = i + draws.high(i, K - i)
            deck[i], deck[choice] = deck[choice], deck[i]
            pairs.append((deck[i], K + draws.low(i, 2)))
        key, label = pairs[draws.high(n, n)]
        used = n + 1
        if absent:
            if draws.high(used, 2):
                others = sorted({*range(K)} - {key for key, _ in pairs})
                key, label = others[min(range(K - n), key=lambda i: draws.word(used + 1 + i))], K + 2
                none += 1
            used += 1 + K - n
        places = sorted(sorted(range(n + filler), key=lambda i: draws.word(used + i))[:n])
        at = dict(zip(places, pairs, strict=True))
        context = [token for i in range(n + filler) for token in at.get(i, (task.vocabulary - 1,))]
        assert batch.row(r) == (*context, key)
        assert batch.answer(r) == task.answer(batch.row(r)) == label - K
    assert plain + filler + 1 == task.token_count
    assert (20 < none < 60) == absent


def test_filler_inside_a_pair_or_a_pair_that_is_called_absent_has_no_answer() -> None:
    task = AssociativeRecall(2, symbols=4, filler=1, absent=True)
    assert task.text((7, 0, 4, 3, 5, 2)) == "- x0 y0 x3 y1 x2"
    assert task.read("- x0 y0 x3 y1 x2") == (7, 0, 4, 3, 5, 2)
    assert task.answer(task.read("- x0 y0 x3 y1 x2")) == task.second(task.read("- x0 y0 x3 y1 x2")) == 2
    assert task.target_text(2) == "none"
    assert task.answer(task.read("x0 y0 - x3 y1 x3")) == 1
    for wrong in ("x0 - y0 x3 y1 x3", "x0 none - x3 y1 x3", "x0 y0 - x0 y1 x0", "x0 y0 x3 y1 x2", "x0 y0 - - x3 y1 x3", "x0 y0 - x3 y1 -"):
        assert task.answer(task.read(wrong)) is None, wrong


def test_what_is_not_chosen_is_not_written_so_that_older_keys_and_claims_stay() -> None:
    assert AssociativeRecall(4).parameters == {"length": 4, "symbols": None, "labels": 2}
    assert AssociativeRecall(4, filler=3).parameters == {"length": 4, "symbols": None, "labels": 2, "filler": 3}
    assert AssociativeRecall(4).key(0) != AssociativeRecall(4, filler=3).key(0)
