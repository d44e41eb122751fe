"""Recall: every key's label, for one query and for many in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.tasks import Batch, make_task


def wrong(built: Built, batch: Batch) -> int:
    """How many questions are answered wrongly."""
    return int((logits_of(built.model, batch).argmax(axis=1) != batch.targets[batch.mask]).sum())


def every_input(built: Built) -> Batch:
    """All inputs of a stream whose second half is asked, with the oracle's answers."""
    tokens = np.array([*built.task.inputs()], dtype=np.int64)
    targets, mask = np.zeros(tokens.shape, dtype=np.int64), np.zeros(tokens.shape, dtype=bool)
    mask[:, built.task.length :: 2] = True
    targets[:, built.task.length :: 2] = [built.task.answer(row) for row in tokens.tolist()]
    return Batch(tokens, targets, mask, np.full(len(tokens), tokens.shape[1]))


@pytest.mark.parametrize(("N", "width"), [(8, 11), (16, 12), (32, 13)])
def test_every_query_of_the_second_half_is_answered_in_one_pass(N: int, width: int) -> None:
    # d' + 8 or 2 d' + 3 coordinates with d' = 3, 4 and 5 bits of a key
    built = build("mqar", length=N, address="quadratic")
    assert built.sizes()["width"] == width
    for kind in ("random", "lone-label"):
        batch = built.task.cases(kind, seed=0, count=60)
        assert batch.mask.sum() == 60 * N // 2
        assert wrong(built, batch) == 0


@pytest.mark.parametrize("name", ["mqar", "associative-recall"])
@pytest.mark.parametrize("address", ["binary", "quadratic", "code", "one-hot"])
@pytest.mark.parametrize("arithmetic", ["float64", "fixed:30,8", "float32"])
def test_any_number_of_labels_is_recalled(name: str, address: str, arithmetic: str) -> None:
    for labels, symbols, residual in ((2, None, True), (5, 40, False)):
        built = build(name, length=10, labels=labels, symbols=symbols, address=address, residual=residual, arithmetic=arithmetic)
        for kind in built.task.case_kinds:
            assert wrong(built, built.task.cases(kind, seed=2, count=30)) == 0


def test_every_input_of_a_small_size_is_right() -> None:
    built = build("associative-recall", length=3, symbols=3)
    assert trial(built, [{"kind": "all", "seed": 0, "count": 6 * 8 * 3}]).holds
    for residual in (False, True):
        many = build("mqar", length=4, symbols=3, labels=3, residual=residual)
        batch = every_input(many)
        assert len(batch.tokens) == 6 * 9 * 2
        assert wrong(many, batch) == 0


@pytest.mark.parametrize(("symbols", "f"), [(4, 1), (16, 1), (17, 2), (64, 2)])
def test_keys_of_so_many_bits_need_few_fractional_ones(symbols: int, f: int) -> None:
    # codes of d' = 2, 4, 5 and 6 bits have norm sqrt(d') before they are scaled by 2^-f
    with pytest.raises(BadInput, match=rf"multiples of 2\^-{f}, which are not representable in fixed:20,{f - 1}"):
        build("associative-recall", length=4, symbols=symbols, arithmetic=f"fixed:20,{f - 1}")
    built = build("associative-recall", length=4, symbols=symbols, arithmetic="fixed:20,3")
    assert wrong(built, built.task.cases("lone-label", 0, 20)) == 0


@pytest.mark.parametrize(("symbols", "bits"), [(4, 2), (16, 4), (17, 5), (1000, 10)])
def test_the_margin_is_two_by_the_bits_of_a_key(symbols: int, bits: int) -> None:
    built = build("associative-recall", length=4, symbols=symbols)
    key, facts = built.model.embedding.table[0, :bits].detach(), built.claim.facts
    assert facts["margin"] == pytest.approx(2 / bits * float((key**2).sum()))
    assert facts["lead"] >= 0.7 * facts["margin"]


