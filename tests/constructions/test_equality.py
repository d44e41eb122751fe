"""Equality: exact on every string, and one step less of anything breaks it."""

from __future__ import annotations

import math

import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import batches, trial, verify
from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.constructions.least_precision import carried_over
from separatrix.errors import BadInput
from separatrix.tasks import Batch

ADDRESSES = ("binary", "quadratic", "code")


def wrong(built: Built, batch: Batch) -> int:
    """How many rows are answered wrongly."""
    return int((logits_of(built.model, batch).argmax(axis=1) != batch.targets[batch.mask]).sum())


def every_input(built: Built) -> Batch:
    ((_, batch),) = batches(built.task, {"kind": "all", "seed": 0, "count": built.task.input_count})
    return batch


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:24,12"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_all_strings_of_twelve_bits_are_right(address: str, arithmetic: str) -> None:
    built = build("equality", length=12, address=address, arithmetic=arithmetic)
    batch = every_input(built)
    assert len(batch.tokens) == 4096
    assert batch.targets.sum() == 64  # 2^6 strings have equal halves
    assert wrong(built, batch) == 0


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("address", [*ADDRESSES, "one-hot"])
def test_every_short_string_over_three_symbols_is_right(address: str, residual: bool) -> None:
    for N in (2, 4, 6):
        built = build("equality", length=N, symbols=3, address=address, residual=residual)
        batch = every_input(built)
        assert len(batch.tokens) == 3**N
        logits = logits_of(built.model, batch)
        assert wrong(built, batch) == 0
        assert set(logits[:, 0] + logits[:, 1]) == {1.0}  # the threshold says exactly 0 or 1


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_single_difference_among_256_symbols_is_seen(address: str) -> None:
    built = build("equality", length=256, address=address)
    for kind, count in (("one-change", 128), ("equal", 8), ("random", 8)):
        assert wrong(built, built.task.cases(kind, 1, count)) == 0, kind


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_single_difference_among_64_symbols_is_seen_in_fixed_point(address: str) -> None:
    built = build("equality", length=64, address=address, arithmetic="fixed:32,12")
    for kind, count in (("one-change", 32), ("equal", 8), ("random", 8)):
        assert wrong(built, built.task.cases(kind, 1, count)) == 0, kind


def test_a_thousand_symbols_of_a_large_alphabet_are_compared() -> None:
    built = build("equality", length=1024, symbols=1000, address="quadratic")
    assert wrong(built, built.task.cases("one-change", 2, 4)) == 0
    assert wrong(built, built.task.cases("equal", 2, 4)) == 0


def test_the_quadratic_address_makes_the_width_seven_for_every_length() -> None:
    # one coordinate for the symbol and three pairs: K(i), Q(i), Q(match(i))
    assert [build("equality", length=N, address="quadratic").sizes()["width"] for N in (8, 64, 1024)] == [7, 7, 7]
    sizes = build("equality", length=64, address="quadratic").sizes()
    assert (sizes["layers"], sizes["heads"]) == (2, 2)
    assert build("equality", length=64, address="quadratic", residual=True).sizes()["heads"] == 1


@pytest.mark.parametrize(("N", "f"), [(8, 3), (64, 6), (256, 8)])
def test_log2_N_fractional_bits_suffice_and_one_less_fails(N: int, f: int) -> None:
    # forced by the weight 1/N of the last layer, which is stored rounded down
    built = build("equality", length=N, arithmetic=f"fixed:{f + 12},{f}")
    batch = built.task.cases("one-change", 0, 16)
    assert wrong(built, batch) == 0
    with pytest.raises(BadInput, match=rf"a uniform weight 1/{N} vanishes in fixed:{f + 11},{f - 1}; log2 {N} = {f} fractional bits"):
        build("equality", length=N, arithmetic=f"fixed:{f + 11},{f - 1}")
    assert wrong(carried_over(built, f"fixed:{f + 11},{f - 1}"), batch) == 16  # every difference vanishes


def test_the_printed_temperature_does_not_round_a_weight_to_one() -> None:
    # N = 256, K = 2: 0.0302 is left where 1 / (2 N^2) = 7.63e-6 is allowed (erratum of Theorem 6)
    N, K = 256, 2
    printed, needed = math.log(N) + K * math.log(2 * N), 2 * math.log((N - 1) * (2 * N**K - 1))
    lost = []
    for temperature in (printed, needed):
        eta = torch.full((N,), temperature / 2, dtype=torch.float64)  # all competitors at half the logit
        eta[0] *= 2
        lost.append(1 - float(eta.softmax(dim=0)[0]))
    assert lost == [pytest.approx(0.0302, abs=5e-5), pytest.approx(1 / (2 * N**2), rel=1e-9)]


