"""Small one-layer models as certificates describe them, for protocols and witnesses."""

from __future__ import annotations

from typing import Any

import numpy as np
from safetensors.numpy import save

from separatrix.bounds.protocols.protocol import OneLayerModel, one_layer_model
from separatrix.checker.models.description import read_description

Document = dict[str, Any]
LENGTH = 64  # tokens that the models read


def place(kind: str, dims: int, extent: int = 0) -> Document:
    """A positional feature as a description has it."""
    return {"address": kind, "dims": dims, "extent": extent, "shift": 0, "fold": 0, "pointers": 0, "projected": True}


def configuration(arithmetic: str, **chosen: Any) -> Document:
    """MODEL with one layer; what is not chosen is smallest."""
    layer = {"heads": 1, "key_width": 1, "value_width": 1, "hidden": 0, "attention": "softmax"} | chosen.pop("layer", {})
    embedding = {"reads": "tokens", "plain": 2, "numbers": 0, "number_address": None, "places": [], "gated": False}
    embedding |= chosen.pop("embedding", {})
    rest: Document = {
        "targets": 2, "width": 1, "causal": False, "residual": False, "activation": "relu", "norm": "none", "scaled": False,
        "attention_bias": False, "feedforward_bias": True, "rotary": False, "length": LENGTH,
    } | chosen  # fmt: skip
    mixer = {
        "kind": "attention", "scores": layer["attention"], "mask": {"kind": "causal" if rest["causal"] else "all"},
        "heads": layer["heads"], "key_width": layer["key_width"], "value_width": layer["value_width"], "scaled": rest["scaled"],
        "bias": rest["attention_bias"], "rotary": rest["rotary"],
    }  # fmt: skip
    feedforward = {"hidden": layer["hidden"], "activation": rest["activation"], "bias": rest["feedforward_bias"]}
    return {
        "arithmetic": arithmetic,
        "length": rest["length"],
        "width": rest["width"],
        "embedding": embedding,
        "layers": [
            {"mixer": mixer, "feedforward": feedforward if layer["hidden"] else None, "residual": rest["residual"], "norm": rest["norm"]}
        ],
        "readout": {"targets": rest["targets"], "norm": rest["norm"], "bias": True},
    }


def random_weights(rng: np.random.Generator, model: Document, f: int, most: float) -> bytes:
    """Weights on the grid of f fractional bits, of at most this magnitude; logits are calm enough not to be one-hot always."""
    tensors = {}
    for name, shape in read_description(model).shapes().items():
        if name.endswith("generator"):
            tensors[name] = rng.integers(0, 2, shape).astype(np.uint8)
            continue
        limit = max(1, int(most * 2**f * (0.5 if "query" in name else 1)))
        tensors[name] = rng.integers(-limit, limit + 1, shape) / 2.0**f
    return save(tensors)


def random_model(rng: np.random.Generator, p: int, f: int, most: float, targets_two: bool = False, **chosen: Any) -> OneLayerModel:
    """A one-layer model of any shape."""
    places = [
        [place("sign", 2, 3)],
        [place("quadratic", 2)],
        [place("one-hot", 3)],
        [place("table", 2, 12), place("sign", 1, 2)],
        [],
    ][int(rng.integers(5))]
    model = configuration(
        f"fixed:{p},{f}",
        layer={
            "heads": int(rng.integers(1, 4)),
            "key_width": int(rng.integers(1, 4)),
            "value_width": int(rng.integers(1, 4)),
            "hidden": int(rng.integers(0, 4)),
            "attention": str(rng.choice(["softmax", "softmax", "softmax", "uniform", "hard"])),
        }
        | chosen.pop("layer", {}),
        embedding={"plain": int(rng.integers(2, 5)), "places": places, "gated": bool(rng.integers(2))} | chosen.pop("embedding", {}),
        width=int(rng.integers(1, 5)),
        targets=2 if targets_two else int(rng.integers(2, 4)),
        causal=bool(rng.integers(2)),
        residual=bool(rng.integers(2)),
        activation=str(rng.choice(["relu", "reglu"])),
        **chosen,
    )
    return one_layer_model(model, random_weights(rng, model, f, most))
