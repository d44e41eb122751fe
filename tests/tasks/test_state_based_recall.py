"""State-based recall by hand, as drawn, and what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.state_based_recall import StateBasedRecall
from tests.tasks.plain_counter import Draws


def test_register_one_says_where_in_the_block_to_look() -> None:
    task = StateBasedRecall(2, registers=3, symbols=6, swaps=2)
    table = "s0 s1 s2 s3 s4 s5"
    said = {
        "2x3 2x3 @1": 0,  # nothing has changed
        "2x3 2x3 @2": 3,
        "1x2 2x3 @1": 1,  # 2 1 3, then 2 3 1
        "2x3 1x2 @2": 5,  # 1 3 2, then 3 1 2
        "1x2 1x2 @2": 3,
    }
    assert {asked: task.answer(task.read(f"{table} {asked}")) for asked in said} == said


def test_all_swaps_of_five_registers_bring_every_offset_to_the_front() -> None:
    task = StateBasedRecall(1, symbols=5, swaps=4)
    table = (0, 1, 2, 3, 4)
    said = {task.answer((*table, *swaps, task.first_block)) for swaps in itertools.product(range(5, 9), repeat=4)}
    assert said == {0, 1, 2, 3, 4}
    short = StateBasedRecall(1, symbols=5, swaps=2)
    assert {short.answer((*table, *swaps, short.first_block)) for swaps in itertools.product(range(5, 9), repeat=2)} == {0, 1, 2}


def test_examples_replay_from_the_documented_draws() -> None:
    task = StateBasedRecall(4, registers=4, symbols=7, swaps=9)
    batch = task.sample(5, 30, start=3)
    for r in range(30):
        draws = Draws(task, 5, 3 + r)
        table, swaps = [draws.high(i, 7) for i in range(16)], [draws.high(16 + i, 3) for i in range(9)]
        block = draws.high(25, 4)
        assert batch.row(r) == (*table, *(7 + i for i in swaps), 10 + block)
        row = [0, 1, 2, 3]
        for i in swaps:
            row[i : i + 2] = row[i : i + 2][::-1]
        assert batch.answer(r) == table[4 * block + row[0]]


def test_the_lone_symbol_is_asked_for_in_every_block() -> None:
    task = StateBasedRecall(6, symbols=3)
    batch = task.adversarial("lone-symbol", 2, 6)
    assert batch.tokens[:, -1].tolist() == [*range(task.first_block, task.vocabulary)]
    for r in range(6):
        table = batch.row(r)[: task.places]
        assert table.count(batch.answer(r)) == 1
        assert len({*table}) == 2
        assert table[int(task.asked(batch)[r]) - 1] == batch.answer(r) == task.answer(batch.row(r))


def test_the_answer_is_seldom_where_the_registers_began() -> None:
    task = StateBasedRecall(8, symbols=64)
    batch = task.sample(0, 400)
    home = (batch.tokens[:, -1] - task.first_block) * 5
    assert float((task.asked(batch) - 1 == home).mean()) < 0.4
    assert np.unique((task.asked(batch) - 1) % 5).size == 5


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"registers": 2}, r"registers must lie in 3\.\.64, found 2"),
        ({"symbols": 1}, r"symbols must lie in 2\.\.2\^24, found 1"),
        ({"swaps": 0}, r"swaps must lie in 1\.\.2\^40, found 0"),
    ],
)
def test_what_it_cannot_be_is_refused(chosen: dict[str, int], why: str) -> None:
    with pytest.raises(BadInput, match=f"^state-based-recall: {why}$"):
        StateBasedRecall(4, **chosen)


@pytest.mark.parametrize("word", ["s2", "@5", "@0", "1x3", "5x6", "0x1", "x", "2x"])
def test_a_word_that_is_none_of_its_tokens_is_refused(word: str) -> None:
    with pytest.raises(BadInput, match=r"^state-based-recall: expected a symbol s0 \.\. s1, a swap 1x2 \.\. 4x5 or a block @1 \.\. @4"):
        StateBasedRecall(4).read(word)
