"""Profiles of tasks that are scored at several tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

from separatrix.architectures import Quantity
from separatrix.bounds.families.equality import repetition_profile
from separatrix.bounds.families.recall import mqar_profile
from separatrix.bounds.limits import bounds_for, task_profile
from separatrix.bounds.states.profile import state_profile
from separatrix.bounds.states.scored_along import profile_along
from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.batch import Batch, Integers
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.task import Answer, Task, need_examples


def along(task: Task) -> Any:
    """The count of a task of the package, from its enumeration and the tokens it scores."""
    scored = np.flatnonzero(task.sample(0, 1).mask[0])
    inputs = [*task.inputs()]
    due = np.full((len(inputs), task.token_count), -1)
    due[:, scored] = [np.atleast_1d(np.array(task.answer(x))) for x in inputs]
    return profile_along(inputs, due.tolist())


@pytest.mark.parametrize(("h", "s"), [(1, 2), (2, 3), (3, 2), (4, 2)])
def test_repeating_a_half_has_the_profile_of_its_closed_form(h: int, s: int) -> None:
    profile = along(make_task("eq-ncp", length=2 * h, symbols=s))
    assert profile.classes_lower == profile.classes_upper == repetition_profile(2 * h, s).classes


@pytest.mark.parametrize(("n", "K", "L"), [(1, 2, 2), (2, 2, 2), (2, 3, 2), (3, 3, 2), (2, 2, 3)])
def test_multi_query_recall_lies_between_the_counts_of_its_closed_form(n: int, K: int, L: int) -> None:
    profile, form = along(make_task("mqar", length=2 * n, symbols=K, labels=L)), mqar_profile(2 * n, K, L)
    assert all(a <= b for a, b in zip(form.classes_lower, profile.classes_lower, strict=True))
    assert all(a <= b for a, b in zip(profile.classes_lower, profile.classes_upper, strict=True))
    assert n < K or profile.classes_lower == form.classes_lower


@pytest.mark.parametrize("length", [1, 4, 6])
def test_a_task_scored_at_its_end_has_the_profile_of_its_residuals(length: int) -> None:
    words = list(product((0, 1), repeat=length))
    due = [[-1] * (length - 1) + [int(word == word[::-1])] for word in words]
    count = state_profile(lambda word: word == word[::-1], (0, 1), length)
    assert profile_along(words, due).classes_lower == profile_along(words, due).classes_upper == count.classes


def test_an_answer_that_is_due_at_once_must_be_known_at_once() -> None:
    # by hand: two bits, the first said after the second came, the second at once; nothing is owed in the end but the last answer
    words = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert profile_along(words, [[-1, a] for a, _ in words]).classes == (1, 2, 2)
    assert profile_along(words, [[-1, b] for _, b in words]).classes == (1, 1, 2)
    assert profile_along(words, [[a, b] for a, b in words]).classes == (1, 2, 2)
    assert profile_along(words, [[a, 2 * a + b] for a, b in words]).classes == (1, 2, 4)


def test_prefixes_with_different_futures_need_no_state_of_their_own_unless_they_owe_different_answers() -> None:
    # after 0 only 0 may follow, after 1 only 1, and nothing is asked: one state is enough
    assert profile_along([(0, 0), (1, 1)], [[-1, -1], [-1, -1]]).classes_upper == (1, 1, 1)
    # what follows is asked for at once, so the first token must be kept
    assert profile_along([(0, 0), (1, 1)], [[0, -1], [1, -1]]).classes_lower == (1, 2, 1)


@dataclass(frozen=True)
class Running(Task):
    """N bits, and after each of them the parity so far."""

    name = "running"
    tokens = "N"
    vocabulary = property(lambda _: 2)  # type: ignore[assignment]
    targets = property(lambda _: 2)  # type: ignore[assignment]

    def answer(self, tokens: Sequence[int]) -> Answer | None:
        return tuple((np.cumsum(tokens) % 2).tolist())

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        bits: Integers = integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), 2)
        return Batch(bits, bits.cumsum(axis=1) % 2, np.ones_like(bits, dtype=bool), np.full(count, self.length))


def test_a_users_task_scored_everywhere_is_counted_and_bounded() -> None:
    assert task_profile(Running(6)).classes == (1, 2, 2, 2, 2, 2, 2)
    (state, _) = bounds_for(Running(6), 8)
    assert (state.quantity, state.value, state.tight) == (Quantity.STATE_BITS, 1, True)
    assert state.witness.shown is None
    assert bounds_for(Running(60), 8) == ()


def test_too_many_classes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("separatrix.bounds.states.scored_along.COMPARED", 7)
    words = list(product((0, 1), repeat=3))
    with pytest.raises(BadInput, match="8 classes of prefixes are too many to compare in pairs"):
        profile_along(words, [[-1, -1, 4 * a + 2 * b + c] for a, b, c in words])
