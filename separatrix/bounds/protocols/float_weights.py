"""Which tensors a one-layer Transformer in floats has, with norms, biases and gates; what is not known is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.protocols.exact_accumulator import FloatFormat
from separatrix.checker.fields import exactly
from separatrix.checker.seal import Refused
from separatrix.checker.shapes import Shapes, check_config, places, shapes
from separatrix.errors import BadInput

Array = NDArray[Any]
ADDRESSES = ("sign", "quadratic", "one-hot", "table", "sinusoidal")
NORMS = {"none": 0.0, "layer": 1e-5, "rms": 1e-6}  # what is added to the variance


def expected_tensors(config: dict[str, Any]) -> Shapes:
    """Every tensor of the model: those of the plain Transformer, then norms and biases; what is not known is refused."""
    known = {"activation": ("relu", "reglu", "gelu", "swiglu"), "norm": tuple(NORMS)}
    for key, values in known.items():
        if config.get(key) not in values:
            raise Refused(f"{key}: expected one of {', '.join(values)}, found {config.get(key)!r}")
    without = {"norm": "none", "scaled": False, "rotary": False, "attention_bias": False, "dropout": 0.0, "feedforward_bias": True}
    gated = config["activation"] in ("reglu", "swiglu")
    check_config(config | without | {"activation": "reglu" if gated else "relu"})
    exactly(
        {key: config.get(key) for key in without}, "config",
        norm=str, scaled=bool, rotary=bool, attention_bias=bool, dropout=float, feedforward_bias=bool,
    )  # fmt: skip
    layers, d = config["layers"], config["width"]
    if len(layers) != 1:
        raise Refused(f"the protocol is for one layer, found {len(layers)}")
    if layers[0].get("state", 0):
        raise Refused("the protocol is for a layer of attention, found a linear recurrence")
    if layers[0]["attention"] not in ("softmax", "uniform", "hard"):
        raise Refused(f"layer.attention: expected softmax, uniform or hard, found {layers[0]['attention']!r}")
    if config["rotary"] and layers[0]["key_width"] % 2:
        raise Refused(f"rotary positions need an even key width, found {layers[0]['key_width']}")
    for name, place in places(config["embedding"]).items():
        if place["address"] not in ADDRESSES:
            raise Refused(f"{name}: expected one of the addresses {', '.join(ADDRESSES)}, found {place['address']!r}")
    found = shapes(config | {"activation": "reglu" if gated else "relu"})
    if not config["feedforward_bias"]:
        found = {name: shape for name, shape in found.items() if not (".feedforward." in name and name.endswith("_bias"))}
    if config["attention_bias"]:
        found |= {f"layers.0.attention.{n}_bias": found[f"layers.0.attention.{n}"][:1] for n in ("query", "key", "value", "out")}
    for part in ("weight", "bias") if config["norm"] == "layer" else ("weight",) if config["norm"] == "rms" else ():
        found |= {f"{n}.{part}": (d,) for n in ("layers.0.before_attention", "layers.0.before_feedforward", "final_norm")}
    return found


def check_tensors(tensors: Mapping[str, Array], expected: Shapes, form: FloatFormat) -> None:
    """Refuse weights that are missing, too many, of another shape or of another number type."""
    for name in [*expected, *sorted(tensors)]:
        if name not in tensors:
            raise BadInput(f"weights: {name} is missing")
        if name not in expected:
            raise BadInput(f"weights: {name} belongs to no part of the model")
        found = tensors[name]
        if found.shape != expected[name]:
            raise BadInput(f"weights: {name} has shape {found.shape}, the configuration asks for {expected[name]}")
        kind = np.uint8 if name.endswith(".generator") else np.int64 if name.endswith(".pointers") else form.dtype
        if found.dtype != kind:
            raise BadInput(f"weights: {name} holds {found.dtype}, the arithmetic asks for {np.dtype(kind).name}")
