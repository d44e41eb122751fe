"""Programs that leave the range of their format inside an operator: a square that overflows, a product with 2^-k that underflows."""

from __future__ import annotations

from typing import Any

import numpy as np

from separatrix.checker import sealed
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.constructions import build
from tests.checker.forgeries.documents import Document, program_document
from tests.described import describe_model

DTYPES: dict[str, type] = {"float32": np.float32, "float64": np.float64}


def parts(name: str, arithmetic: str, **settings: Any) -> tuple[Document, dict[str, Any]]:
    """Description and tensors of a construction, in another format."""
    built = build(name, **settings)
    tensors = {key: tensor.numpy().copy() for key, tensor in built.model.state_dict().items()}
    floating = {key: t.astype(DTYPES[arithmetic]) if t.dtype.kind == "f" else t for key, t in tensors.items()}
    return {**describe_model(built.model), "arithmetic": arithmetic}, floating


def huge_before_norm(arithmetic: str, exponent: int, norm: str, where: str) -> Document:
    """Parity by a recurrence whose number, 0 or -2^exponent, is squared by a norm: at the read-out, or in a second layer that passes it on.

    Where squares have no room the norm of a large vector is 0, and of an even and an odd word the program says the same.
    """
    N = 5 if where == "mixing" else 1000  # two recurrences in floats do not settle, but all short words can be run
    model, tensors = parts("parity/recurrent", arithmetic, length=N)
    width, dtype = model["width"], DTYPES[arithmetic]
    tensors["layers.0.mixer.out"] = np.ldexp(tensors["layers.0.mixer.out"], exponent)
    first = np.eye(1, width, dtype=dtype)
    if where == "readout":
        model["readout"]["norm"] = norm
    elif where == "feedforward":
        part = {"hidden": 1, "activation": "relu", "bias": False}
        model["layers"].append({"mixer": None, "feedforward": part, "residual": False, "norm": norm})
        tensors |= {"layers.1.feedforward.inner": -first, "layers.1.feedforward.outer": -first.T}
    else:
        mixer = {"kind": "linear-rnn", "state": 1}
        model["layers"].append({"mixer": mixer, "feedforward": None, "residual": False, "norm": norm})
        still = {"transition": np.zeros((1, 1), dtype=dtype), "drive": first, "out": first.T}
        tensors |= {f"layers.1.mixer.{name}": tensor for name, tensor in still.items()}
    name = {"readout": "readout.norm", "feedforward": "layers.1.before_feedforward", "mixing": "layers.1.before_mixing"}[where]
    tensors |= {f"{name}.weight": np.ones(width, dtype=dtype)} | ({f"{name}.bias": np.zeros(width, dtype=dtype)} if norm == "layer" else {})
    strength = "exhaustive" if where == "mixing" else "proven"
    return program_document({"task": "parity", "parameters": {"length": N}}, model, tensors, strength)


def tiny_queries(arithmetic: str, exponent: int, key_width: int, N: int = 4, strength: str = "proven") -> Document:
    """Index lookup by hard attention with queries of 2^exponent, which the scale 1 / sqrt(key_width) makes smaller still, or 0."""
    model, tensors = parts("index-lookup", arithmetic, length=N, symbols=4)
    mixer = model["layers"][0]["mixer"]
    more = ((0, key_width - mixer["key_width"]), (0, 0))
    mixer.update(key_width=key_width, scaled=True, scores="hard")
    query, key = (np.pad(tensors[f"layers.0.mixer.{name}"], more) for name in ("query", "key"))
    tensors["layers.0.mixer.query"] = np.ldexp(np.sign(query), exponent)
    tensors["layers.0.mixer.key"] = np.ldexp(np.sign(key), -exponent - 60)
    claim = {"task": "index-lookup", "parameters": {"length": N, "symbols": 4, "distribution": "evaluation"}}
    return program_document(claim, model, tensors, strength)


def head_beyond_the_range(arithmetic: str, exponent: int, N: int = 6) -> Document:
    """Index lookup with one more head, which reads 0: its queries and keys are 2^exponent, and infinite logits have no softmax."""
    model, tensors = parts("index-lookup", arithmetic, length=N, symbols=4)
    model["layers"][0]["mixer"]["heads"], name, dtype = 2, "layers.0.mixer.", DTYPES[arithmetic]
    for each in ("query", "key"):
        mine = tensors[name + each]
        tensors[name + each] = np.concatenate([mine, np.sign(mine) * dtype(2.0**exponent)])
    tensors[name + "value"] = np.pad(tensors[name + "value"], ((0, len(tensors[name + "value"])), (0, 0)))
    tensors[name + "out"] = np.pad(tensors[name + "out"], ((0, 0), (0, tensors[name + "out"].shape[1])))
    claim = {"task": "index-lookup", "parameters": {"length": N, "symbols": 4, "distribution": "evaluation"}}
    return program_document(claim, model, tensors, "proven")


