"""The rule of content match: what it proves, and that each of its hypotheses matters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.checker.replay import Proof
from separatrix.checker.weights import Tensors
from tests.checker.replay.built import built, judged

BUILDS: list[tuple[str, dict[str, Any]]] = [
    ("associative-recall", {"length": 4}),
    ("associative-recall", {"length": 5, "labels": 5, "address": "quadratic"}),
    ("associative-recall", {"length": 3, "residual": True, "arithmetic": "float32"}),
    ("mqar", {"length": 8}),
    ("mqar", {"length": 8, "labels": 6, "residual": True, "arithmetic": "float32"}),
    ("mqar", {"length": 8, "residual": True, "address": "quadratic"}),
    ("mqar", {"length": 4, "arithmetic": "fixed:18,4"}),
    ("mqar", {"length": 4, "arithmetic": "nearest:41"}),
    ("nearest-neighbor", {"length": 6, "dimension": 5, "gamma": 0.2}),
    ("nearest-neighbor", {"length": 6, "dimension": 6, "gamma": 0.1, "residual": True}),
    ("nearest-neighbor", {"length": 4, "dimension": 8, "gamma": 0.05, "arithmetic": "fixed:18,4"}),
]


@pytest.mark.parametrize(("name", "parameters"), BUILDS, ids=[f"{name} {parameters}" for name, parameters in BUILDS])
def test_recall_and_nearest_neighbours_are_proven(name: str, parameters: dict[str, Any]) -> None:
    proof = judged(built(name, **parameters))
    assert isinstance(proof, Proof), proof
    assert proof.rule == "content match"
    assert 1.99 < proof.margin <= 2


def scaled(name: str, factor: float) -> Any:
    def change(w: Tensors) -> None:
        w[name] *= factor

    return change


@pytest.mark.parametrize("name", ["associative-recall", "mqar", "nearest-neighbor"])
def test_a_weaker_temperature_of_either_layer_is_no_longer_proven(name: str) -> None:
    parts = built(name, length=8, **({"dimension": 6} if name == "nearest-neighbor" else {}))
    assert isinstance(judged(parts), Proof)
    copies, compares = judged(parts, scaled("layers.0.mixer.query", 0.2)), judged(parts, scaled("layers.1.mixer.query", 0.2))
    assert "content match: layer 2, head 1: another token may have a larger logit than the label of the nearest key" in str(copies)
    assert "layer 1 copies keys with at least 0 of its weight" in str(copies)
    assert "content match: the read-out: label " in str(compares)


def test_the_margin_of_the_task_is_the_one_that_the_keys_have() -> None:
    """The same weights for keys that lead by less: nothing is proven of inputs that the construction was not made for."""
    document, tensors, task = built("nearest-neighbor", length=6, dimension=6, gamma=0.4)
    assert isinstance(judged((document, tensors, task)), Proof)
    from separatrix.checker.specs import spec_of

    closer = spec_of("nearest-neighbor", {"length": 6, "dimension": 6, "gamma": 0.1, "distribution": "evaluation"})
    assert "content match: " in str(judged((document, tensors, closer)))


def key_like_another(w: Tensors) -> None:
    w["embedding.table"][1] = w["embedding.table"][0]


def keys_before_labels(w: Tensors) -> None:
    """The last coordinate of layer 2 holds keys back; turned round, it holds labels back."""
    w["layers.1.mixer.key"][-1] *= -1


def labels_alike(w: Tensors) -> None:
    w["embedding.table"][-1] = w["embedding.table"][-2]


def read_out_turned(w: Tensors) -> None:
    w["readout.weight"][0] *= -1


def value_of_a_key(w: Tensors) -> None:
    """Keys bring a huge label along, which outweighs what is read although keys have little weight."""
    w["layers.1.mixer.value"][0] += 1e6 * w["layers.1.mixer.query"][0]


CHANGES = [key_like_another, keys_before_labels, labels_alike, read_out_turned, value_of_a_key]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("residual", [False, True])
def test_each_hypothesis_fails_by_one_changed_tensor(change: Any, residual: bool) -> None:
    parts = built("mqar", length=8, residual=residual)
    assert isinstance(judged(parts), Proof)
    assert isinstance(judged(parts, change), str)


def test_an_asking_key_that_sees_its_own_answer_is_not_judged_by_the_pairs_before_it() -> None:
    """Without a causal mask the labels behind the asking key are rivals with any key before them."""
    parts = built("mqar", length=8, residual=True)

    def everyone(d: dict[str, Any]) -> None:
        d["layers"][1]["mixer"]["mask"] = {"kind": "all"}

    assert "another token may have a larger logit" in str(judged(parts, None, everyone))
    alone = built("associative-recall", length=4, residual=True)  # nothing stands behind its only query
    assert isinstance(judged(alone, None, everyone), Proof)


@pytest.mark.parametrize(
    ("described", "words"),
    [
        (lambda d: d["layers"][1]["mixer"].update(rotary=True), "without rotary positions"),
        (lambda d: d["layers"][1]["mixer"].update(mask={"kind": "window", "size": 3}), "expected attention to all tokens, or all before"),
        (lambda d: d["layers"].pop(), "expected 2 layers of attention, found 1"),
        (
            lambda d: d["layers"][0]["mixer"].update(mask={"kind": "window", "size": 1}),
            "layer 1: the mask hides what head 1 is said to read",
        ),
    ],
)
def test_models_of_another_shape_are_told_what_is_expected(described: Any, words: str) -> None:
    parts = built("mqar", length=8, residual=True, address="quadratic")

    def fitted(w: Tensors) -> None:
        if "found 1" in words:
            for name in [name for name in w if name.startswith("layers.1")]:
                del w[name]

    why = judged(parts, fitted, described)
    assert isinstance(why, str)
    assert words in why


def test_hard_attention_copies_and_compares_exactly() -> None:
    def hard(d: dict[str, Any]) -> None:
        for layer in d["layers"]:
            layer["mixer"]["scores"] = "hard"

    proof = judged(built("associative-recall", length=4), None, hard)
    assert isinstance(proof, Proof), proof
    assert np.isclose(float(proof.margin), 2)
