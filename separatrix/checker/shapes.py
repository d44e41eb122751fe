"""The tensors that a Transformer's configuration calls for, with bounds on every size before anything is allocated."""

from __future__ import annotations

import math
from typing import Any

from separatrix.checker.fields import exactly, within
from separatrix.checker.seal import Refused

MOST = 1 << 28  # weights of a model, and numbers of one array: no certificate makes the checker ask for more memory
INDEX = 1 << 31  # an address squares its index
PLACE = {"address": str, "dims": int, "extent": int, "shift": int, "fold": int, "pointers": int, "projected": bool}
LAYER = {"heads": int, "key_width": int, "value_width": int, "hidden": int, "attention": str}

Shapes = dict[str, tuple[int, ...]]


def check_config(config: Any) -> dict[str, Any]:
    """The configuration, having every field, of a model that the checker can run."""
    exactly(
        config, "config", embedding=dict, targets=int, width=int, layers=list, causal=bool, residual=bool, activation=str, norm=str,
        scaled=bool, attention_bias=bool, feedforward_bias=bool, rotary=bool, dropout=float, arithmetic=str, length=int,
    )  # fmt: skip
    extras = config["norm"] != "none" or any(config[key] for key in ("scaled", "rotary", "attention_bias", "dropout"))
    if extras or config["activation"] not in ("relu", "reglu") or not config["feedforward_bias"]:
        raise Refused("the checker runs plain Transformers: no norm, scaling, rotary positions, attention bias or GeLU")
    e = exactly(config["embedding"], "embedding", plain=int, numbers=int, number_address=(dict, type(None)), places=list, gated=bool)
    within(len(config["layers"]), 1, 1000, "layers")
    for key, where, least in (("width", config, 1), ("targets", config, 1), ("length", config, 0), ("plain", e, 0), ("numbers", e, 0)):
        within(where[key], least, MOST, key)
    for layer in config["layers"]:
        exactly(layer, "layer", **LAYER, **({"state": int} if isinstance(layer, dict) and "state" in layer else {}))
        unit = within(layer.get("state", 0), 0, MOST, "layer.state") > 0  # a linear unit in the place of heads
        within(layer["hidden"], 0, MOST, "layer.hidden")
        if unit and layer["attention"] != "softmax":
            raise Refused(f"layer.attention: a linear unit has none, found {layer['attention']!r}")
        for key in ("heads", "key_width", "value_width"):
            within(layer[key], 0 if unit else 1, 0 if unit else MOST, f"layer.{key}")
    for name, place in places(e).items():
        _check_place(place, name, config["width"])
    within(sum(math.prod(shape) for shape in shapes(config).values()), 1, MOST, "weights of the model")
    return dict(config)


def places(embedding: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The addresses of positions and of numbers by the name of their weights."""
    found = {f"embedding.places.{i}": place for i, place in enumerate(embedding["places"])}
    return found | ({} if embedding["number_address"] is None else {"embedding.number": embedding["number_address"]})


def widest(config: dict[str, Any]) -> int:
    """Numbers per token of the widest array of a forward pass."""
    sizes: list[int] = [config["width"], config["targets"], *(place["dims"] for place in places(config["embedding"]).values())]
    for layer in config["layers"]:
        sizes += [layer["heads"] * layer["key_width"], layer["heads"] * layer["value_width"], layer["hidden"], layer.get("state", 0)]
    return max(sizes)


def shapes(config: dict[str, Any]) -> Shapes:
    """Every tensor that the configuration calls for, with its shape."""
    e, d = config["embedding"], config["width"]
    rows = e["plain"] + (e["numbers"] > 0)
    found: Shapes = {"embedding.table": (rows, d)}
    if e["gated"]:
        found["embedding.gate"] = (rows,)
    for name, place in places(e).items():
        if place["projected"]:
            found[f"{name}.weight"] = (place["dims"], d)
        if place["address"] == "sign":
            found[f"{name}.address.generator"] = (place["dims"], place["extent"])
        if place["address"] == "table":
            found[f"{name}.address.table"] = (place["extent"], place["dims"])
        if place["pointers"]:
            found[f"{name}.pointers"] = (place["pointers"],)
    for i, layer in enumerate(config["layers"]):
        keys, values, hidden = layer["heads"] * layer["key_width"], layer["heads"] * layer["value_width"], layer["hidden"]
        if layer.get("state", 0):
            found |= {f"layers.{i}.unit.{name}": shape for name, shape in _unit(layer["state"], d).items()}
        else:
            heads = {"query": (keys, d), "key": (keys, d), "value": (values, d), "out": (d, values)}
            found |= {f"layers.{i}.attention.{name}": shape for name, shape in heads.items()}
        if hidden:
            inner: Shapes = {"inner": (hidden, d), "inner_bias": (hidden,), "outer": (d, hidden), "outer_bias": (d,)}
            gate: Shapes = {"gate": (hidden, d), "gate_bias": (hidden,)} if config["activation"] == "reglu" else {}
            found |= {f"layers.{i}.feedforward.{name}": shape for name, shape in (inner | gate).items()}
    return found | {"unembedding": (config["targets"], d), "unembedding_bias": (config["targets"],)}


def _unit(state: int, d: int) -> Shapes:
    return {"transition": (state, state), "drive": (state, d), "out": (d, state)}


def _check_place(place: Any, name: str, width: int) -> None:
    exactly(place, name, **PLACE)
    for key, least, most in (("dims", 1, MOST), ("extent", 0, MOST), ("pointers", 0, MOST), ("shift", -INDEX, INDEX), ("fold", 0, INDEX)):
        within(place[key], least, most, f"{name}.{key}")
    if place["address"] == "quadratic" and place["dims"] != 2:
        raise Refused(f"{name}.dims: expected 2, found {place['dims']}")
    if not place["projected"] and place["dims"] != width:
        raise Refused(f"{name}.dims: expected the width {width}, found {place['dims']}")