def huge_state(arithmetic: str, key: int, value: int, query: float, N: int = 3) -> Document:
    """1* by linear attention: the mean of values, 2^value at a 0 and 0 elsewhere, is above 0. Its state is 2^(key + value).

    Every key is 2^key, and the query so far below 0 that what is read has room: its feature is exp(query).
    """
    dtype, width = DTYPES[arithmetic], 3
    model = {
        "arithmetic": arithmetic, "length": N + 1, "width": width, "readout": {"targets": 2, "norm": "none", "bias": True},
        "embedding": {"reads": "tokens", "plain": 3, "numbers": 0, "number_address": None, "places": [], "gated": False},
        "layers": [{"mixer": {"kind": "linear-attention", "heads": 1, "key_width": 1, "value_width": 1, "bias": False}, "feedforward": None,
                    "residual": False, "norm": "none"}],
    }  # fmt: skip
    tensors = {
        "embedding.table": np.eye(width),
        "layers.0.mixer.query": np.full((1, width), query),
        "layers.0.mixer.key": np.full((1, width), 2.0**key),
        "layers.0.mixer.value": np.array([[2.0**value, 0.0, 0.0]]),
        "layers.0.mixer.out": np.array([[2.0**-value], [0.0], [0.0]]),
        "readout.weight": np.array([[16.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),  # a 0 among N + 1 tokens has a mean of 1 / (N + 1) or more
        "readout.bias": np.array([0.0, 1.0]),
    }
    claim = {"task": "ones", "parameters": {"length": N}}
    return program_document(claim, model, {name: tensor.astype(dtype) for name, tensor in tensors.items()}, "exhaustive")


def huge_keys(arithmetic: str, exponent: int, N: int) -> Model:
    """Index lookup of bits with keys of 2^exponent and queries to match: their product is as small as ever."""
    model, tensors = parts("index-lookup", arithmetic, length=N, symbols=2)
    half = exponent // 2
    for name, power in (("embedding.places.0.weight", half), ("layers.0.mixer.key", exponent - half), ("layers.0.mixer.query", -exponent)):
        tensors[name] = np.ldexp(tensors[name], power)
    return Model(read_description(model), tensors, numbers(arithmetic))


def undefined_scores(scaled: bool, rotary: bool) -> Document:
    """Equality by equal weights in fixed point, with logits that the format does not define and that nobody looks at."""
    built = build("equality/one-layer", length=4)
    model, tensors = describe_model(built.model), {key: tensor.numpy().copy() for key, tensor in built.model.state_dict().items()}
    model["layers"][0]["mixer"].update(scaled=scaled, rotary=rotary, key_width=2)
    for name in ("query", "key"):
        tensors[f"layers.0.mixer.{name}"] = np.zeros((2, model["width"]))
    return program_document({"task": "equality", "parameters": {"length": 4, "symbols": 2}}, model, tensors, "proven")


def undefined_norm(kind: str, place: str) -> Document:
    """Equality by equal weights in fixed point, with a norm, which the format does not define and a rule once passed over."""
    built = build("equality/one-layer", length=4)
    model, tensors = describe_model(built.model), {key: tensor.numpy().copy() for key, tensor in built.model.state_dict().items()}
    (model["readout"] if place == "readout" else model["layers"][0])["norm"] = kind
    for name in ("readout.norm",) if place == "readout" else ("layers.0.before_mixing", "layers.0.before_feedforward"):
        tensors[f"{name}.weight"] = np.ones(model["width"])
        if kind == "layer":
            tensors[f"{name}.bias"] = np.zeros(model["width"])
    return program_document({"task": "equality", "parameters": {"length": 4, "symbols": 2}}, model, tensors, "proven")


def cell_in(arithmetic: str, kind: str, gates: int) -> Document:
    """A cell with weights of 0, in a format that has no sigmoid and no tanh."""
    width = 2
    model = {
        "arithmetic": arithmetic, "length": 5, "width": width, "readout": {"targets": 2, "norm": "none", "bias": True},
        "embedding": {"reads": "tokens", "plain": 3, "numbers": 0, "number_address": None, "places": [], "gated": False},
        "layers": [{"mixer": {"kind": kind}, "feedforward": None, "residual": False, "norm": "none"}],
    }  # fmt: skip
    name, square, row = "layers.0.mixer.kernel.", np.zeros((gates * width, width)), np.zeros(gates * width)
    tensors = {"embedding.table": np.zeros((3, width)), "readout.weight": np.zeros((2, width)), "readout.bias": np.zeros(2)}
    tensors |= {f"{name}weight_ih_l0": square, f"{name}weight_hh_l0": square, f"{name}bias_ih_l0": row, f"{name}bias_hh_l0": row}
    return program_document({"task": "ones", "parameters": {"length": 4}}, model, tensors, "exhaustive")


def drifting_clock(e: int, m: int, drift: float) -> Document:
    """Parity by a recurrence with a clock, 1.5 at first, that every token moves by `drift` units in the last place of float:e,m.

    The clock upsets the answers once it has moved far. The proof lists it as a point, beside a number of which it says only that it lies
    between -1 and 1: it is 1 after the first token.
    """
    model, tensors = parts("parity/recurrent", "float64", length=200)
    model["arithmetic"], name = f"float:{e},{m}", "layers.0.mixer."
    mixer, hidden, width = model["layers"][0]["mixer"], model["layers"][0]["mixer"]["hidden"], model["width"]
    mixer.update(state=3, hidden=hidden + 2)
    for tensor, rows, columns in (("transition", 2, 2), ("drive", 2, 0), ("back", 2, 2), ("out", 0, 2)):
        tensors[name + tensor] = np.pad(tensors[name + tensor], ((0, rows), (0, columns)))
    tensors[name + "transition"][hidden, 1:] = 1, drift * 2.0**-m
    tensors[name + "bias"] = np.append(tensors[name + "bias"], [0.0, 1.0])
    tensors[name + "back"][[1, 2], [hidden, hidden + 1]] = 1
    tensors[name + "initial"] = np.array([0.0, 1.5, 0.0])
    tensors[name + "out"][width - 1, 1] = 1
    tensors["readout.weight"][0, width - 1] += 8
    tensors["readout.bias"][0] -= 12
    document = program_document({"task": "parity", "parameters": {"length": 200}}, model, tensors, "proven")
    low, high = ([[odd, 1.5, end] for odd in (0.0, 0.0, -1.0, 0.0, -1.0)] for end in (-1.0, 1.0))
    moves = [[1, 2], [1, 2, 3], [2, 1, 4], [], []]
    return sealed({**document, "proof": {"rule": "simulation", "lengths": "every", "moves": moves, "low": low, "high": high}})


def huge_retention(arithmetic: str, exponent: int, key_width: int) -> Document:
    """Parity behind a layer of retention of which nothing is read: K x is 2^exponent, and K x / sqrt(key_width) less."""
    half = exponent // 2
    zero = {"query": (key_width, 1), "value": (1, 1), "gate": (1, 1)}
    layer = {**{name: np.zeros(shape) for name, shape in zero.items()}, "key": np.full((key_width, 1), 2.0 ** (exponent - half))}
    mixer = {"kind": "retnet", "heads": 1, "key_width": key_width, "value_width": 1}
    return _behind(arithmetic, mixer, layer, ("query", "key", "value", "gate"), 2.0**half)


def scores_beyond_the_range(arithmetic: str, exponent: int, small: int) -> Document:
    """Parity behind an idle layer of Mamba-2 whose B and C are 2^exponent, and u is 2^small: C (B u) has room, and (C B) u has not."""
    rows = [0.0, 2.0**small, 2.0**exponent, 2.0**exponent, 0.0]  # z, u, B, C, r
    layer = {"into": np.array(rows)[:, None], "convolution.weight": np.ones((3, 1)), "convolution.bias": np.zeros(3)}
    layer |= {"rate_bias": np.zeros(1), "decay": np.zeros(1), "skip": np.zeros(1), "norm.weight": np.ones(1)}
    return _behind(
        arithmetic, {"kind": "mamba2", "heads": 1, "head_width": 1, "groups": 1, "state": 1, "convolution": 1}, layer, ("into",), 1.0
    )


def shut_gate(arithmetic: str, exponent: int, gate: float, strength: str, by: str = "index-lookup") -> Document:
    """Index lookup with one more address, which is 2^exponent at the last position alone: the gate of the token there is 0, or small."""
    N = 3
    model, tensors = parts(by, arithmetic, length=N, symbols=2)
    half, dtype, w = exponent // 2, DTYPES[arithmetic], model["width"] + 1
    model["width"] = w
    tensors = {name: _one_more(name, tensor) for name, tensor in tensors.items()}
    for place in model["embedding"]["places"]:
        place["dims"] += not place["projected"]
    place = {"address": "table", "dims": 1, "extent": N + 1, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    model["embedding"]["places"].append(place)
    tensors["embedding.gate"][2:], at = gate, f"embedding.places.{len(model['embedding']['places']) - 1}"
    tensors[f"{at}.address.table"] = np.array([*[[0.0]] * N, [2.0**half]], dtype=dtype)
    tensors[f"{at}.weight"] = np.eye(1, w, k=w - 1, dtype=dtype) * dtype(2.0 ** (exponent - half))
    claim = {"task": "index-lookup", "parameters": {"length": N, "symbols": 2, "distribution": "evaluation"}}
    return program_document(claim, model, tensors, strength)


def _behind(arithmetic: str, mixer: Document, layer: dict[str, Any], reading: tuple[str, ...], value: float, N: int = 3) -> Document:
    """Parity behind a layer of which nothing is read; what `reading` names reads one more coordinate, which is `value` at every token."""
    model, tensors = parts("parity/recurrent", arithmetic, length=N)
    w = model["width"] = model["width"] + 1
    tensors = {name.replace("layers.0.", "layers.1."): _one_more(name, tensor) for name, tensor in tensors.items()}
    tensors["embedding.table"][:, w - 1] = value
    layer = {name: np.pad(tensor, ((0, 0), (w - 1, 0))) if name in reading else tensor for name, tensor in layer.items()}
    layer["out"] = np.zeros((w, 1))
    tensors |= {f"layers.0.mixer.{name}": tensor.astype(DTYPES[arithmetic]) for name, tensor in layer.items()}
    model["layers"].insert(0, {"mixer": mixer, "feedforward": None, "residual": True, "norm": "none"})
    return program_document({"task": "parity", "parameters": {"length": N}}, model, tensors, "exhaustive")


def _one_more(name: str, tensor: Any) -> Any:
    """With one more coordinate of the stream, which is 0."""
    if name.endswith(("table", "drive", "readout.weight", "inner", "query", "key", "value", "number.weight", "places.0.weight")):
        return np.pad(tensor, ((0, 0), (0, 1)))
    if name.endswith(("mixer.out", "out_bias", "outer", "outer_bias")):
        return np.pad(tensor, ((0, 1), *((0, 0),) * (tensor.ndim - 1)))
    return tensor


def hidden_logits(arithmetic: str, exponent: int, scores: str = "softmax", strength: str = "proven") -> Document:
    """Copying with one more head, which reads 0: the query of the separator and the keys of what comes later are 2^exponent.

    No token sees a later one, but a program that hides a logit by adding -inf has nan where that logit is infinite.
    """
    N = 2
    model, tensors = parts("copy", arithmetic, length=N, symbols=2)
    mixer, (m, d), name = model["layers"][0]["mixer"], tensors["layers.0.mixer.query"].shape, "layers.0.mixer."
    model["width"], mixer["heads"], mixer["scores"], mixer["mask"] = d + 2, 2, scores, {"kind": "causal"}
    for key, tensor in tensors.items():
        axis = {"out": 0, "outer": 0, "outer_bias": 0}.get(key.rsplit(".", 1)[-1], tensor.ndim - 1)
        if tensor.shape[axis : axis + 1] == (d,):
            tensors[key] = np.pad(tensor, [(0, 2 if i == axis else 0) for i in range(tensor.ndim)])
    table = np.array([[0, 0]] * N + [[1, 0]] + [[0, 1]] * (N - 1), dtype=DTYPES[arithmetic])
    place = {"address": "table", "dims": 2, "extent": len(table), "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    at = f"embedding.places.{len(model['embedding']['places'])}"
    model["embedding"]["places"].append(place)
    tensors |= {f"{at}.weight": np.eye(d + 2, dtype=table.dtype)[d:], f"{at}.address.table": table}
    for key, column in (("query", d), ("key", d + 1)):
        more = np.zeros((m, d + 2), dtype=table.dtype)
        more[0, column] = 2.0**exponent
        tensors[name + key] = np.concatenate([tensors[name + key], more])
    tensors[name + "value"] = np.pad(tensors[name + "value"], ((0, len(tensors[name + "value"])), (0, 0)))
    tensors[name + "out"] = np.pad(tensors[name + "out"], ((0, 0), (0, tensors[name + "out"].shape[1])))
    claim = {"task": "copy", "parameters": {"length": N, "symbols": 2}}
    return program_document(claim, model, tensors, strength, {"kind": "positions"})
