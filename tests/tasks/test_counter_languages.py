from __future__ import annotations

import collections

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.counter_languages import AnBn, Ones


def test_each_length_has_one_word_of_ones_and_each_even_length_one_of_a_and_b() -> None:
    for N in range(1, 9):
        ones, balanced = ([t.text(x) for x in t.inputs() if t.answer(x)] for t in (Ones(N), AnBn(N)))
        assert ones == ["1 " * N + "<eos>"]
        assert balanced == (["a " * (N // 2) + "b " * (N // 2) + "<eos>"] if N % 2 == 0 else [])


def test_the_printed_rule_for_a_n_b_n_errs_exactly_on_one_b_too_many() -> None:
    """[hahn2020 Construction 2], erratum: without a test of the length the rule accepts a^k b^(k+1), k = 0..6, of up to 14 letters."""
    wrong = []
    for N in range(1, 15):
        task, n = AnBn(N), N + 1  # the end symbol stands at position n
        for tokens in task.inputs():
            word = tokens[:-1]
            misplaced = any(symbol != (2 * j >= n) for j, symbol in enumerate(word, start=1))
            if (not misplaced) != bool(task.answer(tokens)):
                wrong.append("".join("ab"[symbol] for symbol in word))
    assert wrong == ["a" * k + "b" * (k + 1) for k in range(7)]


def test_zeros_are_one_to_a_tenth_of_the_word_and_lie_anywhere() -> None:
    batch = Ones(40).sample(2, 8000)
    zeros = (batch.tokens[:, :-1] == 0).sum(axis=1)
    inside = batch.targets[:, -1] == 1
    assert not zeros[inside].any()
    assert sorted(collections.Counter(zeros[~inside].tolist())) == [1, 2, 3, 4]
    single = batch.tokens[zeros == 1, :-1].argmin(axis=1)
    assert len({*single.tolist()}) == 40


@pytest.mark.parametrize("N", [2, 7, 10])
def test_words_outside_a_n_b_n_have_another_border_or_an_exchange(N: int) -> None:
    batch = AnBn(N).sample(2, 6000)
    outside = batch.tokens[batch.targets[:, -1] == 0, :-1]
    sorted_ones = (np.diff(outside, axis=1) >= 0).all(axis=1)
    borders = {int((word == 0).sum()) for word in outside[sorted_ones]}
    assert borders == set(range(N + 1)) - ({N // 2} if N % 2 == 0 else set())
    assert {int((word == 0).sum()) for word in outside[~sorted_ones]} == {N // 2}
    assert abs(sorted_ones.mean() - 0.5) < 0.05
    assert batch.targets[:, -1].any() == (N % 2 == 0)


def test_empty_words_are_refused() -> None:
    for kind in (Ones, AnBn):
        with pytest.raises(BadInput, match=f"{kind.name}: length N must be at least 1, found 0"):
            kind(0)
