"""Index lookup by a model whose last symbols are numbers: they share a row with the indices, and their address spoils their value."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from separatrix.constructions import build
from tests.checker.forgeries.documents import Document, program_document
from tests.described import describe_model


def symbols_as_numbers(N: int, symbols: int, width: int, arithmetic: str = "float64", numbered: int = 1, seed: int = 0) -> Document:
    """The claim that it is right everywhere. The last `numbered` symbols are numbers 1 .., index p is number p + numbered.

    The address of the last symbol is that of the index 0, which has the sign + everywhere, and heads read it as part of the value.
    A stream of many coordinates, all but a few 0, takes the checker past the size up to which it lists every token at every place.
    """
    built = build("index-lookup", length=2 * N, symbols=symbols)  # addresses with a bit to spare: N + 1 is none of the places
    model: dict[str, Any] = copy.deepcopy(describe_model(built.model))
    tensors = {name: tensor.numpy().copy() for name, tensor in built.model.state_dict().items()}
    plain, dims = symbols - numbered, tensors["embedding.number.weight"].shape[0]
    slot = slice(*_slot(tensors["embedding.number.weight"]))
    tensors["embedding.table"] = tensors["embedding.table"][: plain + 1]  # the first numbered symbol has the row of all numbers
    tensors["embedding.gate"] = np.ones(plain + 1)
    tensors["layers.0.mixer.query"] *= 8
    tensors["layers.0.mixer.value"][0, slot] = -1.375 / dims
    tensors["readout.bias"][0] += seed * 2.0**-20  # another seed of cases
    model["embedding"].update(plain=plain, numbers=N + numbered)
    model["embedding"]["number_address"]["shift"] = numbered
    model.update(length=N + 1, width=max(width, model["width"]), arithmetic=arithmetic)
    if arithmetic == "float32":
        tensors = {name: t.astype(np.float32) if t.dtype == np.float64 else t for name, t in tensors.items()}
    tensors = {name: _wider(name, tensor, model["width"]) for name, tensor in tensors.items()}
    claim = {"task": "index-lookup", "parameters": {"length": N, "symbols": symbols, "distribution": "evaluation"}}
    return program_document(claim, model, tensors, "proven")


def _slot(weight: Any) -> tuple[int, int]:
    used = np.flatnonzero(weight.any(axis=0))
    return int(used[0]), int(used[-1]) + 1


def _wider(name: str, tensor: Any, width: int) -> Any:
    """With more coordinates of the stream, which are 0."""
    if name.endswith(("table", "number.weight", "places.0.weight", "query", "key", "value", "inner", "readout.weight")):
        return np.pad(tensor, ((0, 0), (0, width - tensor.shape[1])))
    if name.endswith(("mixer.out", "outer")):
        return np.pad(tensor, ((0, width - tensor.shape[0]), (0, 0)))
    return np.pad(tensor, (0, width - len(tensor))) if name.endswith("outer_bias") else tensor
