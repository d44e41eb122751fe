"""Pairs of inputs that a stack of windows cannot tell apart: what a search for them may cost, and when it finds none."""

from __future__ import annotations

import tracemalloc

import pytest

from separatrix.bounds import reach
from separatrix.bounds.reach import blind_pair
from separatrix.tasks import make_task

WINDOWS = (16, 16)


def test_a_pair_agrees_on_what_the_stack_sees_and_needs_two_answers() -> None:
    task = make_task("parity", length=100)
    pair = blind_pair(task, WINDOWS)
    assert pair is not None
    one, other = pair.inputs
    assert one[pair.position - 30 :] == other[pair.position - 30 :]
    assert [task.answer(tokens) for tokens in pair.inputs] == list(pair.expected)
    assert pair.expected[0] != pair.expected[1]


def test_inputs_that_are_too_long_to_be_read_twice_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    task = make_task("parity", length=1000)
    monkeypatch.setattr(reach, "WORK", 2 * task.token_count - 1)
    assert blind_pair.__wrapped__(task, WINDOWS) is None
    monkeypatch.setattr(reach, "WORK", 2 * task.token_count)
    assert blind_pair.__wrapped__(task, WINDOWS) is not None


def test_a_language_whose_words_cannot_be_drawn_has_no_pair() -> None:
    assert blind_pair(make_task("regular", length=1_000_000, language="@s3"), WINDOWS) is None


def test_the_claim_of_a_pair_lists_no_alphabets() -> None:
    """`index` has as many symbols as places: the list of what may stand where has the square of its length."""
    task = make_task("index", length=3000)
    pair = blind_pair(task, WINDOWS)
    assert pair is not None
    tracemalloc.start()
    assert pair.certifiable
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 * 3000 * 100, f"{most:,} bytes"
