"""Repeating a half: every symbol after the separator, in one causal pass."""

from __future__ import annotations

import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.tasks import Batch


def wrong(built: Built, batch: Batch) -> int:
    """How many of the asked symbols are said wrongly."""
    return int((logits_of(built.model, batch).argmax(axis=1) != batch.targets[batch.mask]).sum())


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:20,8", "nearest:35"])
@pytest.mark.parametrize("residual", [False, True])
def test_every_half_of_every_length_is_repeated(residual: bool, arithmetic: str) -> None:
    built = build("eq-ncp", length=10, symbols=3, residual=residual, arithmetic=arithmetic)
    for k in (2, 4, 6, 8, 10):
        tokens = torch.tensor([*built.task.at(k).inputs()])
        assert len(tokens) == 3 ** (k // 2)
        with torch.no_grad():
            predicted = built.model(tokens).argmax(dim=2)
        assert torch.equal(predicted[:, k // 2 : k], tokens[:, k // 2 + 1 :])  # from the separator to the last symbol but one


def test_the_trained_task_is_solved_at_all_its_lengths() -> None:
    built = build("eq-ncp", length=160)
    for kind in ("random", "two-symbols"):
        batch = built.task.cases(kind, 2, 60)
        assert batch.mask.sum() > 1500
        assert wrong(built, batch) == 0


def test_it_generates_the_half_from_the_separator_on() -> None:
    built = build("eq-ncp", length=20, symbols=7)
    half = [5, 5, 1, 6, 0, 5]
    tokens = [*half, 7]
    for _ in half:
        with torch.no_grad():
            tokens.append(int(built.model(torch.tensor([tokens]), at=-1).argmax()))
    assert tokens[7:] == half


def test_what_comes_later_does_not_change_an_answer() -> None:
    built = build("eq-ncp", length=12, symbols=5)
    tokens = torch.tensor([[4, 4, 1, 0, 5, 4, 4, 1, 0]])
    with torch.no_grad():
        whole = built.model(tokens)
        for t in range(9):  # before the separator too: a token there must not know where it will come
            assert torch.equal(whole[:, t], built.model(tokens[:, : t + 1], at=-1)), t


def test_it_takes_two_layers() -> None:
    for residual, heads in ((False, 2), (True, 1)):
        sizes = build("eq-ncp", length=40, symbols=16, residual=residual).sizes()
        assert (sizes["layers"], sizes["heads"]) == (2, heads)


def test_a_head_that_reads_one_place_beside_is_wrong() -> None:
    built = build("eq-ncp", length=20, symbols=64, residual=True)
    layout = built.layouts[0]
    with torch.no_grad():
        built.model.each_layer()[1].mixer.query[0, layout.where("one")] = 0  # it asks for place d, not d + 1
    assert wrong(built, built.task.cases("random", 0, 20)) > 50


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:24,8", "nearest:41"])
def test_its_certificates_are_accepted(arithmetic: str) -> None:
    certificate = verify(build("eq-ncp", length=30, symbols=9, arithmetic=arithmetic), cases=30)
    assert certificate.holds
    assert (certificate.strength, certificate.document["tests"]) == ("proven", [])
    verdict = check_document(certificate.document)
    assert verdict.holds, verdict.reason


def test_two_symbols_are_certified_too_though_few_inputs_exist() -> None:
    certificate = verify(build("eq-ncp", length=2, symbols=2), cases=5)  # the answer stands before the last token
    assert certificate.holds
    assert check_document(certificate.document).holds


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    steps = build("eq-ncp", length=12, symbols=4).explain([3, 1, 2, 4, 3])
    assert [step.title for step in steps] == ["count", "copy", "decode"]
    assert steps[0].values == {"place of the separator": 4, "read": 4, "d": 1, "asked": "symbol 2 of 3"}
    assert steps[1].values["place it reads"] == 2
    assert steps[2].values == {"says": 1}


def test_float32_is_certified_too() -> None:
    """Units that cancel are bounded together, so the error of another order of summation stays below the margin."""
    certificate = verify(build("eq-ncp", length=30, symbols=9, arithmetic="float32"))
    assert certificate.holds
    verdict = check_document(certificate.document)
    assert verdict.holds, verdict.reason
    assert verdict.claim.endswith("float32")
