from __future__ import annotations

import collections
import math

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import words
from separatrix.tasks.dyck_languages import Dyck1, Dyck2, DyckLanguage, mistyped
from tests.tasks.plain_counter import Draws


def catalan(n: int) -> int:
    return math.comb(2 * n, n) // (n + 1)


def chi_square(counts: collections.Counter[tuple[int, ...]], kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((n - expected) ** 2 / expected for n in counts.values()) + (kinds - len(counts)) * expected


@pytest.mark.parametrize("kind", [Dyck1, Dyck2])
@pytest.mark.parametrize("N", [2, 4, 6])
def test_members_are_counted_by_the_catalan_numbers_and_drawn_uniformly(kind: type[DyckLanguage], N: int) -> None:
    task = kind(N)  # type: ignore[call-arg]
    members = {tokens[:-1] for tokens in task.inputs() if task.answer(tokens)}
    assert len(members) == catalan(N // 2) * task.types ** (N // 2)
    batch = task.sample(1, 20_000)
    drawn = collections.Counter(batch.row(r)[:-1] for r in range(20_000) if batch.targets[r, -1])
    assert set(drawn) <= members
    free = len(members) - 1
    assert chi_square(drawn, len(members)) <= free + 5 * math.sqrt(2 * free)


def test_members_replay_from_the_documented_draws() -> None:
    task = Dyck2(12)
    batch = task.sample(6, 120, start=5)
    met = 0
    for r in range(120):
        draws = Draws(task, 6, 5 + r)
        if draws.high(13, 2):
            continue
        height, waiting, word = 0, [], []
        for k in range(12, 0, -1):  # from the back: h (j + 1) of k (h + 1) walks to height h end with a step up, j = (k + h) / 2
            if draws.high(k, k * (height + 1)) < height * ((k + height) // 2 + 1):
                word.append(waiting.pop())
                height -= 1
            else:
                waiting.append(draws.low(k, 2))
                word.append(2 + waiting[-1])
                height += 1
        assert batch.row(r)[:-1] == tuple(reversed(word))
        met += 1
    assert met > 40


def test_badly_nested_words_are_uniform_among_those_with_as_many_opens_as_closes() -> None:
    task = Dyck1(8)
    outside = task._misordered(task.key(2), np.arange(20_000))
    drawn = collections.Counter(map(tuple, outside.tolist()))
    kinds = math.comb(8, 4) - catalan(4)  # 56 of the 70 words with four opens
    assert len(drawn) == kinds
    assert not any(task.member(word) for word in drawn)
    assert chi_square(drawn, kinds) <= (kinds - 1) + 5 * math.sqrt(2 * (kinds - 1))


def test_badly_nested_words_close_as_many_of_each_type_as_they_open() -> None:
    task = Dyck2(20)
    outside = task._misordered(task.key(2), np.arange(500))
    counts = np.stack([(outside == bracket).sum(axis=1) for bracket in range(4)], axis=1)
    assert (counts[:, :2] == counts[:, 2:]).all()
    assert len({*counts[:, 0].tolist()}) > 3


def test_a_wrong_type_keeps_the_nesting_and_the_counts() -> None:
    task = Dyck2(10)
    members = task._members(task.key(0), np.arange(2000))
    drawn = words(9, np.arange(2000), [0, 1])
    outside = mistyped(members, drawn[:, 0], drawn[:, 1])
    assert not any(task.member(word) for word in outside.tolist())
    assert ((outside >= 2) == (members >= 2)).all()
    one_type = (members.max(axis=1) == 2) | ~(members == 2).any(axis=1)
    same_counts = (np.sort(outside, axis=1) == np.sort(members, axis=1)).all(axis=1)
    assert (same_counts == ~one_type).all()
    assert 0 < one_type.sum() < 2000


def test_non_members_leave_the_language_in_equally_many_ways() -> None:
    batch = Dyck2(40).sample(3, 9000)
    outside = batch.tokens[batch.targets[:, -1] == 0, :-1]
    height = np.where(outside < 2, 1, -1).cumsum(axis=1)
    unbalanced, dips = height[:, -1] != 0, height.min(axis=1) < 0
    shares = [unbalanced.mean(), (~unbalanced & dips).mean(), (~unbalanced & ~dips).mean()]
    assert abs(np.array(shares) - 1 / 3).max() < 4 * math.sqrt(2 / 9 / len(outside))


@pytest.mark.parametrize(
    ("kind", "N", "message"),
    [
        (Dyck1, 3, "dyck-1: length N must be even, because no word of odd length is well matched, found 3"),
        (Dyck2, 0, "dyck-2: length N must be at least 2, found 0"),
        (Dyck2, 70_000, "dyck-2: length N must be at most 65534, found 70000"),
    ],
)
def test_lengths_without_members_are_refused(kind: type[DyckLanguage], N: int, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        kind(N)  # type: ignore[call-arg]
    assert str(caught.value) == message
