"""Equality in one layer of width 1: exact, at the fewest bits, and no protocol shorter than the bound."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.bounds.limits import bounds_for
from separatrix.bounds.protocols.protocol import one_layer_model, protocol_cost, run_protocol
from separatrix.certificates.verify import plan, trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.constructions.bhattamishra2024 import equality_one_layer
from separatrix.constructions.least_precision import carried_over
from separatrix.errors import BadInput

NAME = "equality/one-layer"


@pytest.mark.parametrize(
    ("N", "symbols", "arithmetic"),
    [
        (2, 2, "fixed:3,1"),  # worked by hand: b N/2 + 1 bits from N = 8 on, before that f + 2
        (4, 2, "fixed:4,2"),
        (6, 2, "fixed:5,3"),
        (8, 2, "fixed:5,3"),
        (12, 2, "fixed:7,4"),
        (6, 3, "fixed:7,3"),
        (2, 64, "fixed:7,5"),
        (4, 7, "fixed:7,2"),
    ],
)
def test_every_input_is_answered_at_the_fewest_bits(N: int, symbols: int, arithmetic: str) -> None:
    built = build(NAME, length=N, symbols=symbols)
    assert built.claim.arithmetic == arithmetic
    certificate = verify(built, cases=10)
    assert certificate.holds, certificate.counterexample
    assert certificate.strength == "proven"
    verdict = check_text(certificate.to_json())
    assert verdict.holds, verdict.reason


@pytest.mark.parametrize(("N", "symbols"), [(64, 2), (200, 2), (500, 2), (100, 64)])
def test_long_strings_and_single_changes(N: int, symbols: int) -> None:
    built = build(NAME, length=N, symbols=symbols)
    b = (symbols - 1).bit_length()
    assert built.sizes()["width"] == 1
    assert built.sizes()["layers"] == 1
    assert built.sizes()["precision_bits"] == b * N // 2 + 1
    certificate = verify(built, cases=30)
    assert certificate.holds, certificate.counterexample


TESTED = [{"kind": "random", "seed": 0, "count": 200}, {"kind": "one-change", "seed": 0, "count": 80}]


@pytest.mark.parametrize("arithmetic", ["fixed:9,3", "fixed:7,4"])
def test_one_bit_less_is_refused(arithmetic: str) -> None:
    with pytest.raises(BadInput, match=r"^equality/one-layer, N = 16: expected at least 9 bits, 4 of them fractional and 1 for integers"):
        build(NAME, length=16, arithmetic=arithmetic)


def test_with_one_fractional_bit_less_all_strings_seem_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    """With three of them a weight of 1/16 is 0."""
    monkeypatch.setattr(equality_one_layer, "_refuse_too_narrow", lambda *_: None)
    certificate = trial(build(NAME, length=16, arithmetic="fixed:9,3"), TESTED)
    assert not certificate.holds
    assert certificate.counterexample is not None
    assert certificate.counterexample["said"] == [1]


def test_with_one_integer_bit_less_the_largest_powers_of_two_are_clamped() -> None:
    assert not trial(carried_over(build(NAME, length=16), "fixed:7,4"), TESTED).holds


@pytest.mark.parametrize("arithmetic", ["fixed:8,4", "float64", "nearest:49", "fixed:9,8"])
def test_formats_that_cannot_hold_it_are_refused(arithmetic: str) -> None:
    with pytest.raises(BadInput, match=rf"^equality/one-layer.* found {arithmetic}$"):
        build(NAME, length=16, arithmetic=arithmetic)


def test_no_weight_may_vanish() -> None:
    built = build(NAME, length=6)
    families = plan(built.task, 5, 0)
    for name, parameter in built.model.named_parameters():
        if name == "readout.weight":
            continue  # one of its two weights is enough, as a tie is decided for the first target
        for index in range(parameter.numel()):
            flat = parameter.data.view(-1)
            old = float(flat[index])
            if old == 0:
                continue
            flat[index] = 0
            assert not trial(built, families).holds, (name, index)
            flat[index] = old
    assert trial(built, families).holds


def test_as_a_protocol_it_sends_at_least_what_equality_needs() -> None:
    """The lower bound is N/2 + 1 bits; the model sends 1 + 2 (p + f) + 1 of them, for uniform attention says nothing but values."""
    for N in (8, 16, 40):
        built = build(NAME, length=N)
        model = one_layer_model(built.program.document()["model"], built.program.weights())
        p, f = model.numbers.bits, model.numbers.f
        tokens = np.random.default_rng(N).integers(0, 2, N).tolist()
        for x in (tokens, tokens[: N // 2] * 2):
            run = run_protocol(model, x, range(N // 2))
            assert run.transcript.bits == 1 + 2 * (p + f) + 1 >= N // 2 + 1
            assert run.transcript.answer == built.task.answer(x)
        assert run.transcript.bits <= protocol_cost(model, N).repaired
        width = next(row.value for row in bounds_for(built.task, p, f) if row.quantity == "width, one head")
        assert width <= built.sizes()["value_width"]


def test_the_proof_is_told_over_a_run() -> None:
    steps = build(NAME, length=4).explain([1, 0, 0, 1])
    assert steps[0].values == {"X": 1, "Y": 2}
    assert steps[-1].values == {"says": 0, "expected": 0}
