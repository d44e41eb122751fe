"""INDEX as prompts: every bit of every string is the answer of the task; the printed numbers, and a solver that forgets, fail."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from separatrix.bounds.communication.prompts import REDUCTIONS, PromptReduction
from separatrix.constructions import build
from separatrix.tasks import make_task

Solver = Callable[[tuple[int, ...]], Any]


def first_wrong(reduction: PromptReduction, N: int, answer: Solver | None = None) -> tuple[tuple[int, ...], int] | None:
    """The first string of N bits, and its place, that a solver, by default the task itself, gets wrong."""
    task = reduction.task(N)
    for a in product((0, 1), repeat=N):
        for i in range(1, N + 1):
            said = (answer or task.answer)(reduction.prompt(task, a, i))
            if said is None or reduction.bit(task, task.target_text(said)) != a[i - 1]:
                return a, i
    return None


@pytest.mark.parametrize("N", [1, 2, 3, 5])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_every_bit_is_the_answer(name: str, N: int) -> None:
    reduction = REDUCTIONS[name]
    assert first_wrong(reduction, N) is None
    assert reduction.bits(reduction.task(N)) >= N


@pytest.mark.parametrize("name", ["recall-next", "counting", "is-tree"])
def test_a_solver_that_forgets_one_place_is_caught(name: str) -> None:
    reduction, N = REDUCTIONS[name], 4
    task = reduction.task(N)
    blank = {reduction.prompt(task, (*a, 0), i): reduction.prompt(task, (*a, 1), i) for a in product((0, 1), repeat=3) for i in range(1, 5)}
    assert first_wrong(reduction, N, lambda tokens: task.answer(blank.get(tokens, tokens))) == ((0, 0, 0, 0), 4)


def test_any_c_works_and_a_built_transformer_answers_every_bit() -> None:
    reduction = REDUCTIONS["c-gram"]
    task = make_task("c-gram", length=12, c=4)
    for a in product((0, 1), repeat=3):
        for i in (1, 2, 3):
            said = task.answer(reduction.prompt(task, a, i))
            assert isinstance(said, int)
            assert reduction.bit(task, task.target_text(said)) == a[i - 1]
    built = build("recall-next/transformer", length=8)
    assert first_wrong(REDUCTIONS["recall-next"], 4, built.program.answer) is None  # type: ignore[arg-type]


def test_the_printed_numbers_fail() -> None:
    """Values x + n/2 and key n/2 collide: with n = 8 the place 4 is also the value of a bit 0."""
    task = make_task("recall-next", length=8)
    a = (0, 1, 1, 1)
    printed = " ".join(["<s>", *(f"{i} {4 + bit}" for i, bit in enumerate(a, 1)), "4"])
    said = task.answer(task.read(printed))
    assert isinstance(said, int)
    assert int(task.target_text(said)) - 4 != a[3]
