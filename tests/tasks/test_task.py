from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task, task_at
from separatrix.tasks.capabilities import asked_positions, chain_of, second_solver
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.parity import Parity
from separatrix.tasks.task import Batch, Task, pad_after, read_at_end, read_next

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
    ("name", "chosen", "message"),
    [
        ("dyke", {"length": 4}, "unknown task 'dyke'; did you mean 'dyck'? expected one of .* or file.py:Name"),
        ("dyck", {}, "task dyck needs length (int)"),
        ("dyck", {"length": "x"}, "length of task dyck: expected an integer, found 'x'"),
        ("dyck", {"length": 4, "colour": 1}, "task dyck has no parameter 'colour': expected one of length, types, depth, positives"),
        ("dyck", {"length": 4, "positives": "some"}, "positives of task dyck: expected one of walk, fair-walk, uniform, found 'some'"),
    ],
)
def test_an_unknown_name_or_parameter_is_refused_in_one_line(name: str, chosen: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        make_task(name, **chosen)
    before, _, after = message.partition(".*")
    assert str(refusal.value).startswith(before)
    assert str(refusal.value).endswith(after)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("wrong", [{"seed": -1, "count": 1}, {"seed": 0, "count": -1}, {"seed": 0, "count": 1, "start": -1}])
def test_negative_seeds_counts_and_starts_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BadInput, match=r"^seed, count and start must not be negative, found "):
        make_task("dyck", length=4).sample(**wrong)


@dataclass(frozen=True)
class Sum(Task):
    """N digits and their sum modulo ten; the chain writes the sums so far."""

    name = "sum"
    tokens = "N"
    ends: bool = True

    @property
    def vocabulary(self) -> int:
        return 11

    @property
    def targets(self) -> int:
        return 10

    @property
    def stop(self) -> int | None:
        return 10 if self.ends else None

    def answer(self, tokens: Sequence[int]) -> int | None:
        return sum(tokens) % 10 if max(tokens) < 10 else None

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:  # noqa: ARG002
        digits = (np.arange(start, start + count)[:, None] + np.arange(self.length)) % 10
        return read_at_end(digits, np.full(count, self.length), digits.sum(axis=1) % 10)

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        return (*(np.cumsum(tokens) % 10).tolist(), 10)


class Endless(Sum):
    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        return tuple(tokens)


class Twice(Sum):
    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        return (10, *tokens, 10)


def test_a_task_with_no_more_than_it_must_say_can_be_used() -> None:
    task = Sum(3)
    assert task.token_count == 3
    assert task.alphabets() == (range(11),) * 3
    assert [*task.inputs()] == [(a, b, c) for a in range(10) for b in range(10) for c in range(10)]
    assert (task.input_count, second_solver(task), task.case_kinds) == (0, None, ("random",))
    assert (task.cites, task.known_leaks, task.text((1, 10, 2)), task.read("1 10 2")) == ("", (), "1 10 2", (1, 10, 2))
    with pytest.raises(BadInput, match=r"^sum: length N must be at least 1, found 0$"):
        Sum(0)


@pytest.mark.parametrize(
    ("formula", "count"), [("N", 6), ("N + 1", 7), ("N - 1", 5), ("2 N", 12), ("2 N - 1", 11), ("3 N + 2", 20), ("N log N", 6), ("n", 6)]
)
def test_the_formula_counts_the_tokens_where_it_is_one_of_N_alone(formula: str, count: int) -> None:
    assert type("Other", (Sum,), {"tokens": formula})(6).token_count == count  # else as many as a sample has


def test_a_total_task_counts_its_inputs_as_far_as_anyone_would_list_them() -> None:
    assert Parity(10).input_count == 1024
    assert Parity(59).input_count == 2**59
    assert Parity(60).input_count == 0  # 2^60 is above 10^18
    assert IndexLookup(3, 4).input_count == 4**3 * 3


def test_a_task_brings_its_second_solver_itself() -> None:
    class Mine(Parity):
        def second(self, tokens: Sequence[int]) -> int:
            return [*tokens].count(1)

    solver = second_solver(Mine(4))
    assert solver is not None
    assert solver((1, 1, 1, 1, 2)) == 4
    words = second_solver(make_task("edit-distance", length=2, second=1))  # a parameter has the name, so the solver has another
    assert words is not None
    assert words((0, 1, 1, 4)) == 2


def test_a_position_asks_about_itself_unless_the_task_points_elsewhere() -> None:
    batch = make_task("mqar", length=4).sample(0, 2)
    assert asked_positions(make_task("mqar", length=4), batch).tolist() == [5, 7, 5, 7]
    lookup = IndexLookup(5, symbols=3)
    assert lookup.asked(lookup.cases("complement", 0, 5)).tolist() == [1, 2, 3, 4, 5]


def test_a_chain_is_what_the_task_writes_up_to_the_stop_token() -> None:
    assert chain_of(Sum(3), (4, 5, 6)) == (4, 9, 5, 10)
    assert chain_of(Parity(3), (1, 0, 1, 2)) is None


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Sum(2, ends=False), "sum: a chain needs a stop token, but the task has none"),
        (Endless(2), r"sum: a chain must end with the stop token 10 and contain it nowhere else, found \[1, 2\]"),
        (Twice(2), r"sum: a chain must end with the stop token 10 and contain it nowhere else, found \[10, 1, 2, 10\]"),
    ],
)
def test_a_chain_without_its_stop_token_is_refused_in_one_line(task: Task, message: str) -> None:
    with pytest.raises(BadInput, match=f"^{message}$"):
        chain_of(task, (1, 2))


def test_parameters_without_a_default_have_a_stand_in_where_a_size_is_asked_for() -> None:
    assert task_at("regular", {"length": 4}).parameters["language"] == "(ab)*"
    assert task_at("regular", {"length": 4, "language": "a*"}).parameters["language"] == "a*"
