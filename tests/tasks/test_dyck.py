from __future__ import annotations

import collections
import itertools

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.drawing.bracket_walks import members
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.dyck import Dyck, opening_odds
from tests.tasks.plain_counter import Draws


def walked(task: Dyck, draws: Draws) -> list[int]:
    """A member from draws 1..N, as the documentation says."""
    N, n, stack, result = task.length, task.types, [], []
    for t in range(1, N + 1):
        left = N - t + 1
        free = 0 < len(stack) < min(task.depth, left)
        if not stack or (free and draws.high(t, n + 1) < n):
            stack.append(draws.low(t, n))
            result.append(stack[-1])
        else:
            result.append(n + stack.pop())
    return result


def corrupted(task: Dyck, draws: Draws, member: list[int]) -> list[int]:
    """The member made a non-member by the draws from N + 1 on."""
    n, draw = task.types, itertools.count(task.length + 1)
    while True:
        result, changes = [*member], 1 + draws.high(next(draw), max(1, task.length // 10))
        while changes:
            c = next(draw)
            place = draws.high(c, task.length)
            if result[place] != member[place]:
                continue
            kind, closes = member[place] % n, member[place] // n
            way = draws.low(c, 2 * (n - 1)) if n > 1 else 1
            result[place] = closes * n + (kind + 1 + way) % n if way < n - 1 else (1 - closes) * n + kind
            changes -= 1
        if not task.answer(result):
            return result


@pytest.mark.parametrize("task", [Dyck(20), Dyck(30, types=3), Dyck(60, types=3, depth=4), Dyck(18, types=1, depth=9), Dyck(2)])
def test_examples_replay_from_the_documented_draws(task: Dyck) -> None:
    batch = task.sample(5, 200, start=3)
    for r in range(200):
        draws = Draws(task, 5, 3 + r)
        member = walked(task, draws)
        assert task.answer(member) == 1
        expected = member if draws.high(0, 2) == 0 else corrupted(task, draws, member)
        assert batch.row(r) == tuple(expected)


def test_there_are_two_to_the_N_minus_1_members() -> None:
    for N in (2, 4, 6, 8):
        assert sum(Dyck(N).answer(tokens) for tokens in Dyck(N).inputs()) == 2 ** (N - 1)


def test_the_compiled_membership_is_the_oracle() -> None:
    for task in (Dyck(6), Dyck(6, types=1, depth=3), Dyck(6, depth=1)):
        strings = np.array([*task.inputs()])
        assert members(strings, task.types, task.depth).tolist() == [task.answer(tokens) for tokens in strings.tolist()]


def test_one_changed_bracket_never_leaves_a_member() -> None:
    task = Dyck(8)
    for tokens in task.inputs():
        if task.answer(tokens):
            for place, bracket in enumerate(tokens):
                for change in (bracket ^ 1, bracket ^ 2):  # the other type, the other direction
                    assert task.answer((*tokens[:place], change, *tokens[place + 1 :])) == 0


def test_two_changed_brackets_leave_a_member_in_two_of_a_hundred_at_length_20() -> None:
    count, task = 60_000, Dyck(20)
    member = task.cases("single-change", 1, 2 * count)
    strings = member.tokens[member.targets[:, -1] == 1][:count]
    rows, rng = np.arange(len(strings)), integers(99, np.arange(len(strings)), range(4), 2**16)
    first = rng[:, 0] % 20
    second = (first + 1 + rng[:, 1] % 19) % 20
    for place, way in ((first, rng[:, 2]), (second, rng[:, 3])):
        strings[rows, place] ^= 1 + way % 2
    assert 0.017 < members(strings, 2, 2).mean() < 0.021  # 1.9 %


def test_the_number_of_changes_is_uniform_up_to_a_tenth_of_the_length() -> None:
    task = Dyck(40)
    batch = task.sample(0, 20_000)
    outside = batch.targets[:, -1] == 0
    changes = (batch.tokens != task._members(0, 20_000, 0, 2))[outside].sum(axis=1)
    counts = collections.Counter(changes.tolist())
    assert [*sorted(counts)] == [1, 2, 3, 4]
    assert all(abs(count / outside.sum() - 1 / 4) < 0.02 for count in counts.values())
    assert abs(outside.mean() - 1 / 2) < 0.02


@pytest.mark.parametrize(("N", "share"), [(20, 0.558), (400, 0.849)])
def test_counting_the_opening_brackets_rejects_most_non_members(N: int, share: float) -> None:
    batch = Dyck(N).sample(1, 16_000)
    outside = batch.tokens[batch.targets[:, -1] == 0]
    assert abs(((outside < 2).sum(axis=1) != N // 2).mean() - share) < 0.012


@pytest.mark.parametrize("positives", ["walk", "fair-walk", "uniform"])
def test_the_stack_holds_nothing_or_two_brackets_two_steps_before_the_end(positives: str) -> None:
    tokens = Dyck(20, positives=positives)._members(0, 2000, 0, 2)
    height = np.where(tokens < 2, 1, -1).cumsum(axis=1)
    assert {*height[:, -3].tolist()} == {0, 2}
    assert {*height[:, -1].tolist()} == {0}


@pytest.mark.parametrize(("positives", "nested", "flat"), [("walk", 1 / 6, 1 / 12), ("fair-walk", 1 / 8, 1 / 8), ("uniform", 1 / 8, 1 / 8)])
def test_the_walk_prefers_nested_strings(positives: str, nested: float, flat: float) -> None:
    # At N = 4 only the second bracket is free: it opens with probability 2/3 in the walk, and four strings share each shape.
    tokens = Dyck(4, positives=positives)._members(0, 40_000, 0, 2)
    counts = collections.Counter(map(tuple, tokens.tolist()))
    assert len(counts) == 8
    for string, count in counts.items():
        assert abs(count / 40_000 - (nested if string[1] < 2 else flat)) < 0.01


def test_a_longer_fair_walk_is_uniform_too_and_the_walk_is_not() -> None:
    assert (opening_odds("uniform", 20, 2, 2)[1, 1:18:2] == opening_odds("fair-walk", 20, 2, 2)[1, 1:18:2]).all()
    assert chi_square(Dyck(8, positives="walk"), 128, 25_600) > 1000


@pytest.mark.parametrize(
    ("task", "size"),
    [
        (Dyck(4, positives="uniform"), 2**3),
        (Dyck(6, positives="uniform"), 2**5),
        (Dyck(8, positives="uniform"), 2**7),
        (Dyck(10, positives="uniform"), 2**9),
        (Dyck(8, types=1, depth=3, positives="uniform"), 13),  # Dyck paths of 8 steps up to height 3: a Fibonacci number
        (Dyck(6, types=2, depth=3, positives="uniform"), 5 * 2**3),  # all five shapes
    ],
)
def test_the_uniform_sampler_is_uniform(task: Dyck, size: int) -> None:
    freedom = size - 1
    assert abs(chi_square(task, size, 200 * size) - freedom) < 5 * np.sqrt(2 * freedom)


def chi_square(task: Dyck, size: int, draws: int) -> float:
    """Over all members of the length, each of which must be met."""
    tokens = task._members(3, draws, 0, task.depth)
    counts = np.array([*collections.Counter(map(tuple, tokens.tolist())).values()])
    assert len(counts) <= size
    missing = size - len(counts)
    expected = draws / size
    return float(((counts - expected) ** 2 / expected).sum() + missing * expected)


def test_single_changes_are_half_members_and_else_one_bracket_away() -> None:
    batch = Dyck(30).cases("single-change", 0, 400)
    away = (batch.tokens != Dyck(30)._members(0, 400, 0, 2)).sum(axis=1)
    assert (away == 1 - batch.targets[:, -1]).all()
    assert 150 < away.sum() < 250


def test_too_deep_strings_are_well_matched() -> None:
    batch, deeper = Dyck(30).cases("too-deep", 0, 200), Dyck(30, depth=3)
    assert all(deeper.answer(batch.row(r)) == 1 for r in range(200))
    assert batch.targets[::2, -1].all()
    assert batch.targets[1::2, -1].sum() < 10


def test_crossed_members_are_members_only_when_nothing_was_crossed() -> None:
    # Odd and even places of a member determine each other, so two members that differ cross into non-members.
    batch, one, other = Dyck(6).cases("crossed", 0, 300), Dyck(6)._members(0, 300, 0, 2), Dyck(6)._members(0, 300, 300, 2)
    assert (batch.targets[:, -1] == (one == other).all(axis=1)).all()
    assert 0 < batch.targets.sum() < 60
    assert "crossed" not in Dyck(6, depth=3).case_kinds


def test_brackets_of_many_types_are_numbered() -> None:
    task = Dyck(4, types=12)
    assert task.text((11, 0, 12, 23)) == "(11 (0 )0 )11"
    assert task.read("(11 (0 )0 )11") == (11, 0, 12, 23)
    assert Dyck(4).read("( [\t] )") == Dyck(4).read("([])") == (0, 1, 3, 2)


@pytest.mark.parametrize(
    ("types", "text", "message"),
    [
        (2, "({", r"dyck: expected one of 2 types of brackets, such as \(, found '{'"),
        (2, "(x", r"dyck: expected one of 2 types of brackets, such as \(, found 'x'"),
        (12, "(12", r"dyck: expected one of 12 types of brackets, such as \(0, found '\(12'"),
    ],
)
def test_other_brackets_are_refused(types: int, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        Dyck(4, types=types).read(text)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"length": 7}, "dyck: length N must be even, because no string of odd length is well matched, found 7"),
        ({"length": 0}, "dyck: length N must be at least 2, found 0"),
        ({"length": 4, "types": 0}, "dyck: types must lie in 1..2.16 and depth be at least 1, found types=0, depth=2"),
        ({"length": 4, "depth": 0}, "dyck: types must lie in 1..2.16 and depth be at least 1, found types=2, depth=0"),
    ],
)
def test_sizes_without_a_task_are_refused(chosen: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        Dyck(**chosen)
