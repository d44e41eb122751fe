"""The checker's forward pass: how it is cut does not show, and weights of the wrong kind are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.checker.models import model as module
from separatrix.checker.models.mixers import attention
from separatrix.checker.seal import Refused
from tests.checker.models.small import ATTENTION, PLACE, document, layer, model, place, tensors

ARITHMETICS = ["float64", "float32", "fixed:12,4", "nearest:13", "float:8,7"]
DELTA = {"heads": 1, "key_width": 1, "value_width": 1, "convolution": 1, "negative": False}
LINEAR = {"kind": "linear-attention", "heads": 1, "key_width": 1, "value_width": 1, "bias": False}
BETWEEN = {"float:8,7": 1e-4, "float32": 1e-6}  # how far the middles of two boxes around one number lie apart
KINDS = ["sign", "quadratic", "one-hot", "table"]


def lookup(kind: str, pointers: int, arithmetic: str, **chosen: Any) -> dict[str, Any]:
    where = place(kind, pointers=pointers)
    return document(arithmetic, [layer({**ATTENTION, **chosen})], embedding={"places": [where], "number_address": where})


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pointers", [0, 40])
def test_a_long_input_read_in_blocks_gives_the_same_logits(
    arithmetic: str, kind: str, pointers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also at the first and the last position, and with numbers in the middle."""
    tokens, at = np.random.default_rng(2).integers(0, 5, 30), [29, 3, 17, 0]
    described = lookup(kind, pointers, arithmetic)
    whole = model(described).logits(tokens, at)
    monkeypatch.setattr(module, "BLOCK", 4)
    monkeypatch.setattr(module, "BLOCK", 4)
    blocks = model(described).logits(tokens, at)
    if whole.point:
        assert (whole.low == blocks.low).all()
    else:  # another order of summation: within both errors of the real numbers
        assert ((whole.low <= blocks.high) & (blocks.low <= whole.high)).all()
        assert (blocks.radius <= 1000 * whole.radius + 1e-30).all()
        assert np.allclose(whole.middle, blocks.middle, rtol=BETWEEN.get(arithmetic, 1e-12), atol=1e-12)
    assert len(np.unique(whole.middle)) > 2


