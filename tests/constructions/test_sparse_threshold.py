"""Thresholds of sparse features: every truth table, every bound, and one step less of anything breaks it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import trial
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.tasks import Batch
from separatrix.tasks.sparse_threshold import SparseThreshold

COMBINATIONS = (  # address, arithmetic, residual
    ("binary", "float64", False),
    ("quadratic", "float64", True),
    ("code", "float32", False),
    ("binary", "fixed:14,5", True),
    ("quadratic", "fixed:20,6", False),
)


def wrong(built: Built, batch: Batch) -> int:
    """How many rows are answered wrongly."""
    return int((logits_of(built.model, batch).argmax(axis=1) != batch.targets[batch.mask]).sum())


def every_input(built: Built) -> Batch:
    """All inputs with the oracle's answers."""
    task, tokens = built.task, np.array([*built.task.inputs()], dtype=np.int64)
    targets, mask = np.zeros(tokens.shape, dtype=np.int64), np.zeros(tokens.shape, dtype=bool)
    targets[:, -1], mask[:, -1] = [task.answer(row) for row in tokens.tolist()], True
    return Batch(tokens, targets, mask, np.full(len(tokens), tokens.shape[1]))


def instances() -> list[tuple[int, SparseThreshold]]:
    """60 random instances, each with the bound at the exact count of one of its inputs, and one below."""
    results = []
    for number in range(60):
        rng = np.random.default_rng(number)
        N, k = int(rng.integers(3, 19)), int(rng.integers(1, 4))
        widths = rng.integers(1, min(k, N) + 1, size=int(rng.integers(1, N + 1)))  # also features of fewer than k bits, and places without
        features = [
            f"{','.join(map(str, 1 + rng.permutation(N)[:w]))}:{''.join(map(str, rng.integers(0, 2, size=2**w)))}" for w in widths.tolist()
        ]
        task = SparseThreshold(N, k, ";".join(features), 0)
        exact = int(task.count(rng.integers(0, 2, size=(1, N)))[0])
        results += [(number, replace(task, threshold=exact)), (number, replace(task, threshold=exact - 1))]
    return results


def test_sixty_random_instances_at_exact_counts() -> None:
    met, answers = 0, [0, 0]
    for number, task in instances():
        for address, arithmetic, residual in (COMBINATIONS[number % 5], COMBINATIONS[(number + 1) % 5]):
            built = build("sparse-threshold", **task.parameters, address=address, arithmetic=arithmetic, residual=residual)
            for kind in ("random", "edge"):
                batch = task.cases(kind, seed=number, count=40)
                assert wrong(built, batch) == 0, (task, address, arithmetic)
                met += 40
                answers[0] += int((batch.targets[batch.mask] == 0).sum())
    assert met == 60 * 2 * 2 * 2 * 40
    assert 0.3 < answers[0] / met < 0.7  # neither answer is always right


@pytest.mark.parametrize("residual", [False, True])
def test_every_function_of_two_bits_is_evaluated_on_every_input(residual: bool) -> None:
    tables = ["".join(bits) for bits in itertools.product("01", repeat=4)]
    for table in tables:
        built = build("sparse-threshold", length=3, k=2, features=f"3,1:{table}; 2:10", threshold=1, residual=residual)
        assert wrong(built, every_input(built)) == 0, table


def test_the_first_place_of_a_feature_is_the_left_bit_of_its_table() -> None:
    built = build("sparse-threshold", length=3, k=3, features="3,1,2:00001000", threshold=0)  # holds where x3 x1 x2 = 1 0 0
    predicted = logits_of(built.model, every_input(built)).argmax(axis=1)
    assert [bits for bits, value in zip(itertools.product((0, 1), repeat=3), predicted, strict=True) if value] == [(0, 0, 1)]


