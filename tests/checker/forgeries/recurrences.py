"""Index lookup by a recurrence with a second layer that does harm only where a box, or an overflow inside it, is overlooked."""

from __future__ import annotations

from typing import Any

import numpy as np

from separatrix.checker import sealed
from tests.checker.forgeries.documents import Document, program_document
from tests.checker.forgeries.ranges import DTYPES, parts

BOXED = {"rule": "envelope", "tokens": "boxed", "places": "merged", "keys": []}
LOWEST = -1.2784645  # where x sigma(x) is least, below 0


def wide_choice(arithmetic: str, least: float, N: int = 2) -> Document:
    """A PD layer that keeps its 1 in place while a score, `least` at symbol 0 and `least` + 1 at symbol 1, is above 0.

    Where it is not, answer 0 is raised from then on: right if the place with the 0 is asked for, wrong if another is. The centre of a box
    around both symbols is above 0 from -1/2 on.
    """
    model, tensors = parts("index-lookup/deltanet", arithmetic, length=N, symbols=2)
    width = model["width"]
    w = model["width"] = width + 3  # the score, a 1, and what the layer writes
    model["embedding"]["places"][0]["dims"] = w
    tensors = {name: _wider(name, tensor, w) for name, tensor in tensors.items()}
    tensors["embedding.table"][:, width] = [least, *[1 + least] * (len(tensors["embedding.table"]) - 1)]
    tensors["embedding.table"][:, width + 1] = 1
    tensors["readout.weight"][0, w - 1] = 1000
    layer = {
        "choice": np.eye(2, w, k=width),
        "tables": np.array([[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]]),  # rows by the score and the 1; [target, source] side by side
        "gate": np.zeros((2, w)),
        "gate_bias": np.full(2, 0.5),
        "drive": np.array([np.zeros(w), np.eye(w)[width + 1] / 2]),
        "initial": np.array([0.0, 1.0]),
        "out": np.eye(w)[:, [w - 1, 0]] * [1, 0],
    }
    tensors |= {f"layers.1.mixer.{name}": tensor for name, tensor in layer.items()}
    model["layers"].append({"mixer": {"kind": "pd", "state": 2, "tables": 2}, "feedforward": None, "residual": True, "norm": "none"})
    return _document(N, model, tensors, arithmetic, "proven")


def huge_memory(arithmetic: str, kind: str, value: float, strength: str = "proven", N: int = 3) -> Document:
    """A first layer of which nothing is read: each token writes -`value` to a row of its own, and the last reads all rows at once.

    It takes in only a 400th part of what it finds, so that nothing but the difference v - k S can overflow.
    """
    model, tensors = parts("index-lookup/gru", arithmetic, length=N, symbols=2)
    width = model["width"]
    w = model["width"] = width + N + 2  # keys, the value, and how much is written
    tensors = {name.replace("layers.0.", "layers.1."): _wider(name, tensor, w) for name, tensor in tensors.items()}
    tensors["embedding.table"][:, w - 2] = value
    place = {"address": "one-hot", "dims": N + 1, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    model["embedding"]["places"], rows = [place], np.zeros((N + 1, w))
    rows[:N, width : width + N], rows[N, width : width + N] = LOWEST * np.eye(N), 30
    rows[:, w - 1] = [*[50.0] * N, -6.0]
    query, key, written, share = np.zeros((N, w)), np.eye(N, w, k=width), np.eye(1, w, k=w - 2), np.eye(1, w, k=w - 1)
    mixer: Document = {"kind": kind, "heads": 1, "key_width": N, "value_width": 1}
    layer = {"share": share, "norm.weight": np.ones(1), "out": np.zeros((w, 1))}
    if kind == "deltaproduct":
        mixer["factors"], layer = 1, {**layer, "query": query, "key": key, "value": written}
    else:
        mixer |= {"convolution": 1, "negative": False}
        layer |= {"into": np.concatenate([query, key, written]), "convolution.weight": np.ones((2 * N + 1, 1))}
    if kind == "gated-deltanet":
        layer |= {"rate": np.zeros((1, w)), "rate_bias": np.full(1, -200.0), "decay": np.zeros(1), "gate": np.zeros((1, w))}
    tensors |= {"embedding.places.0.weight": rows, **{f"layers.0.mixer.{name}": tensor for name, tensor in layer.items()}}
    model["layers"].insert(0, {"mixer": mixer, "feedforward": None, "residual": True, "norm": "none"})
    return _document(N, model, tensors, arithmetic, strength)


def _document(N: int, model: Document, tensors: dict[str, Any], arithmetic: str, strength: str) -> Document:
    """With the proof by boxes, whether or not it holds."""
    claim = {"task": "index-lookup", "parameters": {"length": N, "symbols": 2, "distribution": "evaluation"}}
    cast = {name: tensor.astype(DTYPES[arithmetic]) if tensor.dtype.kind == "f" else tensor for name, tensor in tensors.items()}
    document = program_document(claim, model, cast, strength)
    return sealed({**document, "proof": BOXED}) if strength == "proven" else document


def _wider(name: str, tensor: Any, w: int) -> Any:
    """With more coordinates of the stream, which are 0."""
    if "kernel" in name:  # the gates of a GRU, each as wide as the stream
        old = len(tensor) // 3
        gates = tensor.reshape(3, old, *tensor.shape[1:])
        return np.pad(gates, ((0, 0), *((0, w - old),) * (gates.ndim - 1))).reshape(3 * w, *[w] * (gates.ndim - 2))
    if name.endswith(("table", "into", "share", "inner", "readout.weight")):
        return np.pad(tensor, ((0, 0), (0, w - tensor.shape[1])))
    if name.endswith(("mixer.out", "outer", "outer_bias")):
        return np.pad(tensor, ((0, w - len(tensor)), *((0, 0),) * (tensor.ndim - 1)))
    return tensor
