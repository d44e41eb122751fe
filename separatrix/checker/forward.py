"""A forward pass of the Transformer in NumPy, written from its description and not from the model's code.

With the weights of softmax, hard or uniform attention over the keys that a position sees:

    x_t = E[row] + [number] A(n) W_n + gate A(t) W_t
    per layer: a = O concat_h(weights V x),  y = a (+ x),  z = W_2 act(W_1 y + b_1) + b_2 (+ y)
               or a = C h_t,  h_t = A h_(t-1) + B x_t,  in a layer with a linear unit
    logits = U z + c, at the positions that are scored
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.fields import within
from separatrix.checker.numbers import Numbers, Term
from separatrix.checker.seal import Refused
from separatrix.checker.shapes import INDEX, MOST, check_config, shapes, widest
from separatrix.checker.weights import Tensors

Array = npt.NDArray[Any]
BLOCK = 1 << 15  # keys at a time
KEPT = 1 << 28  # bytes of addresses that are kept between cases
AT_ONCE = 1 << 24  # logits at a time


class Forward:
    """A model read from a certificate, ready to run."""

    def __init__(self, config: Any, tensors: Tensors, numbers: Numbers) -> None:
        self.config = check_config(config)
        self.embedding: dict[str, Any] = self.config["embedding"]
        self.widest = widest(self.config)
        self.numbers, self.unused = numbers, set(tensors)
        self.tensors = tensors
        self.kept: dict[tuple[str, int, int], Array] = {}
        self.weights = {name: self._take(name, shape) for name, shape in shapes(self.config).items()}
        if self.unused:
            raise Refused(f"weights: {sorted(self.unused)[0]} belongs to no part of the model")

    def logits(self, tokens: Array, positions: list[int]) -> Array:
        """Logits [positions, targets] of one input."""
        if int(tokens.min()) < 0 or int(tokens.max()) >= self.embedding["plain"] + self.embedding["numbers"]:
            raise Refused("a case has a token outside the model's vocabulary")
        layers, n = self.config["layers"], len(tokens)
        if 0 < self.config["length"] < n:
            raise Refused(f"a case has {n} tokens, the model is made for {self.config['length']}")
        streamed = len(layers) == 1 and n > BLOCK and not layers[0].get("state")
        within((BLOCK if streamed else n) * self.widest, 0, MOST, "numbers of one layer")
        with np.errstate(all="ignore"):  # a float that overflows shows in the logits
            if streamed:
                group = max(1, AT_ONCE // n)
                x = np.concatenate([self._long(tokens, positions[first : first + group]) for first in range(0, len(positions), group)])
            else:
                x = self.embed(tokens, 1)
                for index in range(len(layers)):
                    x = self._layer(x, index, np.arange(n) if index < len(layers) - 1 else np.array(positions))
            found = self.numbers.linear(x, self.weights["unembedding"], self.weights["unembedding_bias"])
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise Refused("a case gives a logit that is not finite")
        return found

    def embed(self, tokens: Array, start: int) -> Array:
        """What enters the first layer for tokens that stand at positions start, start + 1, ..."""
        e, w = self.embedding, self.weights
        rows = np.minimum(tokens, len(w["embedding.table"]) - 1)
        terms: list[Term] = []
        numbered = np.flatnonzero(tokens >= e["plain"])
        if len(numbered) and e["number_address"]:
            terms.append(self._term(e["number_address"], "embedding.number", tokens[numbered] - e["plain"] + 1, numbered, None))
        gate = w["embedding.gate"][rows] if e["gated"] else None
        for index, place in enumerate(e["places"]):
            terms.append(self._term(place, f"embedding.places.{index}", np.arange(start, start + len(tokens)), slice(None), gate))
        return self.numbers.embed(w["embedding.table"][rows], terms)

    def _term(self, place: dict[str, Any], name: str, i: Array, where: Array | slice, gate: Array | None) -> Term:
        if place["pointers"]:
            i = self.weights[f"{name}.pointers"][np.minimum(i, place["pointers"]) - 1]
        elif place["fold"]:
            i = (i - place["shift"] - 1) % place["fold"] + 1
        else:
            i = i - place["shift"]
        directions = self.weights[f"{name}.weight"] if place["projected"] else None
        return Term(where, self._kept(place, name, i), place["address"] == "table", directions, gate)

    def _kept(self, place: dict[str, Any], name: str, i: Array) -> Array:
        """The sign vectors of a block of places are the same in every case: they are kept, as bytes."""
        if place["address"] != "sign" or len(i) < BLOCK or place["pointers"]:
            return self.vectors(place, name, i)
        key = (name, int(i[0]), len(i))
        if key not in self.kept and len(self.kept) * BLOCK * place["dims"] < KEPT:
            self.kept[key] = self.vectors(place, name, i).astype(np.int8)
        found: Array | None = self.kept.get(key)
        return self.vectors(place, name, i) if found is None else found

    def vectors(self, place: dict[str, Any], name: str, i: Array) -> Array:
        """The address vectors [tokens, dims] of integers i."""
        if place["address"] == "sign":
            generator = self.weights[f"{name}.address.generator"].astype(bool)
            parity = np.zeros((len(i), place["dims"]), dtype=bool)
            for bit in range(place["extent"]):
                parity ^= ((i >> bit) & 1).astype(bool)[:, None] & generator[None, :, bit]
            return np.asarray(1 - 2 * parity.astype(np.int64))
        if place["address"] == "quadratic":
            return np.stack([i, i * i], axis=-1)
        if place["address"] == "one-hot":
            return np.asarray(np.arange(1, place["dims"] + 1)[None, :] == i[:, None])
        if place["address"] == "table":
            return np.asarray(self.weights[f"{name}.address.table"][np.maximum(i - 1, 0)])
        raise Refused(f"unknown address {place['address']!r}")

    def _layer(self, x: Array, index: int, readers: Array) -> Array:
        """One layer at the positions `readers`, with the keys of every position."""
        if self.config["layers"][index].get("state"):
            return self._after(x[readers], self._unit(x, index)[readers], index)
        layer, w, ops = self.config["layers"][index], f"layers.{index}.attention.", self.numbers
        q = ops.linear(x[readers], self.weights[w + "query"])
        k, v = ops.linear(x, self.weights[w + "key"]), ops.linear(x, self.weights[w + "value"])
        m, u = layer["key_width"], layer["value_width"]
        blocks, step = [], max(1, AT_ONCE // len(x))
        for first in range(0, len(readers), step):
            part = slice(first, first + step)
            visible = np.arange(len(x))[None, :] <= readers[part, None] if self.config["causal"] else None
            read = []
            for h in range(layer["heads"]):
                a = ops.logits(q[part, h * m : (h + 1) * m], k[:, h * m : (h + 1) * m])
                read.append(ops.mix(ops.attention(a, visible, layer["attention"]), v[:, h * u : (h + 1) * u]))
            blocks.append(np.concatenate(read, axis=1))
        return self._after(x[readers], ops.linear(np.concatenate(blocks), self.weights[w + "out"]), index)

    def _unit(self, x: Array, index: int) -> Array:
        """A linear unit at every position, token by token from h = 0."""
        ops, part = self.numbers, f"layers.{index}.unit."
        matrix = np.concatenate([self.weights[part + "transition"], self.weights[part + "drive"]], axis=1)
        h, held = np.zeros_like(matrix[:1, : len(matrix)]), []
        for row in x:
            h = ops.linear(np.concatenate([h, row[None]], axis=1), matrix)
            held.append(h)
        return ops.linear(np.concatenate(held), self.weights[part + "out"])

    def _after(self, x: Array, a: Array, index: int) -> Array:
        """The residual and the feed-forward part."""
        ops, residual = self.numbers, self.config["residual"]
        y = ops.add(x, a) if residual else a
        if not self.config["layers"][index]["hidden"]:
            return y
        part = f"layers.{index}.feedforward."
        h = ops.relu(ops.linear(y, self.weights[part + "inner"], self.weights[part + "inner_bias"]))
        if self.config["activation"] == "reglu":
            h = ops.product(h, ops.linear(y, self.weights[part + "gate"], self.weights[part + "gate_bias"]))
        z = ops.linear(h, self.weights[part + "outer"], self.weights[part + "outer_bias"])
        return ops.add(y, z) if residual else z

    def _long(self, tokens: Array, positions: list[int]) -> Array:
        """A one-layer model on a long input: logits block by block, then the weighted sum block by block."""
        layer, w, ops, n = self.config["layers"][0], "layers.0.attention.", self.numbers, len(tokens)
        within(n * layer["heads"] * layer["value_width"], 0, MOST, "values")
        x_read = np.concatenate([self.embed(tokens[p : p + 1], p + 1) for p in positions])
        q = ops.linear(x_read, self.weights[w + "query"])
        m, u = layer["key_width"], layer["value_width"]
        blocks = range(0, n, BLOCK)
        logits: list[list[Array]] = [[] for _ in range(layer["heads"])]
        values = []
        for first in blocks:
            x = self.embed(tokens[first : first + BLOCK], first + 1)
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

    def _take(self, name: str, shape: tuple[int, ...]) -> Array:
        if name not in self.tensors:
            raise Refused(f"weights: {name} is missing")
        if self.tensors[name].shape != shape:
            raise Refused(f"weights: {name} has shape {self.tensors[name].shape}, the configuration asks for {shape}")
        self.unused.discard(name)
        found = self.tensors[name]
        if name.endswith(".generator"):
            if found.dtype != np.uint8 or found.max(initial=0) > 1:
                raise Refused(f"weights: {name} is not a matrix of bits")
            return found
        if name.endswith(".pointers"):
            if found.dtype != np.int64 or found.min(initial=0) < 0 or found.max(initial=0) > INDEX:
                raise Refused(f"weights: {name} does not hold positions")
            return found
        if found.dtype.kind != "f":
            raise Refused(f"weights: {name} does not hold floating-point numbers")
        return self.numbers.parameter(found, name)
