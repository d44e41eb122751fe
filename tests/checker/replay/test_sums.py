"""The rule of sums: weights that grow, and an automaton beside open sums; against every input of small models."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.models.model import Model
from separatrix.checker.replay import sums
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.specs import spec_of
from separatrix.checker.specs.forms.automaton import Automaton
from separatrix.checker.specs.forms.local import Count, Part, Parts, different, none
from tests.checker.replay.proved import proved
from tests.checker.replay.small_models import attention, changed, damaged, described, made, not_above, random_model, true_lead

BUDGET = Budget(60)
EXACT = ("fixed:12,3", "fixed:16,6", "nearest:17", "nearest:21")


# -- what it proves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "units"),
    [
        ("equality/one-layer", {"length": 10}, 1),
        ("equality/one-layer", {"length": 200}, 1),
        ("equality/one-layer", {"length": 20, "symbols": 5}, 1),
        ("dyck/one-layer", {"length": 6}, 1),
        ("dyck/one-layer", {"length": 20}, 1),
    ],
)
def test_one_layer_builds_are_proven_by_one_unit_of_the_format(name: str, settings: dict[str, Any], units: int) -> None:
    model, task = made(name, **settings)
    proof = proved("sums", model, task, BUDGET)
    assert proof.rule == "sums"
    assert model.ops.scale is not None
    assert proof.margin * model.ops.scale == units


@pytest.mark.slow
def test_dyck_is_proven_at_60_brackets() -> None:
    assert proved("sums", *made("dyck/one-layer", length=60), BUDGET).margin > 0


def one(model: Model) -> float:
    """One unit of the format."""
    assert model.ops.scale is not None
    return 1 / model.ops.scale


@pytest.mark.parametrize(
    ("tensor", "at", "why"),
    [
        ("embedding.places.0.address.table", (0, 0), "where their predicate does not hold"),  # the halves have different weights there
        ("embedding.gate", (0,), "where their predicate does not hold|may trail"),
    ],
)
def test_equality_with_one_weight_moved_by_one_unit_is_not_proven(tensor: str, at: tuple[int, ...], why: str) -> None:
    model, task = made("equality/one-layer", length=10)
    weaker = changed(model, tensor, at, one(model))
    with pytest.raises(Unproven, match=why):
        proved("sums", weaker, task, BUDGET)


def test_a_difference_that_is_seen_in_one_direction_only_is_not_proven() -> None:
    model, task = made("equality/one-layer", length=10)
    weaker = changed(model, "layers.0.feedforward.outer", (0, 1), -1.0)  # relu(t) in the place of |t|
    with pytest.raises(Unproven, match="may trail"):
        proved("sums", weaker, task, BUDGET)


def test_weights_that_do_not_grow_fast_enough_are_named() -> None:
    model, task = made("equality/one-layer", length=10)
    weaker = changed(model, "embedding.places.0.address.table", (1, 0), -one(model))  # 1, 1, 4, .. instead of 1, 2, 4, ..
    weaker = changed(weaker, "embedding.places.0.address.table", (6, 0), one(model))
    with pytest.raises(Unproven, match="may be outweighed by others, which add 1"):
        proved("sums", weaker, task, BUDGET)


@pytest.mark.parametrize("holds", [[False, False], [True, True]])
def test_a_predicate_that_never_or_always_holds_is_named(holds: list[bool]) -> None:
    """A formula may have a term such as x1 & !x1."""
    model, task = made("equality/one-layer", length=6)
    form = task.form()
    assert isinstance(form, Count)
    parts = form.at(form.lengths[-1])
    more = Parts(parts.alphabets, (*parts.parts, Part((0,), np.array(holds))))
    with pytest.raises(Unproven, match="each of which may"):
        sums.least_lead(model, Count(form.lengths, lambda _: more, none, form.few, form.many), BUDGET)


def test_a_coordinate_that_is_another_sum_is_named() -> None:
    rng = np.random.default_rng(0)
    other = random_model(rng, described(3, 4, 4, [attention(scores="uniform", heads=2)], 2, "fixed:16,6"))
    with pytest.raises(Unproven, match="is a different sum than coordinate"):
        sums.least_lead(other, spec_of("equality", {"length": 4, "symbols": 3}).form(), BUDGET)


@pytest.mark.parametrize("tensor", ["layers.0.feedforward.inner_bias", "layers.0.feedforward.inner", "embedding.gate"])
def test_dyck_with_one_weight_moved_is_not_proven(tensor: str) -> None:
    model, task = made("dyck/one-layer", length=6)
    refused = 0
    size = model.weights[tensor].size
    for entry in range(0, size, max(1, size // 12)):
        at = np.unravel_index(entry, model.weights[tensor].shape)
        weaker = changed(model, tensor, tuple(int(i) for i in at), 1.0)
        truth = true_lead(weaker, task.form(), product(range(4), repeat=6))
        try:
            assert proved("sums", weaker, task, BUDGET).margin <= truth
        except Unproven:
            refused += 1
    assert refused > 3


def test_other_formats_and_shapes_do_not_fit() -> None:
    with pytest.raises(Unfit):
        proved("sums", *made("equality", length=12), BUDGET)
    model, _ = made("equality/one-layer", length=10)
    with pytest.raises(Unfit):
        proved("sums", model, spec_of("index-lookup", {"length": 9, "symbols": 2, "distribution": "evaluation"}), BUDGET)


def test_a_walk_above_the_budget_is_not_finished() -> None:
    with pytest.raises(OverBudget):
        proved("sums", *made("dyck/one-layer", length=20), Budget(0.05))


# -- soundness ---------------------------------------------------------------------------------------------------------------------


def uniform(rng: np.random.Generator, hidden: int, value_width: int) -> dict[str, Any]:
    masks = ({"kind": "all"}, {"kind": "causal"}, {"kind": "window", "size": 3})
    return attention(
        scores="uniform",
        mask=masks[rng.integers(3)],
        value_width=value_width,
        bias=bool(rng.integers(2)),
        feedforward={"hidden": hidden, "activation": "relu", "bias": bool(rng.integers(2))},
    )


def random_automaton(rng: np.random.Generator, alphabets: tuple[range, ...]) -> Automaton:
    """Three states and any steps."""
    steps, answers = rng.integers(0, 3, size=(3, 4)), rng.integers(0, 2, size=3)
    return Automaton(alphabets, 0, lambda state, token: int(steps[state, token]), lambda state: int(answers[state]))


def beside_an_automaton(rng: np.random.Generator) -> tuple[Model, Automaton, tuple[range, ...]]:
    """Every token writes into coordinates of its own, and hidden units add some of them up."""
    n, vocabulary = int(rng.integers(2, 5)), int(rng.integers(2, 4))
    document = described(vocabulary, n, n, [uniform(rng, int(rng.integers(1, 6)), n)], 2, str(rng.choice(EXACT)))
    document["embedding"]["gated"] = True
    document["embedding"]["places"][0]["projected"] = False
    model = random_model(rng, document)
    scale = model.ops.scale
    assert scale is not None
    for name in ("layers.0.mixer.value", "layers.0.mixer.out"):
        model = diagonal(model, name, rng)
    model.weights["embedding.table"][:] = 0
    alphabets = tuple(range(vocabulary) if rng.random() < 0.8 else range(1, 2) for _ in range(n))
    return model, random_automaton(rng, alphabets), alphabets


def diagonal(model: Model, name: str, rng: np.random.Generator) -> Model:
    """The same model with a diagonal matrix of 1, 2 and 4, of which one entry may stand elsewhere."""
    size = model.weights[name].shape
    matrix = np.diag(rng.choice([1, 2, 4], size=size[0])) * (model.ops.scale or 1)
    if rng.random() < 0.1:
        matrix[tuple(rng.integers(s) for s in size)] = model.ops.scale or 1
    model.weights[name][:] = matrix
    model.layers[0] = {key.removeprefix("layers.0."): tensor for key, tensor in model.weights.items() if key.startswith("layers.0.")}
    return model


def growing(rng: np.random.Generator) -> tuple[Model, Count, tuple[range, ...]]:
    """Places weigh 1, 2, 4, .. or 3, 9, .., now and then a little more or less; halves that agree cancel."""
    h, vocabulary, designed = int(rng.integers(1, 3)), int(rng.integers(2, 4)), rng.random() < 0.5
    layer = uniform(rng, 2, 2) if designed else uniform(rng, int(rng.integers(1, 4)), int(rng.integers(1, 3)))
    document = described(vocabulary, 2 * h, 1, [layer], 2, str(rng.choice(EXACT)))
    document["embedding"] |= {"gated": True}
    document["embedding"]["places"][0] |= {"address": "table", "dims": 1, "extent": 2 * h, "projected": False}
    model = random_model(rng, document, symbol=0)
    scale = model.ops.scale
    assert scale is not None
    powers = [int(rng.choice([vocabulary, vocabulary + 1, 2])) ** i for i in range(h)]
    table = np.array([*powers, *(-p for p in powers)]) * int(rng.choice([1, scale // 2, scale]))
    if rng.random() < 0.3:
        table[rng.integers(2 * h)] += int(rng.choice([-1, 1]))
    model.weights["embedding.places.0.address.table"][:, 0] = table
    model.weights["embedding.gate"][:] = np.arange(vocabulary) * scale // int(rng.choice([1, 2]))
    model.weights["embedding.table"][:] = 0
    if designed:  # |U - U'| for the sum and its negative
        for name, matrix in (("mixer.value", [[1], [-1]]), ("mixer.out", [[1, -1]]), ("feedforward.inner", [[1], [-1]])):
            model.weights[f"layers.0.{name}"][:] = np.array(matrix) * scale
        model.weights["layers.0.feedforward.outer"][:] = scale
        model.weights["readout.weight"][:] = np.array([[scale], [-scale]])
        for name in model.weights:
            if name.endswith("_bias"):
                model.weights[name][:] = 0
        model.weights["readout.bias"][:] = np.array([0, 1])
    alphabets, apart = (range(vocabulary),) * (2 * h), different(vocabulary)
    parts = Parts(alphabets, tuple(Part((i, i + h), apart) for i in range(h)))
    few = 1 if designed else int(rng.integers(2))
    return model, Count(range(2 * h, 2 * h + 1), lambda _: parts, none, few=few, many=1 - few), alphabets


def compare(rng: np.random.Generator) -> str:
    model, form, alphabets = growing(rng) if rng.random() < 0.5 else beside_an_automaton(rng)
    kind = type(form).__name__
    try:
        bound = sums.least_lead(model, form, BUDGET)
    except Unproven:
        return f"{kind} not covered"
    truth = true_lead(model, form, product(*alphabets))
    assert not_above(bound, truth, model)
    return f"{kind} {'proven' if bound > 0 else 'bounded'}"


def test_no_bound_on_a_random_model_is_above_the_truth() -> None:
    rng = np.random.default_rng(0)
    found = [compare(rng) for _ in range(400)]
    assert min(found.count("Count bounded"), found.count("Automaton bounded"), found.count("Count proven")) > 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_no_bound_on_a_thousand_random_models_is_above_the_truth(seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = [compare(rng) for _ in range(1000)]
    assert min(found.count(kind) for kind in ("Count bounded", "Automaton bounded", "Count proven")) > 10


def test_no_bound_on_a_damaged_build_is_above_the_truth() -> None:
    rng = np.random.default_rng(1)
    bounded = 0
    kinds = set()
    for _ in range(60):
        sound, task = made(*(("equality/one-layer",), ("dyck/one-layer",))[rng.integers(2)], length=6)
        model, form = damaged(rng, sound), task.form()
        try:
            bound = sums.least_lead(model, form, BUDGET)
        except Unproven:
            continue
        bounded += 1
        kinds.add((task.name, bound > 0))
        assert not_above(bound, true_lead(model, form, product(range(task.vocabulary), repeat=6)), model)
    assert bounded > 20
    assert len(kinds) == 4  # both tasks, right and wrong