def test_an_attention_share_below_one_half_gives_wrong_answers() -> None:
    built = build("equality", length=64)
    with torch.no_grad():
        built.model.each_layer()[0].mixer.query *= 0.3
    assert wrong(built, built.task.cases("one-change", 0, 32)) + wrong(built, built.task.cases("equal", 0, 32)) > 0


def test_every_flipped_weight_is_noticed_but_those_of_units_that_only_cap() -> None:
    built = build("equality", length=8, address="quadratic")
    batch, unnoticed, flipped = every_input(built), set(), 0
    for name, weight in built.model.named_parameters():
        for index in weight.detach().nonzero():
            with torch.no_grad():
                weight[tuple(index)] *= -1
            if wrong(built, batch) == 0:
                unnoticed.add((name, *index.tolist()))
            with torch.no_grad():
                weight[tuple(index)] *= -1
            flipped += 1
    assert flipped == 49
    # the second unit of a threshold keeps it from exceeding 1; without it a difference counts more, and the answer is the same
    assert unnoticed == {
        ("layers.0.feedforward.outer", 0, 1),
        ("layers.0.feedforward.outer", 0, 3),
        ("layers.1.feedforward.inner", 1, 0),
        ("layers.1.feedforward.outer", 0, 1),
    }


@pytest.mark.parametrize(
    ("arithmetic", "address"),
    [("float64", "binary"), ("float64", "quadratic"), ("float64", "code"), ("float64", "one-hot"), ("float32", "binary"),
     ("float32", "quadratic"), ("fixed:14,6", "binary"), ("fixed:22,6", "quadratic"), ("nearest:25", "binary"), ("float:5,10", "binary")],
)  # fmt: skip
def test_its_certificates_are_accepted(arithmetic: str, address: str) -> None:
    certificate = verify(build("equality", length=64, address=address, arithmetic=arithmetic), cases=20)
    assert certificate.holds
    verdict = check_document(certificate.document)
    assert verdict.holds, verdict.reason
    lemmas = [entry["weight"] for entry in verdict.evidence if entry["kind"] == "lemma"]
    assert len(lemmas) == (2 if arithmetic in ("float64", "float32") else 0)  # two heads ask by position
    assert all(weight >= 0.75 for weight in lemmas)


def test_a_small_size_is_proven_without_a_case() -> None:
    certificate = verify(build("equality", length=8), cases=5)
    assert certificate.strength == "proven"
    assert certificate.document["tests"] == []
    assert check_document(certificate.document).holds


def test_a_wrong_model_is_certified_as_wrong() -> None:
    built = build("equality", length=8)
    with torch.no_grad():
        built.model.readout.weight *= -1
    certificate = trial(built, [{"kind": "one-change", "seed": 0, "count": 3}])
    assert certificate.errors == 3
    assert certificate.counterexample is not None
    assert certificate.counterexample["said"] == [1]
    assert certificate.counterexample["expected"] == [0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"length": 0}, "length N must be at least 2, found 0"),
        ({"length": 7}, "length N must be even"),
        ({"length": 8, "symbols": 1}, "symbols must lie in"),
        ({"length": 8, "address": "random"}, "expected one of binary, quadratic, code, one-hot"),
        ({"length": 64, "arithmetic": "fixed:8,5"}, "a uniform weight 1/64 vanishes|no inverse temperature"),
        ({"length": 64, "arithmetic": "fixed:13,6"}, "more than fixed:13,6 holds"),
        ({"length": 2000, "address": "quadratic", "arithmetic": "float32"}, "logits need integers up to"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build("equality", **parameters)


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    built = build("equality", length=6)
    steps = built.explain([0, 1, 1, 0, 0, 1])
    assert [step.title for step in steps] == ["match", "compare", "average", "decide"]
    assert steps[0].values["place each token reads"] == [1, 2, 3, 1, 2, 3]
    assert steps[1].values["differs"] == [0, 0, 0, 0, 1, 0]
    assert steps[3].values == {"says": 0, "expected": 0}
