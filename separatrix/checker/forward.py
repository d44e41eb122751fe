"""A forward pass of the Transformer in NumPy, written from its description and not from the model's code.

    x_t = E[row] + [number] A(n) W_n + gate A(t) W_t
    per layer: a = O concat_h(weights V x),  y = a (+ x),  z = W_2 act(W_1 y + b_1) + b_2 (+ y)
    logits = U z + c, at the positions that are scored
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.fields import exactly, within
from separatrix.checker.numbers import Numbers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import Tensors

Array = npt.NDArray[Any]
BLOCK = 1 << 15  # keys at a time
PLACE = {"address": str, "dims": int, "extent": int, "shift": int, "pointers": int, "projected": bool}


class Forward:
    """A model read from a certificate, ready to run."""

    def __init__(self, config: Any, tensors: Tensors, numbers: Numbers) -> None:
        self.config = exactly(
            config, "config", embedding=dict, targets=int, width=int, layers=list, causal=bool, residual=bool, activation=str, norm=str,
            scaled=bool, attention_bias=bool, feedforward_bias=bool, rotary=bool, dropout=(int, float), arithmetic=str, length=int,
        )  # fmt: skip
        plain = config["norm"] == "none" and not config["scaled"] and not config["rotary"] and not config["attention_bias"] and not config["dropout"]
        if not plain or config["activation"] not in ("relu", "reglu") or not config["feedforward_bias"]:
            raise Refused("the checker runs plain Transformers: no norm, scaling, rotary positions, attention bias or GeLU")
        self.embedding = exactly(config["embedding"], "embedding", plain=int, numbers=int, number_address=(dict, type(None)), places=list, gated=bool)
        for layer in config["layers"]:
            exactly(layer, "layer", heads=int, key_width=int, value_width=int, hidden=int, attention=str)
        within(len(config["layers"]), 1, 1000, "layers")
        self.numbers, self.unused = numbers, set(tensors)
        self.tensors = tensors
        self.d = config["width"]
        self.weights = {name: self._take(name, shape) for name, shape in self._shapes().items()}
        if self.unused:
            raise Refused(f"weights: {sorted(self.unused)[0]} belongs to no part of the model")

    def logits(self, tokens: Array, positions: list[int]) -> Array:
        """Logits [positions, targets] of one input."""
        if int(tokens.min()) < 0 or int(tokens.max()) >= self.embedding["plain"] + self.embedding["numbers"]:
            raise Refused("a case has a token outside the model's vocabulary")
        layers, n = self.config["layers"], len(tokens)
        if len(layers) == 1 and n > BLOCK:
            x = self._long(tokens, positions)
        else:
            x = self.numbers.enter(self.embed(tokens, 1))
            for index in range(len(layers)):
                x = self._layer(x, index, np.arange(n) if index < len(layers) - 1 else np.array(positions))
        return self.numbers.linear(x, self.weights["unembedding"], self.weights["unembedding_bias"])

    def embed(self, tokens: Array, start: int) -> Array:
        """The embeddings of tokens that stand at positions start, start + 1, ..."""
        e, w = self.embedding, self.weights
        rows = np.minimum(tokens, len(w["embedding.table"]) - 1)
        x: Array = w["embedding.table"][rows].copy()
        numbered = np.flatnonzero(tokens >= e["plain"])
        if len(numbered) and e["number_address"]:
            x[numbered] += self._address(e["number_address"], "embedding.number", tokens[numbered] - e["plain"] + 1)
        gate = w["embedding.gate"][rows][:, None] if e["gated"] else 1
        for index, place in enumerate(e["places"]):
            x += gate * self._address(place, f"embedding.places.{index}", np.arange(start, start + len(tokens)))
        return x

    def _address(self, place: dict[str, Any], name: str, i: Array) -> Array:
        if place["pointers"]:
            i = self.weights[f"{name}.pointers"][np.minimum(i, place["pointers"]) - 1]
        else:
            i = i - place["shift"]
        vectors = self._vectors(place, name, i).astype(self.weights["embedding.table"].dtype)
        return vectors @ self.weights[f"{name}.weight"] if place["projected"] else vectors

    def _vectors(self, place: dict[str, Any], name: str, i: Array) -> Array:
        if place["address"] == "sign":
            generator = self.weights[f"{name}.address.generator"].astype(bool)
            parity = np.zeros((len(i), place["dims"]), dtype=bool)
            for bit in range(place["extent"]):
                parity ^= ((i >> bit) & 1).astype(bool)[:, None] & generator[None, :, bit]
            return 1 - 2 * parity.astype(np.int64)
        if place["address"] == "quadratic":
            return np.stack([i, i * i], axis=-1)
        if place["address"] == "one-hot":
            return np.arange(1, place["dims"] + 1)[None, :] == i[:, None]
        if place["address"] == "table":
            return self.weights[f"{name}.address.table"][np.maximum(i - 1, 0)]
        raise Refused(f"unknown address {place['address']!r}")

    def _layer(self, x: Array, index: int, readers: Array) -> Array:
        """One layer at the positions `readers`, with the keys of every position."""
        layer, w, ops = self.config["layers"][index], f"layers.{index}.attention.", self.numbers
        q = ops.linear(x[readers], self.weights[w + "query"])
        k, v = ops.linear(x, self.weights[w + "key"]), ops.linear(x, self.weights[w + "value"])
        m, u = layer["key_width"], layer["value_width"]
        visible = np.arange(len(x))[None, :] <= readers[:, None] if self.config["causal"] else None
        read = []
        for h in range(layer["heads"]):
            a = ops.logits(q[:, h * m : (h + 1) * m], k[:, h * m : (h + 1) * m])
            read.append(ops.mix(ops.attention(a, visible, layer["attention"]), v[:, h * u : (h + 1) * u]))
        return self._after(x[readers], ops.linear(np.concatenate(read, axis=1), self.weights[w + "out"]), index)

    def _after(self, x: Array, a: Array, index: int) -> Array:
        """The residual and the feed-forward part."""
        ops, residual = self.numbers, self.config["residual"]
        y = ops.add(x, a) if residual else a
        if not self.config["layers"][index]["hidden"]:
            return y
        w = {name: self.weights.get(f"layers.{index}.feedforward.{name}") for name in ("inner", "inner_bias", "gate", "gate_bias", "outer", "outer_bias")}
        h = ops.relu(ops.linear(y, w["inner"], w["inner_bias"]))
        if self.config["activation"] == "reglu":
            h = ops.product(h, ops.linear(y, w["gate"], w["gate_bias"]))
        z = ops.linear(h, w["outer"], w["outer_bias"])
        return ops.add(y, z) if residual else z

    def _long(self, tokens: Array, positions: list[int]) -> Array:
        """A one-layer model on a long input: logits block by block, then the weighted sum block by block."""
        layer, w, ops, n = self.config["layers"][0], "layers.0.attention.", self.numbers, len(tokens)
        x_read = np.concatenate([self.embed(tokens[p : p + 1], p + 1) for p in positions])
        x_read = ops.enter(x_read)
        q = ops.linear(x_read, self.weights[w + "query"])
        m, u = layer["key_width"], layer["value_width"]
        blocks = range(0, n, BLOCK)
        logits: list[list[Array]] = [[] for _ in range(layer["heads"])]
        values = []
        for first in blocks:
            x = ops.enter(self.embed(tokens[first : first + BLOCK], first + 1))
            k = ops.linear(x, self.weights[w + "key"])
            values.append(ops.linear(x, self.weights[w + "value"]))
            for h in range(layer["heads"]):
                logits[h].append(ops.logits(q[:, h * m : (h + 1) * m], k[:, h * m : (h + 1) * m]))
        v = np.concatenate(values)
        visible = np.arange(n)[None, :] <= np.array(positions)[:, None] if self.config["causal"] else None
        read = [
            ops.mix(ops.attention(np.concatenate(logits[h], axis=1), visible, layer["attention"]), v[:, h * u : (h + 1) * u])
            for h in range(layer["heads"])
        ]
        return self._after(x_read, ops.linear(np.concatenate(read, axis=1), self.weights[w + "out"]), 0)

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Every tensor that the configuration calls for, with its shape."""
        e, d = self.embedding, self.d
        rows = e["plain"] + (e["numbers"] > 0)
        shapes: dict[str, tuple[int, ...]] = {"embedding.table": (rows, d)}
        if e["gated"]:
            shapes["embedding.gate"] = (rows,)
        places = [(f"embedding.places.{i}", place) for i, place in enumerate(e["places"])]
        for name, place in places + ([("embedding.number", e["number_address"])] if e["number_address"] else []):
            exactly(place, name, **PLACE)
            if place["projected"]:
                shapes[f"{name}.weight"] = (place["dims"], d)
            if place["address"] == "sign":
                shapes[f"{name}.address.generator"] = (place["dims"], place["extent"])
            if place["address"] == "table":
                shapes[f"{name}.address.table"] = (place["extent"], place["dims"])
            if place["pointers"]:
                shapes[f"{name}.pointers"] = (place["pointers"],)
        for i, layer in enumerate(self.config["layers"]):
            keys, values, hidden = layer["heads"] * layer["key_width"], layer["heads"] * layer["value_width"], layer["hidden"]
            shapes |= {f"layers.{i}.attention.{n}": s for n, s in (("query", (keys, d)), ("key", (keys, d)), ("value", (values, d)), ("out", (d, values)))}
            if hidden:
                inner = {"inner": (hidden, d), "inner_bias": (hidden,), "outer": (d, hidden), "outer_bias": (d,)}
                gate = {"gate": (hidden, d), "gate_bias": (hidden,)} if self.config["activation"] == "reglu" else {}
                shapes |= {f"layers.{i}.feedforward.{n}": s for n, s in (inner | gate).items()}
        return shapes | {"unembedding": (self.config["targets"], d), "unembedding_bias": (self.config["targets"],)}

    def _take(self, name: str, shape: tuple[int, ...]) -> Array:
        if name not in self.tensors:
            raise Refused(f"weights: {name} is missing")
        if self.tensors[name].shape != shape:
            raise Refused(f"weights: {name} has shape {self.tensors[name].shape}, the configuration asks for {shape}")
        self.unused.discard(name)
        found = self.tensors[name]
        return self.numbers.parameter(found, name) if found.dtype.kind == "f" else found