@pytest.mark.parametrize("name", ["intersects", "sparse-threshold", "k-dnf", "k-cnf"])
@pytest.mark.parametrize(("address", "arithmetic", "residual"), COMBINATIONS)
def test_every_input_of_a_small_size_is_right(name: str, address: str, arithmetic: str, residual: bool) -> None:
    built = build(name, length=8, address=address, arithmetic=arithmetic, residual=residual)
    certificate = trial(built, [{"kind": "all", "seed": 0, "count": 256}])
    assert certificate.holds
    assert certificate.cases == 256


@pytest.mark.parametrize("N", [2, 4, 6, 10])
@pytest.mark.parametrize("address", ["binary", "quadratic", "code", "one-hot"])
def test_sets_of_every_small_size_are_told_apart(N: int, address: str) -> None:
    built = build("intersects", length=N, address=address)
    assert wrong(built, every_input(built)) == 0


def test_formulas_given_as_text_are_built() -> None:
    for name, formula in (("k-dnf", "x1 & !x3 | x2 & x4 | !x5"), ("k-cnf", "(x1 | !x3) & (x2 | x4 | !x1) & x5")):
        built = build(name, length=5, formula=formula)
        assert wrong(built, every_input(built)) == 0


@pytest.mark.parametrize(("k", "N"), [(1, 7), (2, 15), (3, 31), (5, 15)])
def test_heads_and_width_are_those_of_the_corrected_theorem(k: int, N: int) -> None:
    # H = k + 1 and d = 1 + (k + 2) r + 2^k with r = log2(N + 1) coordinates of an address; k heads with a residual connection
    built, r = build("sparse-threshold", length=N, k=k), {7: 3, 15: 4, 31: 5}[N]
    assert built.sizes()["heads"] == k + 1
    assert built.sizes()["width"] == 1 + (k + 2) * r + 2**k
    assert build("sparse-threshold", length=N, k=k, residual=True).sizes()["heads"] == k
    assert build("sparse-threshold", length=N, k=k, address="quadratic").sizes()["width"] == 1 + (k + 2) * 2 + 2**k


def test_ten_bits_of_one_feature_are_carried() -> None:
    built = build("sparse-threshold", length=12, k=10, features=f"{','.join(map(str, range(1, 11)))}:{'01' * 512}", threshold=0)
    assert wrong(built, built.task.sample(0, 8)) == 0


@pytest.mark.parametrize(("N", "f"), [(15, 4), (31, 5), (63, 6)])
def test_the_least_fractional_bits_are_the_logarithm_of_the_tokens(N: int, f: int) -> None:
    # f = log2(N + 1): with one bit less a uniform weight 1/(N + 1) is stored as 0
    built = build("sparse-threshold", length=N, arithmetic=f"fixed:{f + 12},{f}")
    assert wrong(built, built.task.cases("edge", 0, 60)) == 0
    with pytest.raises(BadInput, match=rf"uniform weight 1/{N + 1} vanishes in fixed:{f + 11},{f - 1}; log2 {N + 1} = {f} fractional bits"):
        build("sparse-threshold", length=N, arithmetic=f"fixed:{f + 11},{f - 1}")


def test_with_one_fractional_bit_less_the_average_vanishes_and_answers_are_wrong() -> None:
    built = build("intersects", length=16, address="quadratic", arithmetic="fixed:20,4")
    config = replace(built.model.config, arithmetic="fixed:19,3")
    model = type(built.model)(config).double()
    model.load_state_dict(built.model.state_dict())
    coarse, batch = replace(built, program=replace(built.program, model=model)), built.task.cases("random", 0, 60)
    meet = batch.targets[batch.mask] == 1
    assert wrong(built, batch) == 0
    assert wrong(coarse, batch) == meet.sum() > 20


def test_an_inverse_temperature_that_is_too_small_gives_wrong_answers() -> None:
    built = build("intersects", length=64)
    batch = built.task.cases("random", 0, 200)
    with torch.no_grad():
        built.model.each_layer()[0].mixer.query *= 0.3
    assert wrong(built, batch) > 50


