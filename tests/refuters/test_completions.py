"""Matched words under a restriction: found iff there is one, and always what was asked for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from separatrix.refuters.completions import Completions, matched_word
from separatrix.tasks import make_task


@pytest.mark.parametrize(("types", "n"), [(1, 6), (2, 4)])
def test_a_word_is_found_iff_one_of_all_completions_is_matched(types: int, n: int) -> None:
    """Every restriction to fixed tokens and free places, against all strings."""
    task = make_task(f"dyck-{types}", length=n)
    letters = range(2 * types)
    members = {word for word in itertools.product(letters, repeat=n) if task.member(word)}  # type: ignore[attr-defined]
    met = {True: 0, False: 0}
    for fixed in itertools.product((None, *letters), repeat=n):
        options = [tuple(letters) if token is None else (token,) for token in fixed]
        word = matched_word(options, types, np.random.default_rng(0))
        there = any(all(token in place for token, place in zip(member, options, strict=True)) for member in members)
        assert (word is not None) == there
        if word is not None:
            assert word in members
            assert all(token in place for token, place in zip(word, options, strict=True))
        met[there] += 1
    assert min(met.values()) > 20


def test_words_differ_from_seed_to_seed() -> None:
    options = [tuple(range(4))] * 20
    assert len({matched_word(options, 2, np.random.default_rng(seed)) for seed in range(20)}) > 15


@pytest.mark.parametrize("name", ["dyck-1", "dyck-2"])
def test_the_two_completions_need_two_answers(name: str) -> None:
    task = make_task(name, length=30)
    fixed: list[int | None] = [0] + [None] * 29 + [task.vocabulary - 1]
    for seed in range(10):
        pair = Completions(task, seed).pair(fixed)
        assert pair is not None
        assert [task.answer(x) for x in pair] == [1, 0]
        assert sum(a != b for a, b in zip(*pair, strict=True)) == 1
        assert all(x[0] == 0 for x in pair)
    closing = task.vocabulary - 2
    assert Completions(task).pair([closing, *fixed[1:]]) is None  # no matched word begins with a closing bracket
    member = Completions(task).pair(fixed)
    assert member is not None
    assert Completions(task).pair(member[0]) is None  # nothing is free