@pytest.mark.parametrize(("layer", "factor"), [(0, 0.2), (1, 0.1), (1, -1.0)])
def test_an_inverse_temperature_that_is_too_small_gives_wrong_answers(layer: int, factor: float) -> None:
    built = build("mqar", length=32)
    with torch.no_grad():
        built.model.each_layer()[layer].mixer.query *= factor
    batch = built.task.cases("lone-label", 0, 40)
    assert wrong(built, batch) >= 40  # of each case at least the query that is singled out


def test_one_flipped_coordinate_of_the_keys_is_noticed() -> None:
    built = build("mqar", length=16)
    batch = built.task.cases("random", 0, 60)
    for bit in range(4):
        with torch.no_grad():
            built.model.embedding.table[5, bit] *= -1
        assert wrong(built, batch) > 0
        with torch.no_grad():
            built.model.embedding.table[5, bit] *= -1
    assert wrong(built, batch) == 0


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("mqar", {"length": 7}, "length N must be even"),
        ("mqar", {"length": 8, "symbols": 3}, "4 distinct keys need as many symbols, found symbols = 3"),
        ("associative-recall", {"length": 4, "labels": 1}, r"labels must lie in 2..2\^24, found 1"),
        ("associative-recall", {"length": 64, "arithmetic": "fixed:8,4"}, "no inverse temperature of fixed:8,4"),
        ("mqar", {"length": 64, "arithmetic": "fixed:10,4"}, "logits of layer 2 reach"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build(name, **parameters)


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    built = build("mqar", length=4)
    steps = built.explain(built.task.read("x3 y0 x0 y1 x0 y1 x3"))
    assert [step.title for step in steps] == ["copy", "compare", "read", "decide"]
    assert steps[1].values == {"asked": "x3", "first occurs at pair": 1}
    assert (steps[2].values["reads pair"], steps[2].values["label there"]) == (1, "y0")
    assert steps[3].values == {"says": "y0", "expected": "y0"}
    assert build("associative-recall", length=2).explain((1, 4, 0, 5, 0))[3].values == {"says": "y1", "expected": "y1"}


@pytest.mark.parametrize("residual", [False, True])
def test_pairs_anywhere_among_filler_are_recalled_and_filler_never_answers(residual: bool) -> None:
    built = build("mqar", length=12, filler=30, labels=5, residual=residual)
    for kind in ("random", "lone-label"):
        assert wrong(built, built.task.cases(kind, seed=0, count=60)) == 0
    with pytest.raises(BadInput, match="mqar/hybrid-mamba2 has no parameter 'filler'"):
        build("mqar/hybrid-mamba2", length=12, filler=1)


@pytest.mark.parametrize("name", ["mqar", "associative-recall"])
@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:40,20"])
def test_an_absent_key_is_answered_by_none(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 12}, {"length": 12, "symbols": 13, "labels": 5, "filler": 9}, {"length": 2, "symbols": 3}):
        built = build(name, arithmetic=arithmetic, address="quadratic", absent=True, **chosen)
        for kind in ("random", "lone-label"):
            assert wrong(built, built.task.cases(kind, seed=3, count=40)) == 0, chosen
        drawn = built.task.sample(3, 40)
        assert (drawn.targets[drawn.mask] == built.task.labels).any()


def test_every_query_of_a_small_task_with_absent_keys_is_right_and_certified() -> None:
    for name, length in (("mqar", 4), ("associative-recall", 2)):
        verdict = check_text(verify(build(name, length=length, symbols=3, absent=True, filler=1)).to_json())
        assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason


def test_none_is_said_only_because_other_tokens_stand_between_a_match_and_the_rest() -> None:
    task = make_task("associative-recall", length=8, absent=True)
    batch = task.sample(1, 60)

    def right(change: float) -> float:
        built = build(task.name, **task.parameters)
        key = built.model.state_dict()["layers.1.mixer.key"]
        key[-1] *= change  # how much tokens that are no label score
        return 1 - wrong(built, batch) / 60

    assert right(1.0) == 1.0
    assert right(0.0) < 0.8  # an absent key takes the label of one like it
    assert right(1.5) < 0.8  # no key is ever found


def test_absent_keys_need_a_part_that_clears_copies() -> None:
    with pytest.raises(BadInput, match=r"^mqar: absent keys are built without a residual connection, found residual = true$"):
        build("mqar", length=8, absent=True, residual=True)
