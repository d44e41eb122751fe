"""A model of the one family as certificates of version 1 have it, for as long as the checker reads that version. No torch here."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from separatrix.checker.weights import parse_safetensors
from separatrix.errors import BadInput

Document = dict[str, Any]
ONE = "certificates of version 1 hold models whose layers are alike"


def version_1(description: Mapping[str, Any], weights: bytes) -> tuple[Document, bytes]:
    """`{"class", "config"}` and the weights under their old names."""
    document: Document = json.loads(json.dumps(description))
    kinds = [layer["mixer"]["kind"] if layer["mixer"] else "none" for layer in document["layers"]]
    if kinds == ["register-file"]:
        return _registers(document, weights)
    if not set(kinds) <= {"attention", "linear-rnn"}:
        raise BadInput(f"{ONE}, of attention or linear recurrences: found {', '.join(sorted(set(kinds)))}")
    return {"class": "transformer", "config": _transformer(document)}, _renamed(weights, kinds)


def _transformer(document: Document) -> Document:
    layers = document["layers"]
    heads = [layer["mixer"] for layer in layers if layer["mixer"]["kind"] == "attention"]
    hidden = [layer["feedforward"] for layer in layers if layer["feedforward"]]

    def alike(values: list[Any], default: Any) -> Any:
        if any(value != values[0] for value in values):
            raise BadInput(f"{ONE}: found {values}")
        return values[0] if values else default

    mask = alike([head["mask"]["kind"] for head in heads], "all")
    if mask not in ("all", "causal"):
        raise BadInput(f"certificates of version 1 know no mask {mask!r}")
    return {
        "embedding": {key: value for key, value in document["embedding"].items() if key != "reads"},
        "targets": document["readout"]["targets"],
        "width": document["width"],
        "layers": [_layer(layer) for layer in layers],
        "causal": mask == "causal",
        "residual": alike([layer["residual"] for layer in layers], False),
        "activation": alike([part["activation"] for part in hidden], "relu"),
        "norm": alike([*(layer["norm"] for layer in layers), document["readout"]["norm"]], "none"),
        "scaled": alike([head["scaled"] for head in heads], False),
        "attention_bias": alike([head["bias"] for head in heads], False),
        "feedforward_bias": alike([part["bias"] for part in hidden], True),
        "rotary": alike([head["rotary"] for head in heads], False),
        "dropout": 0.0,
        "arithmetic": document["arithmetic"],
        "length": document["length"],
    }


def _layer(layer: Document) -> Document:
    mixer, hidden = layer["mixer"], layer["feedforward"]["hidden"] if layer["feedforward"] else 0
    if mixer["kind"] == "linear-rnn":
        return {"heads": 0, "key_width": 0, "value_width": 0, "hidden": hidden, "attention": "softmax", "state": mixer["state"]}
    sizes = {key: mixer[key] for key in ("heads", "key_width", "value_width")}
    return {**sizes, "hidden": hidden, "attention": mixer["scores"], "state": 0}


def _renamed(weights: bytes, kinds: list[str]) -> bytes:
    """The same safetensors file with the names of version 1: only its header changes."""
    size = int.from_bytes(weights[:8], "little")
    header = json.loads(weights[8 : 8 + size])
    names = {"readout.weight": "unembedding", "readout.bias": "unembedding_bias"}
    names |= {f"readout.norm.{part}": f"final_norm.{part}" for part in ("weight", "bias")}

    def name(key: str) -> str:
        if key.startswith("layers."):
            _, index, rest = key.split(".", 2)
            rest = rest.replace("mixer.", "attention." if kinds[int(index)] == "attention" else "unit.", 1)
            return f"layers.{index}.{rest.replace('before_mixing', 'before_attention')}"
        return names.get(key, key)

    text = json.dumps({name(key): value for key, value in header.items()}).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + weights[8 + size :]


def _registers(document: Document, weights: bytes) -> tuple[Document, bytes]:
    mixer, embedding = document["layers"][0]["mixer"], document["embedding"]
    config = {key: mixer[key] for key in ("registers", "length", "writes", "numbers", "scratch")}
    config |= {"plain": embedding["plain"], "targets": document["readout"]["targets"], "arithmetic": document["arithmetic"]}
    tensors = parse_safetensors(weights)
    kept = {
        name: tensors[f"layers.0.mixer.{name}"] for name in ("write", "read", "number_read", "gates") if f"layers.0.mixer.{name}" in tensors
    }
    kept |= {"unembedding": tensors["readout.weight"][:, : mixer["registers"]], "unembedding_bias": tensors["readout.bias"]}
    return {"class": "register-file", "config": config}, _written(kept)


def _written(tensors: Mapping[str, np.ndarray[Any, Any]]) -> bytes:
    header, blocks, start = {}, [], 0
    for name, tensor in tensors.items():
        kind = {"float32": "F32", "float64": "F64", "int64": "I64"}[tensor.dtype.name]
        block = np.ascontiguousarray(tensor).tobytes()
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [start, start + len(block)]}
        blocks.append(block)
        start += len(block)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(blocks)
