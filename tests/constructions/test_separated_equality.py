"""Equality with a separator: one model for every even length up to N."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.constructions.bhattamishra2024 import separated_equality
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import Gadget
from separatrix.constructions.least_precision import carried_over
from separatrix.errors import BadInput
from separatrix.tasks import Batch


def wrong(built: Built, batch: Batch) -> int:
    """How many rows are answered wrongly."""
    return int((logits_of(built.model, batch).argmax(axis=1) != batch.targets[batch.mask]).sum())


def wrong_strings(built: Built, k: int) -> tuple[int, int]:
    """All strings of k symbols with their separator: how many there are, and how many are answered wrongly."""
    strings = [*built.task.at(k).inputs()]
    with torch.no_grad():
        predicted = built.model(torch.tensor(strings), at=-1).argmax(dim=1)
    return len(strings), int((predicted != torch.tensor([built.task.answer(string) for string in strings])).sum())


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:20,8", "nearest:35"])
@pytest.mark.parametrize("residual", [False, True])
def test_every_string_of_every_even_length_is_right(residual: bool, arithmetic: str) -> None:
    built = build("eq-random", length=8, residual=residual, arithmetic=arithmetic)
    assert [wrong_strings(built, k) for k in (2, 4, 6, 8)] == [(4, 0), (16, 0), (64, 0), (256, 0)]


def test_any_alphabet_will_do() -> None:
    built = build("eq-one", length=6, symbols=3)
    assert [wrong_strings(built, k) for k in (2, 4, 6)] == [(9, 0), (81, 0), (729, 0)]


@pytest.mark.parametrize("name", ["eq-random", "eq-one"])
def test_the_trained_tasks_are_solved_at_all_their_lengths(name: str) -> None:
    built = build(name, length=120)
    batch = built.task.sample(4, 200)
    assert len({*batch.lengths.tolist()}) > 30
    assert 60 < batch.targets.sum() < 140
    assert wrong(built, batch) == 0
    for kind in ("one-change", "equal"):
        assert wrong(built, built.task.cases(kind, 0, 60)) == 0


def test_it_takes_three_layers_and_two_heads_or_one() -> None:
    for residual, heads in ((False, 2), (True, 1)):
        sizes = build("eq-random", length=40, residual=residual).sizes()
        assert (sizes["layers"], sizes["heads"]) == (3, heads)
    assert [build("eq-random", length=N).sizes()["width"] for N in (20, 200, 2000)] == [6, 6, 6]  # the address is a pair of numbers


def test_what_comes_after_the_last_symbol_does_not_matter() -> None:
    built = build("eq-random", length=20)
    batch = built.task.sample(0, 50)
    filled = np.where(np.arange(batch.tokens.shape[1]) < batch.lengths[:, None], batch.tokens, 1)
    assert (logits_of(built.model, batch) == logits_of(built.model, Batch(filled, batch.targets, batch.mask, batch.lengths))).all()


def test_one_fractional_bit_less_than_the_mean_needs_fails() -> None:
    # 64 tokens: a uniform weight of 1/64 needs f = 6
    built = build("eq-random", length=62, arithmetic="fixed:22,6")
    batch = built.task.cases("one-change", 0, 31)
    assert wrong(built, batch) == 0
    with pytest.raises(BadInput, match="a uniform weight 1/63 vanishes in fixed:22,5"):
        build("eq-random", length=62, arithmetic="fixed:22,5")
    assert wrong(carried_over(built, "fixed:22,5"), batch) == 31


def test_at_most_every_bit_of_half_the_symbols_may_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    whole = separated_equality.more_than

    def watched(b: int, mean: Form, n: int, most: int, *rest: Any) -> Gadget:
        counted.append((b, n, most))
        return whole(b, mean, n, most, *rest)

    monkeypatch.setattr(separated_equality, "more_than", watched)
    build("eq-one", length=14, symbols=20)
    assert counted == [(0, 15, 7 * 5)]  # 7 symbols of 5 bits behind the separator, of 15 tokens


@pytest.mark.parametrize("part", ["separator", "match"])
def test_a_head_that_is_too_blunt_fails(part: str) -> None:
    built = build("eq-random", length=40, residual=True)
    with torch.no_grad():
        built.model.each_layer()[part == "match"].mixer.query *= 0.02
    assert sum(wrong(built, built.task.cases(kind, 0, 20)) for kind in ("equal", "one-change")) > 0


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:24,8", "nearest:41"])
@pytest.mark.parametrize("name", ["eq-random", pytest.param("eq-one", marks=pytest.mark.slow)])
def test_its_certificates_are_accepted(name: str, arithmetic: str) -> None:
    certificate = verify(build(name, length=30, symbols=5, arithmetic=arithmetic), cases=30)
    assert certificate.holds
    verdict = check_document(certificate.document)
    assert verdict.holds, verdict.reason
    assert certificate.document["claim"]["parameters"]["distribution"] == "training"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"length": 9}, "length N must be even"),
        ({"length": 2000, "arithmetic": "float32"}, "logits need integers up to"),
        ({"length": 40, "arithmetic": "bfloat16"}, "logits need integers up to"),
        ({"length": 40, "arithmetic": "fixed:16,6"}, "logits need integers up to"),
        ({"length": 40, "distribution": "uniform"}, "expected one of evaluation, training"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build("eq-random", **parameters)


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    built = build("eq-random", length=12, symbols=4)
    steps = built.explain([3, 1, 2, 4, 3, 0, 2])
    assert [step.title for step in steps] == ["count", "match", "compare", "average", "decide"]
    assert steps[0].values == {"place of the separator": 4, "place each later token reads": [4, 4, 4]}
    assert steps[1].values["place each token reads"] == [1, 2, 3]
    assert [bool(v) for v in steps[2].values["differs"]] == [False, False, False, False, False, True, False]
    assert steps[4].values == {"says": 0, "expected": 0}
