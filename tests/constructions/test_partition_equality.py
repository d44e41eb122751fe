"""Equality over any balanced partition, by stored pointers."""

from __future__ import annotations

import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.constructions.bhattamishra2024.partition_equality import protocol_costs
from separatrix.errors import BadInput
from separatrix.tasks import Batch

NAME = "equality/partition"


def wrong(built: Built, batch: Batch) -> int:
    """How many rows are answered wrongly."""
    return int((logits_of(built.model, batch).argmax(axis=1) != batch.targets[batch.mask]).sum())


@pytest.mark.parametrize("instance", range(20))
def test_twenty_random_partitions_of_64_places_are_computed(instance: int) -> None:
    address = ("binary", "quadratic", "code")[instance % 3]
    built = build(NAME, length=64, instance=instance, address=address, residual=instance % 2 == 1)
    for kind, count in (("one-change", 32), ("equal", 8), ("random", 16)):
        assert wrong(built, built.task.cases(kind, instance, count)) == 0, kind


def test_every_string_over_every_partition_of_six_places_is_right() -> None:
    strings, met = None, 0
    for a in range(2, 7):
        for b in range(a + 1, 7):
            built = build(NAME, length=6, first=(1, a, b))
            strings = torch.tensor([*built.task.inputs()])
            with torch.no_grad():
                predicted = built.model(strings, at=-1).argmax(dim=1)
            assert predicted.tolist() == [built.task.answer(row) for row in strings.tolist()]
            met += 1
    assert met == 10  # with place 1 on one side


def test_the_contiguous_partition_is_equality() -> None:
    ours, plain = build(NAME, length=10, first=(1, 2, 3, 4, 5)), build("equality", length=10)
    strings = torch.tensor([*plain.task.inputs()])
    with torch.no_grad():
        assert torch.equal(ours.model(strings, at=-1), plain.model(strings, at=-1))


def test_it_has_the_size_of_equality_and_stores_its_pointers() -> None:
    ours, plain = build(NAME, length=64).sizes(), build("equality", length=64).sizes()
    assert {key: ours[key] for key in ("layers", "heads", "width")} == {key: plain[key] for key in ("layers", "heads", "width")}
    assert ours["parameter_bits"] - plain["parameter_bits"] == 64 * 6  # the earlier places of 32 pairs, up to 60, have 6 bits


def test_a_pointer_to_the_wrong_place_is_noticed() -> None:
    built = build(NAME, length=8, first=(1, 3, 5, 7))
    pointers = built.model.embedding.every_place()[1].pointers
    assert pointers is not None
    assert pointers.tolist() == [1, 1, 3, 3, 5, 5, 7, 7]
    pointers[3] = 5
    assert wrong(built, built.task.cases("one-change", 0, 8)) + wrong(built, built.task.cases("equal", 0, 8)) > 0


@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:14,6", "nearest:25"])
def test_its_certificates_are_accepted(arithmetic: str) -> None:
    certificate = verify(build(NAME, length=32, symbols=3, instance=5, arithmetic=arithmetic), cases=20)
    assert certificate.holds
    verdict = check_document(certificate.document)
    assert verdict.holds, verdict.reason


def test_no_protocol_of_the_one_layer_kind_can_serve_two_layers() -> None:
    costs = protocol_costs((64, 256, 1024, 4096))
    assert [(c.m, c.H, c.bits) for c in costs] == [(19, 2, 32), (25, 2, 128), (31, 2, 512), (37, 2, 2048)]  # m = 1 + 3 log2 N
    assert [c.p for c in costs] == [14, 18, 22, 26]  # a sign, f = log2 N, and one more for integers
    for c in costs:
        assert c.least == pytest.approx(c.N / 2 / (c.m * c.p * c.H))
        assert 0.03 < c.least / c.scale < 1 / 24  # g grows like N / (log N)^2: the ratio tends to 1 / (2 * 3 * 2 * 2)
    assert [c.least / c.scale for c in costs] == sorted(c.least / c.scale for c in costs)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"length": 7}, "length N must be even"),
        ({"length": 6, "first": (1, 2)}, "first must name N/2 = 3 different places, found"),
        ({"length": 6, "first": (1, 2, 2)}, "first must name N/2 = 3 different places, found"),
        ({"length": 6, "first": (1, 2, 7)}, r"places must lie in 1\.\.N with N = 6"),
        ({"length": 64, "arithmetic": "fixed:20,5"}, "a uniform weight 1/64 vanishes"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build(NAME, **parameters)


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    steps = build(NAME, length=6, first=(1, 3, 4)).explain([0, 1, 1, 1, 0, 0])
    assert steps[0].values["pairs"] == [[1, 2], [3, 5], [4, 6]]
    assert steps[0].values["place each token reads"] == [1, 1, 3, 4, 3, 4]
    assert steps[1].values["differs"] == [0, 1, 0, 0, 1, 1]
    assert steps[3].values == {"says": 0, "expected": 0}
