"""Random one-layer Transformers as descriptions and safetensors bytes, without torch."""

from __future__ import annotations

from typing import Any

import numpy as np
from safetensors.numpy import save

from separatrix.bounds.protocols.protocol import OneLayerModel, one_layer_model
from separatrix.checker.shapes import shapes

Document = dict[str, Any]


def place(kind: str, dims: int, extent: int = 0) -> Document:
    """A positional feature as a configuration has it."""
    return {"address": kind, "dims": dims, "extent": extent, "shift": 0, "fold": 0, "pointers": 0, "projected": True}


def configuration(arithmetic: str, **chosen: Any) -> Document:
    """A one-layer configuration; what is not chosen is smallest."""
    layer = {"heads": 1, "key_width": 1, "value_width": 1, "hidden": 0, "attention": "softmax"} | chosen.pop("layer", {})
    embedding = {"plain": 2, "numbers": 0, "number_address": None, "places": [], "gated": False} | chosen.pop("embedding", {})
    rest: Document = {
        "targets": 2, "width": 1, "causal": False, "residual": False, "activation": "relu", "norm": "none", "scaled": False,
        "attention_bias": False, "feedforward_bias": True, "rotary": False, "dropout": 0.0, "length": 0,
    }  # fmt: skip
    return {"embedding": embedding, "layers": [layer], "arithmetic": arithmetic} | rest | chosen


def random_weights(rng: np.random.Generator, config: Document, f: int, most: float) -> bytes:
    """Weights on the grid of f fractional bits, of at most this magnitude; logits are calm enough not to be one-hot always."""
    tensors = {}
    for name, shape in shapes(config).items():
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
    config = configuration(
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
    return one_layer_model(config, random_weights(rng, config, f, most))