@pytest.mark.parametrize("scores", ["softmax", "hard", "uniform"])
@pytest.mark.parametrize("mask", ["all", "causal", "window", "block-sparse"])
def test_blocks_do_not_show_under_any_mask(scores: str, mask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {"window": {"size": 3}, "block-sparse": {"block": 4, "local": 1, "global": 2}}
    described = lookup("table", 0, "fixed:12,4", scores=scores, mask={"kind": mask} | kinds.get(mask, {}))
    tokens = np.random.default_rng(5).integers(0, 5, 23)
    whole = model(described).logits(tokens, list(range(23))).middle
    monkeypatch.setattr(module, "BLOCK", 5)
    monkeypatch.setattr(module, "BLOCK", 5)
    assert (model(described).logits(tokens, list(range(23))).middle == whole).all()


@pytest.mark.parametrize("scores", ["softmax", "hard", "uniform"])
def test_readers_taken_a_few_at_a_time_give_the_same_logits(scores: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = np.random.default_rng(3).integers(0, 5, 11)
    ready = model(document(layers=[layer({**ATTENTION, "scores": scores})] * 2))
    whole = ready.logits(tokens, list(range(11))).middle
    monkeypatch.setattr(attention, "AT_ONCE", 30)  # two readers of eleven keys
    assert (ready.logits(tokens, list(range(11))).middle == whole).all()


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_several_inputs_side_by_side_give_what_each_gives_alone(arithmetic: str) -> None:
    ready = model(document(arithmetic, [layer()] * 2))
    tokens = np.random.default_rng(4).integers(0, 5, (6, 7))
    together = ready.logits(tokens, [6, 2])
    for b in range(6):
        alone = ready.logits(tokens[b], [6, 2])
        close = 1e-6 if arithmetic == "float32" else 1e-13  # a middle follows its ends, which are as far apart as the format is coarse
        assert np.allclose(together.middle[b].astype(float), alone.middle.astype(float), rtol=close, atol=1e-15)


def test_vectors_are_read_as_sums_of_rows() -> None:
    described = document("fixed:12,4", [layer()], embedding={"reads": "vectors", "numbers": 0, "number_address": None, "gated": False})
    weights = tensors(described)
    ready = model(described, weights)
    one_hot = np.eye(3, dtype=np.int64)[[2, 0, 1]]
    tokens = document("fixed:12,4", [layer()], embedding={"numbers": 0, "number_address": None, "gated": False})
    assert (ready.logits(one_hot, [2, 1]).middle == model(tokens, weights).logits(np.array([2, 0, 1]), [2, 1]).middle).all()
    doubled = {**weights, "embedding.table": weights["embedding.table"] * 2}
    assert (ready.logits(2 * one_hot, [2]).middle == model(tokens, doubled).logits(np.array([2, 0, 1]), [2]).middle).all()
    with pytest.raises(Refused, match=r"^an input is not made of vectors of 3 integers$"):
        ready.logits(np.zeros((4, 2), dtype=np.int64), [3])


def test_a_model_reads_as_many_tokens_as_it_says_and_no_more() -> None:
    ready = model(document(length=1))
    assert ready.logits(np.array([0]), [0]).shape == (1, 2)
    for tokens in ([0, 0], []):
        with pytest.raises(Refused, match=rf"^an input has {len(tokens)} tokens, the model reads 1\.\.1$"):
            ready.logits(np.array(tokens, dtype=np.int64), [0])


def test_a_token_outside_the_vocabulary_is_refused() -> None:
    for wrong in (5, -1):
        with pytest.raises(Refused, match=r"^an input has a token outside the model's vocabulary 0\.\.4$"):
            model(document()).logits(np.array([0, wrong]), [1])


def test_a_position_beyond_a_stored_table_is_refused() -> None:
    described = document(embedding={"places": [{**PLACE, "address": "table", "extent": 2}]})
    with pytest.raises(Refused, match=r"position 3 lies beyond the 2 positions that are stored$"):
        model(described).logits(np.zeros(3, dtype=np.int64), [0])


def test_a_logit_that_is_not_finite_is_refused_without_a_warning() -> None:
    described = document("float64", embedding={"places": [place("quadratic")]})
    weights = {name: tensor * (1 if tensor.dtype == np.uint8 else 1e200) for name, tensor in tensors(described).items()}
    with pytest.raises(Refused, match=r"^an input gives a logit that is not finite, or whose error is not bounded$"):
        model(described, weights).logits(np.array([0, 1, 4]), [2])


@pytest.mark.parametrize(("name", "wrong", "reason"), [
    ("readout.weight", np.zeros((2, 3), dtype=np.uint8), "does not hold floating-point numbers"),
    ("readout.weight", np.zeros((2, 3), dtype=np.int64), "does not hold floating-point numbers"),
    ("embedding.places.0.address.generator", np.full((2, 3), 2, dtype=np.uint8), "is not a matrix of bits"),
    ("embedding.places.0.address.generator", np.zeros((2, 3)), "is not a matrix of bits"),
    ("embedding.places.0.pointers", np.full(40, -1), r"does not hold integers 0\.\.2147483648"),
    ("embedding.places.0.pointers", np.full(40, 1 << 40), r"does not hold integers 0\.\.2147483648"),
    ("embedding.places.0.pointers", np.zeros(40), r"does not hold integers 0\.\.2147483648"),
    ("readout.weight", np.zeros((3, 3)), r"has shape \(3, 3\), the description requires \(2, 3\)"),
    ("readout.bias", np.array([0.0, 0.03]), "holds 0.03, which is not a number of fixed:12,4"),
])  # fmt: skip
def test_a_tensor_of_the_wrong_kind_is_refused(name: str, wrong: np.ndarray, reason: str) -> None:
    described = document(embedding={"places": [place("sign", pointers=40)]})
    with pytest.raises(Refused, match=rf"^weights: {name} {reason}$"):
        model(described, tensors(described) | {name: wrong})


def test_missing_and_superfluous_tensors_are_refused() -> None:
    weights = tensors(document())
    with pytest.raises(Refused, match=r"^weights: extra does not belong to the model$"):
        model(document(), weights | {"extra": np.zeros(1)})
    del weights["readout.weight"]
    with pytest.raises(Refused, match=r"^weights: readout.weight is missing$"):
        model(document(), weights)


@pytest.mark.parametrize(
    ("described", "what"),
    [
        (document(layers=[layer(norm="rms")]), "norm"),
        (document(readout={"norm": "layer"}), "norm"),
        (document(layers=[layer(feedforward={"hidden": 2, "activation": "gelu", "bias": True})]), "GeLU"),
        (document(layers=[layer(feedforward={"hidden": 2, "activation": "swiglu", "bias": True})]), "SwiGLU"),
        (document(layers=[layer({**ATTENTION, "scaled": True})]), "scaled logits"),
        (document(layers=[layer({**ATTENTION, "rotary": True})]), "rotary positions"),
        (document(layers=[layer({"kind": "lstm"})]), "LSTM"),
        (document(layers=[layer({"kind": "gru"})]), "GRU"),
        (document(layers=[layer({"kind": "elman"})]), "Elman network"),
        (document(layers=[layer(LINEAR)]), "linear attention"),
        (document(layers=[layer({"kind": "deltanet", **DELTA})]), "DeltaNet"),
        (document(layers=[layer({"kind": "gated-deltanet", **DELTA})]), "gated DeltaNet"),
        (document(layers=[layer({"kind": "mamba", "inner": 2, "state": 1, "convolution": 2, "rank": 1})]), "Mamba"),
        (document(layers=[layer({"kind": "mamba2", "heads": 1, "head_width": 2, "groups": 1, "state": 1, "convolution": 1})]), "Mamba-2"),
        (document(layers=[layer({"kind": "retnet", "heads": 1, "key_width": 2, "value_width": 1})]), "retention"),
        (document(embedding={"places": [place("sinusoidal")]}), "sinusoidal positions"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("arithmetic", ["fixed:12,4", "nearest:13", "float:5,10"])
def test_what_has_no_exact_form_is_refused_outside_the_floats_of_the_machine(described: dict[str, Any], what: str, arithmetic: str) -> None:
    with pytest.raises(Refused, match=rf"^{arithmetic} has no {what}: expected float64 or float32$"):
        model({**described, "arithmetic": arithmetic}).logits(np.array([0, 1]), [1])