@pytest.mark.parametrize("name", ["query", "key", "value"])
def test_any_flipped_weight_of_a_head_that_fetches_bits_is_noticed(name: str) -> None:
    built = build("intersects", length=8, address="quadratic")
    batch, layer = every_input(built), built.model.each_layer()[0].mixer
    weight = getattr(layer, name)
    rows = 2 * (layer.config.value_width if name == "value" else layer.config.key_width)  # the third head keeps the table
    flips = [*weight.detach()[:rows].nonzero()]
    assert len(flips) >= 2
    for index in flips:
        with torch.no_grad():
            weight[tuple(index)] *= -1
        assert wrong(built, batch) > 0, index
        with torch.no_grad():
            weight[tuple(index)] *= -1
    assert wrong(built, batch) == 0


def test_any_other_pointer_is_noticed() -> None:
    built = build("intersects", length=8)
    batch, changed = every_input(built), 0
    for place in built.model.embedding.every_place():
        for i in range(4, 8) if place.pointers is not None else ():  # the places that have a feature
            assert place.pointers is not None
            place.pointers[i] += 1
            assert wrong(built, batch) > 0
            place.pointers[i] -= 1
            changed += 1
    assert changed == 8


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("sparse-threshold", {"length": 6, "features": "1,2,3,4:" + "01" * 8}, "may read at most k = 3 bits, found one that reads 4"),
        ("sparse-threshold", {"length": 2, "features": "1:01;2:01;1,2:0110"}, "at most N = 2 features, found 3"),
        ("sparse-threshold", {"length": 2, "features": "1,3:0110"}, r"places must lie in 1..N with N = 2, found \[1, 3\]"),
        ("sparse-threshold", {"length": 12, "k": 11}, "features over k = 11 bits need tables of 2.11 entries at every place; at most 2.10"),
        ("sparse-threshold", {"length": 64, "arithmetic": "bfloat16"}, "rounding in bfloat16 cannot distinguish 32 of 65 from 33"),
        ("sparse-threshold", {"length": 60, "arithmetic": "fixed:12,6"}, "counting to 60 of 61 needs numbers up to"),
        ("sparse-threshold", {"length": 60, "arithmetic": "fixed:9,7"}, "no inverse temperature of fixed:9,7"),
        ("intersects", {"length": 7}, "length N must be even"),
        ("intersects", {"length": 64, "address": "quadratic", "arithmetic": "fixed:18,6"}, "logits need integers up to"),
        ("k-dnf", {"length": 4, "formula": "x1 & x5"}, "places must lie in 1..N"),
        ("k-cnf", {"length": 4, "residual": "maybe"}, "expected true or false"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build(name, **parameters)


@pytest.mark.parametrize("threshold", [-3, 2, 50])
def test_bounds_that_are_always_or_never_exceeded_are_built(threshold: int) -> None:
    for arithmetic in ("float64", "fixed:12,4"):
        built = build("sparse-threshold", length=4, k=1, features="1:01; 3:10", threshold=threshold, arithmetic=arithmetic)
        assert {*logits_of(built.model, every_input(built)).argmax(axis=1).tolist()} == {int(threshold < 0)}


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    built = build("sparse-threshold", length=4, k=2, features="1,3:0110; 2,4:0001; 4:01", threshold=0)
    steps = built.explain(built.task.read("^ 1 0 1 1"))
    assert [step.title for step in steps] == ["embed", "fetch", "evaluate", "average", "decide"]
    assert steps[1].values["places that each feature reads"] == [[1, 3], [2, 4], [4]]
    assert steps[2].values["holds"] == [0, 0, 1]
    assert steps[3].values["mean"] == 1 / 5
    assert (steps[4].values["says"], steps[4].values["expected"]) == (1, 1)
    assert build("intersects", length=4).explain((1, 0, 1, 0))[2].values["holds"] == [0, 0, 1, 0]
