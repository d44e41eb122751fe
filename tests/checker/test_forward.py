"""The checker's forward pass: its blocks do not show, and weights of the wrong kind are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.checker import forward as module
from separatrix.checker.forward import Forward
from separatrix.checker.numbers import numbers
from separatrix.checker.seal import Refused
from separatrix.checker.shapes import shapes

ARITHMETICS = ["float64", "fixed:12,4", "nearest:13", "float:8,7"]
KINDS = ["sign", "quadratic", "one-hot", "table"]


def config(kind: str, pointers: int = 0, layers: int = 1, attention: str = "softmax") -> dict[str, Any]:
    place = {
        "address": kind,
        "dims": 2,
        "extent": 40 if kind == "table" else 3,
        "shift": 0,
        "fold": 0,
        "pointers": pointers,
        "projected": True,
    }
    layer = {"heads": 2, "key_width": 2, "value_width": 1, "hidden": 2, "attention": attention}
    return {
        "embedding": {"plain": 3, "numbers": 2, "number_address": place, "places": [place], "gated": True},
        "targets": 2, "width": 3, "layers": [layer] * layers, "causal": True, "residual": True, "activation": "reglu", "norm": "none",
        "scaled": False, "attention_bias": False, "feedforward_bias": True, "rotary": False, "dropout": 0.0, "arithmetic": "", "length": 40,
    }  # fmt: skip


def tensors(configuration: dict[str, Any]) -> dict[str, np.ndarray]:
    """Small multiples of 1/4; generators are bits, pointers are positions."""
    rng = np.random.default_rng(1)
    found: dict[str, np.ndarray] = {}
    for name, shape in shapes(configuration).items():
        if name.endswith("generator"):
            found[name] = rng.integers(0, 2, shape).astype(np.uint8)
        elif name.endswith("pointers"):
            found[name] = np.tile([5, 1, 3, 2, 5, 4, 1, 1], 5)[: shape[0]]  # blocks of four start alike and go on differently
        else:
            found[name] = rng.integers(-3, 4, shape) / 4
    return found


def ready(arithmetic: str, kind: str = "sign", **chosen: Any) -> Forward:
    configuration = config(kind, **chosen)
    return Forward(configuration, tensors(configuration), numbers(arithmetic))


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pointers", [0, 40])
def test_a_long_input_read_in_blocks_gives_the_same_logits(
    arithmetic: str, kind: str, pointers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = np.random.default_rng(2).integers(0, 5, 30)
    whole = ready(arithmetic, kind, pointers=pointers).logits(tokens, [29, 3, 17])
    monkeypatch.setattr(module, "BLOCK", 4)
    monkeypatch.setattr(module, "AT_ONCE", 64)
    blocks = ready(arithmetic, kind, pointers=pointers).logits(tokens, [29, 3, 17])
    assert (
        np.allclose(whole.astype(float), blocks.astype(float), rtol=1e-12, atol=0) if arithmetic == "float64" else (whole == blocks).all()
    )
    assert len(np.unique(whole)) > 2


@pytest.mark.parametrize("attention", ["softmax", "hard", "uniform"])
def test_readers_taken_a_few_at_a_time_give_the_same_logits(attention: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = np.random.default_rng(3).integers(0, 5, 11)
    model = ready("fixed:12,4", layers=2, attention=attention)
    whole = model.logits(tokens, list(range(11)))
    monkeypatch.setattr(module, "AT_ONCE", 30)  # two readers of eleven keys
    assert (model.logits(tokens, list(range(11))) == whole).all()


def test_an_input_that_would_not_fit_in_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 100)
    with pytest.raises(Refused, match=r"^numbers of one layer: expected 0..100, found 160$"):
        ready("fixed:12,4").logits(np.zeros(40, dtype=np.int64), [39])  # 40 tokens, 2 heads of 2 keys


def test_a_logit_that_is_not_finite_is_refused_without_a_warning() -> None:
    configuration = config("quadratic")
    weights = {name: tensor * (1 if tensor.dtype == np.uint8 else 1e200) for name, tensor in tensors(configuration).items()}
    with pytest.raises(Refused, match=r"^a case gives a logit that is not finite$"):
        Forward(configuration, weights, numbers("float64")).logits(np.array([0, 1, 4]), [2])


@pytest.mark.parametrize(("name", "wrong", "reason"), [
    ("unembedding", np.zeros((2, 3), dtype=np.uint8), "does not hold floating-point numbers"),
    ("unembedding", np.zeros((2, 3), dtype=np.int64), "does not hold floating-point numbers"),
    ("embedding.places.0.address.generator", np.full((2, 3), 2, dtype=np.uint8), "is not a matrix of bits"),
    ("embedding.places.0.address.generator", np.zeros((2, 3)), "is not a matrix of bits"),
    ("embedding.places.0.pointers", np.full(40, -1), "does not hold positions"),
    ("embedding.places.0.pointers", np.full(40, 1 << 40), "does not hold positions"),
    ("embedding.places.0.pointers", np.zeros(40), "does not hold positions"),
    ("unembedding", np.zeros((3, 3)), r"has shape \(3, 3\), the configuration asks for \(2, 3\)"),
    ("unembedding_bias", np.array([0.0, 0.03]), "holds 0.03, which is no number of fixed:12,4"),
])  # fmt: skip
def test_a_tensor_of_the_wrong_kind_is_refused(name: str, wrong: np.ndarray, reason: str) -> None:
    configuration = config("sign", pointers=40)
    with pytest.raises(Refused, match=rf"^weights: {name} {reason}$"):
        Forward(configuration, tensors(configuration) | {name: wrong}, numbers("fixed:12,4"))


def test_missing_and_superfluous_tensors_are_refused() -> None:
    configuration = config("sign")
    weights = tensors(configuration)
    with pytest.raises(Refused, match=r"^weights: extra belongs to no part of the model$"):
        Forward(configuration, weights | {"extra": np.zeros(1)}, numbers("fixed:12,4"))
    del weights["unembedding"]
    with pytest.raises(Refused, match=r"^weights: unembedding is missing$"):
        Forward(configuration, weights, numbers("fixed:12,4"))
