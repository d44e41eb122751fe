from __future__ import annotations

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task, task_class
from separatrix.tasks.task import pad_after, read_at_end, read_next

TOKENS = np.array([[5, 6, 7], [8, 9, 4]])


def test_a_batch_read_at_the_end_scores_the_last_token_of_each_row() -> None:
    batch = read_at_end(TOKENS, np.array([3, 2]), np.array([1, 2]))
    assert batch.targets.tolist() == [[0, 0, 1], [0, 2, 0]]
    assert batch.mask.tolist() == [[False, False, True], [False, True, False]]
    assert [batch.row(1), batch.answer(1)] == [(8, 9), 2]


def test_a_batch_that_asks_for_what_follows_has_the_next_tokens_as_targets() -> None:
    mask = np.array([[True, True, False], [False, True, False]])
    batch = read_next(TOKENS, np.array([3, 3]), mask)
    assert batch.targets.tolist() == [[6, 7, 0], [0, 4, 0]]
    assert [batch.answer(0), batch.answer(1)] == [(6, 7), 4]


def test_padding_writes_over_what_follows_the_real_tokens() -> None:
    tokens = TOKENS.copy()
    pad_after(tokens, np.array([3, 1]))
    assert tokens.tolist() == [[5, 6, 7], [8, 0, 0]]


def test_name_parameters_and_seed_all_make_the_key() -> None:
    keys = {
        make_task("eq-random", length=8).key(0),
        make_task("eq-random", length=8).key(1),
        make_task("eq-random", length=10).key(0),
        make_task("eq-random", length=8, symbols=3).key(0),
        make_task("eq-one", length=8, symbols=2).key(0),
    }
    assert len(keys) == 5


def test_a_task_moves_to_another_length_with_its_other_parameters() -> None:
    assert make_task("dyck", length=8, types=3).at(12) == make_task("dyck", length="12", types="3")


@pytest.mark.parametrize(
    ("name", "chosen", "said"),
    [
        ("dyke", {"length": 4}, "unknown task 'dyke': expected one of .* or file.py:Name; did you mean 'dyck'?"),
        ("dyck", {}, "task dyck needs length (int)"),
        ("dyck", {"length": "x"}, "length of task dyck: expected an integer, found 'x'"),
        ("dyck", {"length": 4, "colour": 1}, "task dyck has no parameter 'colour': expected one of length, types, depth, positives"),
        ("dyck", {"length": 4, "positives": "some"}, "positives of task dyck: expected one of walk, fair-walk, uniform, found 'some'"),
    ],
)
def test_an_unknown_name_or_parameter_is_refused_in_one_line(name: str, chosen: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput) as refusal:
        make_task(name, **chosen)
    before, _, after = said.partition(".*")
    assert str(refusal.value).startswith(before)
    assert str(refusal.value).endswith(after)
    assert "\n" not in str(refusal.value)


def test_what_is_no_task_is_refused() -> None:
    with pytest.raises(BadInput, match=r"'pathlib:Path' is not a task: expected a class derived from separatrix.tasks.Task"):
        task_class("pathlib:Path")


def test_unknown_cases_are_refused_with_what_there_is() -> None:
    with pytest.raises(BadInput, match=r"^intersects has no cases 'hard': expected one of random, fair-bits, complement$"):
        make_task("intersects", length=4).cases("hard", 0, 3)


@pytest.mark.parametrize("wrong", [{"seed": -1, "count": 1}, {"seed": 0, "count": -1}, {"seed": 0, "count": 1, "start": -1}])
def test_negative_seeds_counts_and_starts_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BadInput, match=r"^seed, count and start must not be negative, found "):
        make_task("dyck", length=4).sample(**wrong)
