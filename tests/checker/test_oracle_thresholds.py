"""The checker's own oracles of intersects, sparse thresholds and formulas: the same features and cases, drawn by other code."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from separatrix.certificates.verify import certify, verify
from separatrix.checker import check_document, sealed
from separatrix.checker.oracles import oracle
from separatrix.checker.seal import Refused
from separatrix.constructions import build
from separatrix.tasks import make_task

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("intersects", {"length": 2}),
    ("intersects", {"length": 140}),
    ("sparse-threshold", {"length": 9}),
    ("sparse-threshold", {"length": 2, "k": 5}),
    ("sparse-threshold", {"length": 70, "k": 2, "instance": 3, "threshold": 20}),
    ("sparse-threshold", {"length": 6, "features": "1,3:0110; 2,4:0001; 4:01; 6,1,2:01101001", "threshold": 1}),
    ("k-dnf", {"length": 16}),
    ("k-dnf", {"length": 5, "formula": "x1 & !x3 | ! x2 & x4|x5&!x5"}),
    ("k-cnf", {"length": 16, "k": 2, "terms": 9, "instance": 5}),
    ("k-cnf", {"length": 5, "formula": "(x1 | !x3) & (x2 | x4)"}),
]


@pytest.mark.parametrize(("name", "chosen"), SETTINGS)
def test_the_checker_draws_the_cases_that_the_task_draws(name: str, chosen: dict[str, Any]) -> None:
    task = make_task(name, **chosen)
    second = oracle(name, task.parameters)
    assert (second.vocabulary, second.targets) == (task.vocabulary, task.targets)
    for kind in task.case_kinds:
        batch, drawn = task.cases(kind, 3, 60), [*second.cases(kind, 3, 60)]
        assert len(drawn) == 60
        for r, (tokens, wanted) in enumerate(drawn):
            assert tuple(tokens.tolist()) == batch.row(r), (kind, r)
            assert wanted == {int(t): int(batch.targets[r, t]) for t in np.flatnonzero(batch.mask[r])}, (kind, r)


@pytest.mark.parametrize("name", ["intersects", "sparse-threshold", "k-dnf", "k-cnf"])
def test_all_inputs_come_in_the_order_of_the_task(name: str) -> None:
    task = make_task(name, length=6)
    listed = [(tuple(tokens.tolist()), [*wanted.values()]) for tokens, wanted in oracle(name, task.parameters).cases("all", 0, 64)]
    assert listed == [(tokens, [task.answer(tokens)]) for tokens in task.inputs()]
    with pytest.raises(Refused, match=r"all inputs are 2\^N = 2\^6, the certificate says 63"):
        next(oracle(name, task.parameters).cases("all", 0, 63))
    with pytest.raises(Refused, match="has no cases 'hard'"):
        next(oracle(name, task.parameters).cases("hard", 0, 3))


SPARSE: dict[str, Any] = {"length": 4, "k": 2, "features": "", "threshold": None, "instance": 0}
FORMULA: dict[str, Any] = {"length": 4, "k": 2, "formula": "", "terms": None, "instance": 0}


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("intersects", {"length": 7}, "even"),
        ("intersects", {"length": 8, "k": 2}, "unknown field 'k'"),
        ("sparse-threshold", {**SPARSE, "features": "1,2,3:01101001"}, "at most k = 2"),
        ("sparse-threshold", {**SPARSE, "features": "1,5:0110"}, r"found one over \[1, 5\]"),
        ("sparse-threshold", {**SPARSE, "features": "1,1:0110"}, "different places"),
        ("sparse-threshold", {**SPARSE, "features": "1,2:011"}, r"2\^2 values"),
        ("sparse-threshold", {**SPARSE, "features": ";".join(["1:01"] * 5)}, "at most N = 4"),
        ("sparse-threshold", {**SPARSE, "k": 13}, r"k: expected 1\.\.12"),
        ("sparse-threshold", {**SPARSE, "length": 5000}, "features times length"),
        ("k-dnf", {**FORMULA, "terms": 5}, "terms: expected 1..4"),
        ("k-dnf", {**FORMULA, "formula": "x1 & y2"}, "expected a literal such as x3 or !x3"),
        ("k-cnf", {**FORMULA, "formula": "x1 | x9"}, r"found one over \[1, 9\]"),
        ("k-cnf", {**FORMULA, "instance": -1}, "instance: expected 0"),
    ],
)
def test_parameters_that_no_task_has_are_refused(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message):
        oracle(name, parameters)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("intersects", {"length": 30, "address": "quadratic"}),
        ("intersects", {"length": 8, "residual": True, "arithmetic": "fixed:12,4"}),
        ("sparse-threshold", {"length": 9, "address": "code"}),
        ("sparse-threshold", {"length": 6, "arithmetic": "nearest:25"}),
        ("k-dnf", {"length": 7, "arithmetic": "float:5,10"}),
        ("k-cnf", {"length": 9, "residual": True, "arithmetic": "float32"}),
    ],
)
def test_a_fresh_certificate_is_accepted(name: str, chosen: dict[str, Any]) -> None:
    verdict = check_document(verify(build(name, **chosen), cases=20).document)
    assert verdict.holds, verdict.reason


@cache
def fresh() -> dict[str, Any]:
    return verify(build("sparse-threshold", length=7, k=2), cases=40).document


@pytest.mark.parametrize(
    ("part", "key", "value", "reason"),
    [
        ("parameters", "address", "quadratic", "parameters.address"),
        ("parameters", "address", "code", "parameters.address"),
        ("parameters", "residual", True, "parameters.residual"),
        ("task_parameters", "threshold", 2, "result"),
        ("task_parameters", "instance", 1, "result"),
        ("task_parameters", "features", "1,2:0110", "result"),
        ("task_parameters", "length", 6, "all inputs are 2^N = 2^6"),
        ("statement", "construction", "k-dnf", "statement"),
    ],
)
def test_a_resealed_false_claim_is_refused(part: str, key: str, value: Any, reason: str) -> None:
    document = fresh()
    verdict = check_document(sealed({**document, part: {**document[part], key: value}}))
    assert not verdict.holds
    assert reason in verdict.reason


def test_every_head_that_fetches_is_proven_at_every_place() -> None:
    values = [entry["value"] for entry in fresh()["evidence"] if entry["tag"] == "proven"]
    assert len(values) == 3  # two bits and the place's own table
    assert min(values) >= 0.9166  # 1 - 1/(4k + 4) with k = 2, rounded down


def test_an_exhaustive_certificate_is_accepted() -> None:
    for name in ("intersects", "sparse-threshold", "k-dnf", "k-cnf"):
        document = certify(build(name, length=6), [{"kind": "all", "seed": 0, "count": 64}]).document
        assert check_document(document).holds
        assert document["evidence"][-1] == {"tag": "exhaustive", "what": "all", "count": 64}
