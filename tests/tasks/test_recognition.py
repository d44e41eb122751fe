from __future__ import annotations

import itertools

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.counter_languages import AnBn, Ones
from separatrix.tasks.drawing.counter import words
from separatrix.tasks.dyck_languages import Dyck1, Dyck2
from separatrix.tasks.parity import Parity
from separatrix.tasks.recognition import Recognition, pick
from separatrix.tasks.regular import Regular


@pytest.mark.parametrize("task", [Parity(9), Dyck1(10), Dyck2(10), Ones(9), AnBn(10), Regular(9, "(a|bab)*")])
def test_cases_one_symbol_apart_are_a_member_and_a_non_member(task: Recognition) -> None:
    batch = task.cases("one-symbol", 3, 41)
    assert batch.targets[:, -1].tolist() == [1 - r % 2 for r in range(41)]
    assert all(task.answer(batch.row(r)) == batch.targets[r, -1] for r in range(41))
    apart = (batch.tokens[0:40:2] != batch.tokens[1:40:2]).sum(axis=1)
    assert apart.tolist() == [1] * 20


@pytest.mark.parametrize("task", [Parity(5), Dyck2(4), AnBn(5), Regular(3, "(a|bab|c)*")])
def test_inputs_are_the_words_over_the_alphabet_and_their_number_is_known(task: Recognition) -> None:
    assert [*task.inputs()] == [*itertools.product(*task.alphabets())]
    assert len([*task.inputs()]) == task.input_count


def test_a_word_needs_its_end_and_may_have_any_length() -> None:
    task = Parity(4)
    assert task.answer((1, 1, 2)) == 1
    assert task.answer((2,)) == 1
    assert [task.answer(tokens) for tokens in ((), (1, 1), (1, 2, 1, 2), (0, 3, 2))] == [None] * 4


def test_symbols_read_as_text_and_others_are_refused() -> None:
    task = Dyck2(4)
    assert task.text((0, 1, 3, 2, 4)) == "( [ ] ) <eos>"
    with pytest.raises(BadInput, match=r"dyck-2: expected one of \( \[ \) \] <eos>, found '<'"):
        task.read("( <")


def test_one_of_the_allowed_columns_is_picked_and_all_are_equally_likely() -> None:
    allowed = np.tile([False, True, False, True, True, False], (6000, 1))
    picked = pick(allowed, words(1, np.arange(6000), [0])[:, 0])
    counts = np.bincount(picked, minlength=6)
    assert counts[[0, 2, 5]].tolist() == [0, 0, 0]
    assert abs(counts[[1, 3, 4]] - 2000).max() < 150  # 4 standard deviations of a share of 1/3
