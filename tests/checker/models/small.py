"""Small models of any shape as certificates describe them."""

from __future__ import annotations

from typing import Any

import numpy as np

from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers

Document = dict[str, Any]
PLACE: Document = {"address": "sign", "dims": 2, "extent": 3, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
ATTENTION: Document = {
    "kind": "attention", "scores": "softmax", "mask": {"kind": "causal"}, "heads": 2, "key_width": 2, "value_width": 1, "scaled": False,
    "bias": False, "rotary": False,
}  # fmt: skip
FEEDFORWARD: Document = {"hidden": 2, "activation": "reglu", "bias": True}


def place(kind: str, **chosen: Any) -> Document:
    """An address; two coordinates, and as much stored as it needs."""
    return {**PLACE, "address": kind, "extent": {"sign": 3, "table": 40}.get(kind, 0), **chosen}


def layer(
    mixer: Document | None = ATTENTION, feedforward: Document | None = FEEDFORWARD, residual: bool = True, norm: str = "none"
) -> Document:
    """A layer; attention and a gated feed-forward part, if nothing else is said."""
    return {"mixer": mixer, "feedforward": feedforward, "residual": residual, "norm": norm}


def document(arithmetic: str = "fixed:12,4", layers: list[Document] | None = None, **chosen: Any) -> Document:
    """MODEL with numbered tokens, gates, one place, and a layer."""
    embedding = {"reads": "tokens", "plain": 3, "numbers": 2, "number_address": PLACE, "places": [PLACE], "gated": True}
    return {
        "arithmetic": arithmetic,
        "length": 40,
        "width": 3,
        "embedding": embedding | chosen.pop("embedding", {}),
        "layers": [layer()] if layers is None else layers,
        "readout": {"targets": 2, "norm": "none", "bias": True} | chosen.pop("readout", {}),
        **chosen,
    }


def tensors(model: Document, seed: int = 1, unit: float = 0.25, most: int = 3) -> dict[str, np.ndarray]:
    """Small multiples of a unit; generators are bits, pointers positions, registers the first two."""
    rng = np.random.default_rng(seed)
    results: dict[str, np.ndarray] = {}
    for name, shape in read_description(model).shapes().items():
        if name.endswith("generator"):
            results[name] = rng.integers(0, 2, shape).astype(np.uint8)
        elif name.endswith("pointers"):
            results[name] = np.tile([5, 1, 3, 2, 5, 4, 1, 1], 5)[: shape[0]]  # blocks of four start alike and go on differently
        elif name.endswith(("mixer.write", "mixer.read", "mixer.number_read")):
            results[name] = rng.integers(0, 2, shape)
        else:
            results[name] = rng.integers(-most, most + 1, shape) * unit
    return results


def model(description: Document, weights: dict[str, np.ndarray] | None = None) -> Model:
    """The checker's model of a description, with small weights if none are named."""
    return Model(read_description(description), tensors(description) if weights is None else weights, numbers(description["arithmetic"]))
