"""Nearest neighbour: the label of the nearest vector in every pattern of margins, and what happens without each part of the proof."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.arithmetic import parse_format
from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import trial
from separatrix.constructions import build
from separatrix.constructions.parts.addresses import lookup
from separatrix.constructions.parts.induction import comparison
from separatrix.errors import BadInput
from separatrix.tasks import Batch
from separatrix.tasks.nearest_neighbor import NearestNeighbor

MODES = ("random", "gamma-below", "far", "exact-match")
MARGINS = ((0.3, 6), (0.1, 6), (0.03, 8), (0.01, 10), (0.001, 14))  # gamma, and a dimension whose grid has it


def wrong(built: Built, batch: Batch) -> int:
    """How many questions are answered wrongly."""
    return int((logits_of(built.model, batch).argmax(axis=1) != batch.targets[batch.mask]).sum())


def errors(built: Built, count: int = 40) -> dict[str, int]:
    """How many cases of each mode go wrong."""
    return {mode: wrong(built, built.task.cases(mode, seed=1, count=count)) for mode in MODES}


NONE = dict.fromkeys(MODES, 0)


@pytest.mark.parametrize(("gamma", "dimension"), MARGINS)
@pytest.mark.parametrize("address", ["binary", "quadratic", "code"])
@pytest.mark.parametrize("arithmetic", ["float64", "fixed:50,24"])
def test_the_nearest_label_is_read_in_four_patterns_of_margins(gamma: float, dimension: int, address: str, arithmetic: str) -> None:
    for N, residual in ((3, True), (22, False)):
        built = build(
            "nearest-neighbor", length=N, dimension=dimension, gamma=gamma, address=address, arithmetic=arithmetic, residual=residual
        )
        assert errors(built) == NONE


def test_the_width_is_15_and_does_not_depend_on_the_margin() -> None:
    # 2 d' + 3 with d' = 6: two vectors, a label, whether it is one, and a constant
    assert build("nearest-neighbor", length=60, dimension=6, gamma=0.3, address="quadratic").sizes()["width"] == 15
    assert build("nearest-neighbor", length=60, dimension=6, gamma=0.1, address="quadratic").sizes()["width"] == 15
    built = [build("nearest-neighbor", length=8, dimension=d, gamma=0.3, address="quadratic") for d in (6, 12, 14, 20)]
    assert [one.sizes()["width"] for one in built] == [15, 27, 31, 43]
    wide, narrow = (build("nearest-neighbor", length=60, dimension=14, gamma=gamma).sizes() for gamma in (0.3, 0.001))
    assert wide == narrow
    assert (wide["layers"], wide["heads"]) == (2, 2)


def test_sixty_vectors_are_searched_with_width_15() -> None:
    assert errors(build("nearest-neighbor", length=60, dimension=6, address="quadratic"), count=25) == NONE


@pytest.mark.parametrize("address", ["binary", "quadratic"])
def test_every_query_of_a_stream_is_answered_in_one_pass(address: str) -> None:
    built = build("nearest-neighbor", length=24, dimension=12, gamma=0.05, address=address)
    assert isinstance(built.task, NearestNeighbor)
    batch = built.task.one_pass(seed=0, count=200)
    assert batch.mask.sum() > 1000
    assert batch.mask.sum(axis=1).max() > 5
    assert wrong(built, batch) == 0


def test_what_comes_later_does_not_change_an_answer() -> None:
    built = build("nearest-neighbor", length=9, dimension=6, gamma=0.3)
    tokens = torch.from_numpy(built.task.sample(0, 20).tokens)
    with torch.no_grad():
        short, long = built.model(tokens[:, :9], at=-1), built.model(tokens)[:, 8]
    assert torch.equal(short.argmax(dim=1), long.argmax(dim=1))
    assert built.model.causal


def test_copying_and_rounding_leave_seven_tenths_of_the_margin() -> None:
    for gamma, dimension in MARGINS:
        facts = build("nearest-neighbor", length=60, dimension=dimension, gamma=gamma).claim.facts
        assert facts["share"] >= 1 - NearestNeighbor(60, dimension, gamma).margin / 32
        assert facts["lead"] >= 0.7 * facts["margin"]
        assert facts["share of layer 2"] >= 0.9
        assert build("nearest-neighbor", length=60, dimension=dimension, gamma=gamma, arithmetic="fixed:50,24").claim.facts["share"] == 1


def test_every_input_of_a_small_size_is_right() -> None:
    for arithmetic, residual in (("float64", False), ("fixed:12,4", True)):
        built = build("nearest-neighbor", length=3, dimension=2, gamma=1.0, arithmetic=arithmetic, residual=residual)
        certificate = trial(built, [{"kind": "all", "seed": 0, "count": 160}])  # 160 of 8 * 8 * 4 inputs keep the margin
        assert certificate.holds
        assert certificate.cases == 160


@pytest.mark.parametrize("arithmetic", ["float32", "bfloat16", "float:5,10", "nearest:31", "nearest:91", "fixed:15,4"])
def test_it_holds_in_every_kind_of_arithmetic(arithmetic: str) -> None:
    built = build("nearest-neighbor", length=8, dimension=6, gamma=0.3, arithmetic=arithmetic)
    assert errors(built) == NONE
    if arithmetic.startswith(("nearest", "fixed")):
        logits = logits_of(built.model, built.task.cases("far", 0, 40))
        assert {*np.abs(logits).ravel().tolist()} == {1.0}


# -- precision -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gamma", "dimension", "f"), [(0.2, 6, 3), (0.05, 8, 4), (0.01, 10, 5), (0.002, 13, 6)])
def test_grid_vectors_need_half_as_many_fractional_bits_as_the_margin(gamma: float, dimension: int, f: int) -> None:
    # R = 20, 72, 257 and 1958, and 2^f is the least power of two that is at least sqrt(R)
    built = build("nearest-neighbor", length=16, dimension=dimension, gamma=gamma, arithmetic=f"fixed:{f + 16},{f}")
    assert errors(built) == NONE
    with pytest.raises(BadInput, match=rf"multiples of 2\^-{f}, which are not representable in fixed:{f + 15},{f - 1}"):
        build("nearest-neighbor", length=16, dimension=dimension, gamma=gamma, arithmetic=f"fixed:{f + 15},{f - 1}")


def with_unit_vectors(built: Built, f: int) -> Built:
    """The same model on the vectors divided by sqrt(R), rounded down to f bits, in a format that has no more."""
    task = built.task
    assert isinstance(task, NearestNeighbor)
    model = type(built.model)(replace(built.model.config, arithmetic=f"fixed:{f + 40},{f}")).double()
    model.load_state_dict(built.model.state_dict())
    unit = torch.from_numpy(task.vectors).to(torch.float64) / math.sqrt(task.norm)
    with torch.no_grad():
        model.embedding.table[: task.keys, : task.dimension] = (unit * 2**f).floor() / 2**f
    return replace(built, program=replace(built.program, model=model))


@pytest.mark.parametrize(("gamma", "dimension"), [(0.2, 6), (0.05, 8), (0.01, 10), (0.002, 13)])
def test_rounded_unit_vectors_need_about_two_bits_more_than_the_margin(gamma: float, dimension: int) -> None:
    # least f of the corrected theorem for random unit vectors: 5, 7, 8 and 11, which is log2(1/gamma) + 2 or 3
    built = build("nearest-neighbor", length=16, dimension=dimension, gamma=gamma, address="quadratic", arithmetic="fixed:60,24")
    least = next(f for f in range(1, 16) if errors(with_unit_vectors(built, f), count=100) == NONE)
    assert math.log2(1 / gamma) + 0.5 < least < math.log2(1 / gamma) + 3
    assert errors(with_unit_vectors(built, least - 1), count=100) != NONE


# -- negative controls ---------------------------------------------------------------------------------------------------------


def changed(built: Built, layer: int, name: str, factor: float, rows: slice = slice(None)) -> Built:
    """The same model with some rows of a weight multiplied."""
    with torch.no_grad():
        getattr(built.model.each_layer()[layer].mixer, name)[rows] *= factor
    return built


def test_a_third_of_the_inverse_temperature_of_layer_2_is_too_little() -> None:
    built = changed(build("nearest-neighbor", length=24, dimension=6), 1, "query", 1 / 3)
    assert errors(built)["gamma-below"] == 40


def test_a_third_of_the_inverse_temperature_of_layer_1_blurs_the_copies() -> None:
    built = changed(build("nearest-neighbor", length=24, dimension=14, gamma=0.001), 0, "query", 1 / 3)
    assert errors(built)["gamma-below"] > 20


def test_if_keys_may_answer_too_then_far_neighbours_are_not_found() -> None:
    built = changed(build("nearest-neighbor", length=24, dimension=6), 1, "key", 0.0, slice(6, 7))  # the row that bars keys
    assert errors(built)["far"] == 40
    assert errors(built)["exact-match"] == 0


@pytest.mark.parametrize(("name", "harmless"), [("query", 0), ("key", 1), ("value", 0)])
def test_any_flipped_weight_of_layer_2_is_noticed(name: str, harmless: int) -> None:
    # in the row 4 label - 4 one of the keys the last term is the same for all, so its sign alone does not matter
    built = build("nearest-neighbor", length=8, dimension=6)
    weight = getattr(built.model.each_layer()[1].mixer, name)
    noticed = []
    for index in weight.detach().nonzero():
        with torch.no_grad():
            weight[tuple(index)] *= -1
        noticed.append(errors(built) != NONE)
        with torch.no_grad():
            weight[tuple(index)] *= -1
    assert noticed
    assert noticed.count(False) == harmless
    assert errors(built) == NONE


# -- bad input -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"length": 8, "gamma": 0.0}, r"gamma between unit vectors must lie in \(0, 2\], found 0.0"),
        ({"length": 8, "gamma": -0.1}, r"gamma between unit vectors must lie in \(0, 2\], found -0.1"),
        ({"length": 8, "dimension": 6, "gamma": 0.01}, "gamma = 0.01 is finer than the grid's step 0.1; dimension 10 is fine enough"),
        ({"length": 1}, "length N must be at least 2, found 1"),
        ({"length": 8, "dimension": 10, "gamma": 0.01, "arithmetic": "bfloat16"}, "no inverse temperature of bfloat16 puts 0.999"),
        ({"length": 60, "dimension": 6, "arithmetic": "fixed:13,4"}, "logits of layer 2 reach .*, more than fixed:13,4 holds"),
        ({"length": 60, "dimension": 6, "address": "quadratic", "arithmetic": "fixed:18,4"}, "logits need integers up to"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build("nearest-neighbor", **parameters)


def test_a_margin_that_rounding_may_take_is_refused() -> None:
    format = parse_format("float64")
    T = lookup("quadratic", 20, format, share=0.9)
    with pytest.raises(BadInput, match=r"x: a margin of 0.1 in <x, x'> is lost in float64, whose rounding may change it by 0.79"):
        comparison("x", 0.1, 1.0, 6, T, 20, format)  # the copies are off by 2 * 0.09 of their length each


def test_an_input_that_violates_the_margin_is_refused_with_the_margin_it_has() -> None:
    built = build("nearest-neighbor", length=3, dimension=6, gamma=0.3)
    tie = built.task.read("x1 y0 x2 y1 x0")  # both differ from the query in one coordinate of weight 1
    with pytest.raises(BadInput, match=r"the nearest vector must lead by gamma = 0.3, found 0.9 and then 0.9"):
        built.explain(tie)
    with pytest.raises(BadInput, match=r"expected x_1 y_1 .. x_k with k >= 2, found 'x1 x2 x3'"):
        built.explain(built.task.read("x1 x2 x3"))


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    for residual in (False, True):
        built = build("nearest-neighbor", length=3, dimension=6, gamma=0.3, residual=residual)
        steps = built.explain(built.task.read("x63 y0 x1 y1 x0"))
        assert [step.title for step in steps] == ["copy", "compare", "read", "decide"]
        assert steps[1].values["inner products"] == [-1.0, 0.9]
        assert steps[2].values["reads pair"] == 2
        assert steps[3].values == {"says": "y1", "expected": "y1"}
