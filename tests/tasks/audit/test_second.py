from __future__ import annotations

import itertools
import json
import random

import pytest

from separatrix.tasks import TASKS, Task, make_task
from separatrix.tasks.audit.second import SOLVERS, reach, second_solver
from separatrix.tasks.languages.regular_expression import parse
from separatrix.tasks.parity import Parity
from separatrix.tasks.regular import Regular
from tests.tasks.languages.test_regular_expression import random_expression
from tests.tasks.solvers import CONFRONTED


def test_every_task_of_the_package_but_the_users_own_function_has_a_second_solver() -> None:
    assert set(SOLVERS) == set(TASKS) - {"function"}


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_the_second_solver_agrees_with_the_oracle(name: str) -> None:
    met = 0
    for task in CONFRONTED[name].samples(name):
        solve = second_solver(task)
        assert solve is not None
        for batch in (task.sample(1, 300), *(task.cases(kind, 2, 60) for kind in task.case_kinds)):
            for r in range(len(batch.tokens)):
                assert solve(batch.row(r)) == task.answer(batch.row(r)), task.text(batch.row(r))
                met += 1
    assert met >= 300


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_the_second_solver_agrees_on_every_small_input(name: str) -> None:
    task = make_task(name, **CONFRONTED[name].tiny)
    solve = second_solver(task)
    assert solve is not None
    for tokens in task.inputs():
        assert solve(tokens) == task.answer(tokens), task.text(tokens)


def test_an_automaton_is_also_read_backwards() -> None:
    task = Regular(6, json.dumps(Regular(6, "(a|bb)*ab").automaton.document()))
    solve = second_solver(task)
    assert solve is not None
    assert {(solve(tokens), task.answer(tokens)) for tokens in task.inputs()} == {(0, 0), (1, 1)}


def test_places_reached_by_an_expression_are_the_ends_of_its_words() -> None:
    draw = random.Random(8)
    for _ in range(40):
        text = random_expression(draw, 3)
        task, expression = Regular(5, text, alphabet="ab"), parse(text)
        for n in range(6):
            for word in itertools.product((0, 1), repeat=n):
                ends = reach(expression, ["ab"[symbol] for symbol in word], {0})
                assert ends == {t for t in range(n + 1) if task.member(word[:t])}, (text, word)


def test_a_task_may_bring_a_second_solver_of_its_own() -> None:
    class Mine(Parity):
        name = "mine"

        def second(self, tokens: tuple[int, ...]) -> int:
            return tokens.count(1)

    task: Task = Mine(4)
    solve = second_solver(task)
    assert solve is not None
    assert solve((1, 1, 1, 1, 2)) == 4


def test_a_task_without_any_has_none() -> None:
    assert second_solver(make_task("function", length=3, function="tests.tasks.solvers:is_palindrome")) is None
