"""The checker's own oracle of equality over a partition."""

from __future__ import annotations

import json

import numpy as np
import pytest

from separatrix.checker.oracles import oracle
from separatrix.checker.seal import Refused
from separatrix.tasks.partition_equality import PartitionEquality


@pytest.mark.parametrize("task", [PartitionEquality(20, 3, instance=4), PartitionEquality(6, 2, (1, 4, 5)), PartitionEquality(150)])
def test_the_checker_draws_the_cases_that_the_task_draws(task: PartitionEquality) -> None:
    second = oracle(task.name, json.loads(json.dumps(task.parameters)))
    assert (second.vocabulary, second.targets) == (task.vocabulary, task.targets)
    for kind in task.case_kinds:
        batch = task.cases(kind, 3, 40)
        found = [*second.cases(kind, 3, 40)]
        assert [tuple(tokens.tolist()) for tokens, _ in found] == [batch.row(r) for r in range(40)]
        assert [[*wanted.items()] for _, wanted in found] == [[(task.length - 1, int(t))] for t in batch.targets[:, -1]]


def test_all_inputs_come_in_the_order_of_the_task() -> None:
    task = PartitionEquality(4, 3, (2, 3))
    found = [
        (tuple(tokens.tolist()), wanted[3])
        for tokens, wanted in oracle(task.name, {**task.parameters, "first": [2, 3]}).cases("all", 0, 81)
    ]
    assert found == [(tokens, task.answer(tokens)) for tokens in task.inputs()]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"length": 5}, "even"),
        ({"first": [1]}, "first: expected 2 different places"),
        ({"first": [1, 1]}, "first: expected 2 different places"),
        ({"first": [1, 5]}, "first: expected 2 different places"),
        ({"first": [1, True]}, "first: expected 2 different places"),
        ({"first": "1,2"}, "expected list"),
        ({"instance": -1}, "instance: expected 0"),
        ({"note": 1}, "unknown field 'note'"),
    ],
)
def test_parameters_that_no_task_has_are_refused(chosen: dict[str, object], message: str) -> None:
    with pytest.raises(Refused, match=message):
        oracle("partition-equality", {"length": 4, "symbols": 2, "first": [], "instance": 0, **chosen})


def test_cases_that_the_task_does_not_have_are_refused() -> None:
    task = oracle("partition-equality", {"length": 4, "symbols": 2, "first": [], "instance": 0})
    with pytest.raises(Refused, match="has no cases 'two-symbols'"):
        next(task.cases("two-symbols", 0, 1))
    with pytest.raises(Refused, match="the certificate says 15"):
        next(task.cases("all", 0, 15))
    assert len([*task.cases("all", 0, 16)]) == 16
    assert isinstance(next(task.cases("random", 0, 1))[0], np.ndarray)
