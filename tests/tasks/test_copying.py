from __future__ import annotations

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.copying import Copy
from tests.tasks.plain_counter import Draws


def test_the_example_of_the_documentation() -> None:
    task = Copy(3, symbols=10)
    assert task.answer(task.read("7 3 9 # 7 3")) == (7, 3, 9)
    assert task.text((7, 3, 9, 10, 7, 3)) == "7 3 9 # 7 3"
    assert Copy(1).answer((5, 64)) == 5


def test_examples_replay_from_the_documented_draws() -> None:
    task = Copy(4, symbols=7)
    batch = task.sample(3, 40, start=5)
    for r in range(40):
        draws = Draws(task, 3, 5 + r)
        word = tuple(draws.high(i, 7) for i in range(4))
        assert batch.row(r) == (*word, 7, *word[:-1])
        assert batch.answer(r) == word


def test_every_symbol_is_said_before_it_is_read() -> None:
    batch = Copy(5).sample(0, 30)
    assert batch.mask.tolist() == [[False] * 5 + [True] * 5] * 30
    assert (batch.targets[:, 5:-1] == batch.tokens[:, 6:]).all()


def test_outside_the_promise_there_is_no_answer() -> None:
    task = Copy(3, symbols=4)
    for text in ("1 2 3 # 1 1", "1 2 3 1 1 2", "1 2 # # 1 2", "1 2 3 # 1", "1 2 3 # 1 2 3"):
        assert task.answer(task.read(text)) is None, text


def test_a_lone_symbol_stands_at_each_place_in_turn() -> None:
    word = Copy(6, symbols=3).cases("lone-symbol", 1, 12).tokens[:, :6]
    for r in range(12):
        others = {*np.delete(word[r], r % 6).tolist()}
        assert len(others) == 1
        assert int(word[r, r % 6]) not in others


def test_two_symbols_are_two() -> None:
    tokens = Copy(30).cases("two-symbols", 0, 50).tokens
    assert {*tokens[:, :30].ravel().tolist()} == {0, 1}


@pytest.mark.parametrize(
    ("chosen", "message"),
    [({"length": 0}, "length N must be at least 1, found 0"), ({"symbols": 1}, r"symbols must lie in 2\.\.4096, found 1")],
)
def test_sizes_without_a_task_are_refused(chosen: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput, match=f"^copy: {message}$"):
        Copy(**{"length": 3, **chosen})
