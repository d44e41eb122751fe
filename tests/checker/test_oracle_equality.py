"""The checker's own oracles of the tasks about two halves: the same cases, drawn by other code."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.oracles import oracle
from separatrix.checker.seal import Refused
from separatrix.tasks import make_task

SETTINGS = [
    ("equality", {"length": 10, "symbols": 3}),
    ("equality", {"length": 200, "symbols": 2}),
    ("eq-random", {"length": 40, "symbols": 2, "distribution": "training"}),
    ("eq-random", {"length": 2, "symbols": 5, "distribution": "evaluation"}),
    ("eq-one", {"length": 44, "symbols": 7, "distribution": "training"}),
    ("eq-one", {"length": 160, "symbols": 1024, "distribution": "evaluation"}),
    ("eq-ncp", {"length": 42, "symbols": 9, "distribution": "training"}),
    ("eq-ncp", {"length": 150, "symbols": 1024, "distribution": "evaluation"}),
]


@pytest.mark.parametrize(("name", "parameters"), SETTINGS)
def test_the_checker_draws_the_cases_that_the_task_draws(name: str, parameters: dict[str, object]) -> None:
    task, second = make_task(name, **parameters), oracle(name, parameters)
    assert (second.vocabulary, second.targets) == (task.vocabulary, task.targets)
    for kind in task.case_kinds:
        batch, met = task.cases(kind, 3, 60), 0
        for r, (tokens, wanted) in enumerate(second.cases(kind, 3, 60)):
            assert tuple(tokens.tolist()) == batch.row(r), (kind, r)
            assert wanted == {int(t): int(batch.targets[r, t]) for t in np.flatnonzero(batch.mask[r])}, (kind, r)
            met += 1
        assert met == 60


@pytest.mark.parametrize("name", ["equality", "eq-random", "eq-one"])
def test_all_inputs_come_in_the_order_of_the_task(name: str) -> None:
    task = make_task(name, length=4, symbols=3)
    listed = [(tuple(tokens.tolist()), [*wanted.values()]) for tokens, wanted in oracle(name, task.parameters).cases("all", 0, 81)]
    assert listed == [(tokens, [task.answer(tokens)]) for tokens in task.inputs()]


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("equality", {"length": 5, "symbols": 2}, "even"),
        ("equality", {"length": 0, "symbols": 2}, "length: expected 2"),
        ("equality", {"length": 4, "symbols": 1}, "symbols: expected 2"),
        ("equality", {"length": 4, "symbols": 2, "distribution": "training"}, "unknown field 'distribution'"),
        ("eq-random", {"length": 4, "symbols": 2}, "missing field 'distribution'"),
        ("eq-random", {"length": 4, "symbols": 2, "distribution": "uniform"}, "unknown distribution"),
    ],
)
def test_parameters_that_no_task_has_are_refused(name: str, parameters: dict[str, object], message: str) -> None:
    with pytest.raises(Refused, match=message):
        oracle(name, parameters)


def test_cases_that_a_task_does_not_have_are_refused() -> None:
    with pytest.raises(Refused, match="equality has no cases 'two-symbols'"):
        next(oracle("equality", {"length": 4, "symbols": 2}).cases("two-symbols", 0, 1))
    with pytest.raises(Refused, match=r"all inputs are \|S\|\^N = 2\^4, the certificate says 15"):
        next(oracle("equality", {"length": 4, "symbols": 2}).cases("all", 0, 15))
    with pytest.raises(Refused, match="eq-ncp has no cases 'all'"):
        next(oracle("eq-ncp", {"length": 4, "symbols": 2, "distribution": "evaluation"}).cases("all", 0, 4))
