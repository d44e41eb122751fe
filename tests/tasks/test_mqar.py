from __future__ import annotations

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.mqar import Mqar
from tests.tasks.plain_counter import Draws


def test_examples_replay_from_the_documented_draws() -> None:
    task = Mqar(10)
    batch = task.sample(1, 60)
    for r in range(60):
        draws, deck, order, pairs = Draws(task, 1, r), [*range(10)], [*range(5)], []
        for i in range(5):
            choice = i + draws.high(i, 10 - i)
            deck[i], deck[choice] = deck[choice], deck[i]
            pairs.append((deck[i], 10 + draws.low(i, 2)))
        for i in range(5):
            choice = i + draws.high(5 + i, 5 - i)
            order[i], order[choice] = order[choice], order[i]
        queried = [pairs[i] for i in order]
        assert batch.row(r) == tuple(token for pair in pairs + queried for token in pair)[:-1]
        assert batch.answer(r) == tuple(label - 10 for _, label in queried)


def test_the_queries_are_the_keys_in_an_order_that_is_drawn() -> None:
    batch = Mqar(6).sample(0, 12_000)
    keys, queries = batch.tokens[:, :6:2], batch.tokens[:, 6::2]
    order = (keys[:, None, :] == queries[:, :, None]).argmax(axis=2)
    orders, counts = np.unique(order, axis=0, return_counts=True)
    assert len(orders) == 6
    assert abs(counts - 2000).max() < 5 * np.sqrt(2000)


def test_every_query_is_scored_and_nothing_else() -> None:
    batch = Mqar(8).sample(0, 3)
    assert np.flatnonzero(batch.mask[0]).tolist() == [8, 10, 12, 14]
    assert batch.tokens.shape == (3, 15)


def test_one_key_has_a_label_of_its_own() -> None:
    batch = Mqar(8, labels=3).cases("lone-label", 0, 4)
    for r in range(4):
        labels = batch.tokens[r, 1:8:2]
        assert (labels == labels[r]).sum() == 1
        assert len({*labels.tolist()}) == 2


def test_outside_the_promise_there_is_no_answer() -> None:
    task = Mqar(4, symbols=3)
    assert task.answer(task.read("x2 y0 x1 y1 x1 y1 x2")) == (1, 0)
    for text in (
        "x2 y0 x1 y1 x1 y0 x2",  # the label of a query is not the label of its key
        "x2 y0 x1 y1 x1 y1 x1",  # no permutation
        "x2 y0 x1 y1 x0 y1 x2",  # a key that was never shown
        "x2 y0 x2 y1 x2 y1 x2",  # keys that are not distinct
        "x2 y0 x1 y1 x1",  # an odd number of keys
    ):
        assert task.answer(task.read(text)) is None


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"length": 7}, "mqar: length N must be even, N/2 pairs and N/2 queries, found 7"),
        ({"length": 8, "symbols": 3}, "mqar: 4 distinct keys need as many symbols, found symbols = 3"),
    ],
)
def test_sizes_without_a_task_are_refused(chosen: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        Mqar(**chosen)
