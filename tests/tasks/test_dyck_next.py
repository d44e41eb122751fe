"""Brackets, next: what is scored, what is outside the promise, and how it reads."""

from __future__ import annotations

import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.dyck_next import DyckNext


def test_the_example_of_the_docstring() -> None:
    task = DyckNext(6)
    tokens = task.read("( [ ] ) [ ]")
    assert task.answer(tokens) == task.second(tokens) == (0, 1, 0, 2, 1, 2)
    assert task.text(tokens) == "( [ ] ) [ ]"
    assert [task.target_text(target) for target in range(3)] == [")", "]", "none"]


@pytest.mark.parametrize("text", ["( ]", ") (", "( (", "( ( ( ) ) )"])
def test_what_is_not_a_member_has_no_answer(text: str) -> None:
    task = DyckNext(2)
    assert task.answer(task.read(text)) is None


@pytest.mark.parametrize(
    ("chosen", "count"),
    [({"length": 6}, 2**5), ({"length": 8, "types": 3, "depth": 4}, 14 * 3**4), ({"length": 4, "types": 1, "depth": 1}, 1)],
)
def test_inputs_are_counted(chosen: dict[str, int], count: int) -> None:
    """2^(N-1) members of Dyck-(2, 2); Catalan numbers times types where the depth does not matter."""
    task = make_task("dyck-next", **chosen)
    assert task.input_count == len(list(task.inputs())) == count


def test_every_position_of_a_sample_is_scored() -> None:
    batch = DyckNext(20, types=3, depth=4).sample(1, 30)
    assert batch.mask.all()
    assert {int(target) for target in batch.targets.ravel()} == {0, 1, 2, 3}
    assert (batch.targets[:, -1] == 3).all()


def test_bad_input_is_one_line() -> None:
    for chosen, line in (({"length": 5}, "length N must be even"), ({"length": 4, "depth": 0}, "depth be at least 1")):
        with pytest.raises(BadInput, match=line):
            make_task("dyck-next", **chosen)
    with pytest.raises(BadInput, match="expected one of 2 types of brackets"):
        DyckNext(2).read("( }")
