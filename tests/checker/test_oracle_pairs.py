"""The checker's own oracles of recall and nearest neighbour: the same cases, drawn by other code."""

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
    ("mqar", {"length": 2}),
    ("mqar", {"length": 16}),
    ("mqar", {"length": 10, "symbols": 50, "labels": 7}),
    ("associative-recall", {"length": 1}),
    ("associative-recall", {"length": 9, "symbols": 9, "labels": 3}),
    ("nearest-neighbor", {"length": 2, "dimension": 3, "gamma": 0.7}),
    ("nearest-neighbor", {"length": 80, "dimension": 14, "gamma": 0.001}),
    ("nearest-neighbor", {"length": 9, "dimension": 4, "gamma": 1.9}),
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


@pytest.mark.parametrize(
    ("name", "chosen", "count"),
    [("associative-recall", {"length": 2}, 96), ("nearest-neighbor", {"length": 3, "dimension": 2, "gamma": 1.0}, 160),
     ("nearest-neighbor", {"length": 2, "dimension": 2, "gamma": 1.0}, 32)],
)  # fmt: skip
def test_all_inputs_come_in_the_order_of_the_task(name: str, chosen: dict[str, Any], count: int) -> None:
    task = make_task(name, **chosen)
    listed = [(tuple(tokens.tolist()), [*wanted.values()]) for tokens, wanted in oracle(name, task.parameters).cases("all", 0, count)]
    assert listed == [(tokens, [task.answer(tokens)]) for tokens in task.inputs()]
    with pytest.raises(Refused, match="all inputs"):
        [*oracle(name, task.parameters).cases("all", 0, count - 1)]


PAIRS: dict[str, Any] = {"length": 4, "symbols": None, "labels": 2}
NEAREST: dict[str, Any] = {"length": 4, "dimension": 6, "gamma": 0.1, "distribution": "evaluation"}


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("mqar", {**PAIRS, "length": 5}, "even"),
        ("mqar", {**PAIRS, "symbols": 1}, "symbols: expected 2"),
        ("associative-recall", {**PAIRS, "labels": 1}, "labels: expected 2"),
        ("nearest-neighbor", {**NEAREST, "gamma": 0.0}, "gamma"),
        ("nearest-neighbor", {**NEAREST, "gamma": -0.5}, "gamma"),
        ("nearest-neighbor", {**NEAREST, "gamma": 0.05}, "gamma: expected a margin between 2/R and 2 with R = 20, found 0.05"),
        ("nearest-neighbor", {**NEAREST, "gamma": 2.1}, "gamma"),
        ("nearest-neighbor", {**NEAREST, "dimension": 21}, "dimension"),
        ("nearest-neighbor", {**NEAREST, "distribution": "training"}, "evaluation distribution"),
    ],
)
def test_parameters_that_no_task_has_are_refused(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message):
        oracle(name, parameters)


def test_cases_that_a_task_does_not_have_are_refused() -> None:
    for name, parameters, kind in (
        ("mqar", PAIRS, "all"),
        ("associative-recall", PAIRS, "far"),
        ("nearest-neighbor", NEAREST, "lone-label"),
    ):
        with pytest.raises(Refused, match=f"{name} has no cases '{kind}'"):
            next(oracle(name, parameters).cases(kind, 0, 1))
    with pytest.raises(Refused, match="too many inputs"):
        next(oracle("nearest-neighbor", NEAREST).cases("all", 0, 1))


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("nearest-neighbor", {"length": 9, "dimension": 6, "address": "quadratic"}),
        ("nearest-neighbor", {"length": 5, "dimension": 6, "gamma": 0.3, "residual": True, "arithmetic": "fixed:14,3"}),
        ("nearest-neighbor", {"length": 5, "dimension": 6, "gamma": 0.3, "arithmetic": "bfloat16"}),
        ("nearest-neighbor/label-address", {"length": 6, "dimension": 6}),
        ("mqar", {"length": 8, "labels": 5, "address": "code"}),
        ("mqar", {"length": 8, "residual": True, "arithmetic": "fixed:16,5"}),
        ("associative-recall", {"length": 6, "address": "one-hot", "arithmetic": "float32"}),
    ],
)
def test_a_fresh_certificate_is_accepted(name: str, chosen: dict[str, Any]) -> None:
    verdict = check_document(verify(build(name, **chosen), cases=20).document)
    assert verdict.holds, verdict.reason


@cache
def fresh(name: str, length: int) -> dict[str, Any]:
    return verify(build(name, length=length), cases=40).document


@pytest.mark.parametrize(
    ("part", "key", "value", "reason"),
    [
        ("parameters", "address", "one-hot", "parameters.address"),
        ("parameters", "residual", True, "parameters.residual"),
        ("task_parameters", "length", 6, "vocabulary"),
        ("task_parameters", "labels", 3, "vocabulary"),
        ("task_parameters", "symbols", 9, "vocabulary"),
        ("statement", "cites", "bhattamishra2024 Theorem 13", "statement"),
        ("statement", "task", "associative-recall", "statement"),
    ],
)
def test_a_resealed_false_claim_is_refused(part: str, key: str, value: Any, reason: str) -> None:
    document = fresh("mqar", 8)
    verdict = check_document(sealed({**document, part: {**document[part], key: value}}))
    assert not verdict.holds
    assert reason in verdict.reason


@pytest.mark.parametrize(("key", "value"), [("gamma", 0.2), ("dimension", 7), ("length", 5)])
def test_another_margin_or_length_is_another_claim(key: str, value: float) -> None:
    document = verify(build("nearest-neighbor", length=4, dimension=6), cases=30).document
    verdict = check_document(sealed({**document, "task_parameters": {**document["task_parameters"], key: value}}))
    assert not verdict.holds


def test_both_heads_of_layer_1_are_proven_at_every_place() -> None:
    values = [entry["value"] for entry in fresh("mqar", 8)["evidence"] if entry["tag"] == "proven"]
    assert len(values) == 2
    assert min(values) >= 0.9791  # 1 - gamma/32 with gamma = 2/3, as d' = 3, rounded down


def test_an_exhaustive_certificate_is_accepted() -> None:
    document = certify(build("associative-recall", length=2), [{"kind": "all", "seed": 0, "count": 96}]).document
    assert check_document(document).holds
    assert document["evidence"][-1] == {"tag": "exhaustive", "what": "all", "count": 96}
