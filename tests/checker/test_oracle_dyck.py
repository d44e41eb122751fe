"""The checker's bounded Dyck draws the task's cases."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.checker.oracle_dyck import Dyck
from separatrix.checker.oracles import oracle
from separatrix.checker.seal import Refused
from separatrix.tasks import make_task


@pytest.mark.parametrize("positives", ["walk", "fair-walk", "uniform"])
@pytest.mark.parametrize(("length", "types", "depth"), [(2, 2, 2), (20, 2, 2), (30, 1, 2), (24, 3, 4), (16, 2, 1), (40, 5, 3)])
def test_every_family_has_the_tasks_cases(length: int, types: int, depth: int, positives: str) -> None:
    task = make_task("dyck", length=length, types=types, depth=depth, positives=positives)
    found = oracle("dyck", task.parameters)
    assert (found.vocabulary, found.targets) == (task.vocabulary, task.targets)
    for kind in task.case_kinds:
        batch = task.cases(kind, 7, 40)
        for row, (tokens, wanted) in enumerate(found.cases(kind, 7, 40)):
            assert tuple(tokens.tolist()) == batch.row(row), kind
            assert wanted == {length - 1: batch.answer(row)}, kind
            assert batch.answer(row) == task.answer(batch.row(row))


def test_all_inputs_come_in_order() -> None:
    task = make_task("dyck", length=4)
    found = [(tuple(tokens.tolist()), *wanted.values()) for tokens, wanted in oracle("dyck", task.parameters).cases("all", 0, 256)]
    assert found == [(tokens, task.answer(tokens)) for tokens in task.inputs()]


@pytest.mark.parametrize(
    ("chosen", "kind", "count", "reason"),
    [
        ({}, "all", 255, "all inputs are"),
        ({}, "equal", 1, "dyck has no cases 'equal'"),
        ({"depth": 3}, "crossed", 1, "dyck has no cases 'crossed'"),
        ({"length": 3}, "random", 1, "length: expected an even number"),
        ({"positives": "x"}, "random", 1, "positives: expected one of"),
    ],
)
def test_what_is_no_case_is_refused(chosen: dict[str, Any], kind: str, count: int, reason: str) -> None:
    parameters = {"length": 4, "types": 2, "depth": 2, "positives": "walk"} | chosen
    with pytest.raises(Refused, match=reason):
        list(Dyck(parameters).cases(kind, 0, count))
