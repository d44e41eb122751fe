"""A one-layer Transformer in floats whose sums over keys are exact: everything else is local to a token.

[bhattamishra2024 Appendix A(5); bhattamishra2024 Footnote 4]

Notation   q, k, v  query, keys, values      a  logits      M  largest logit      e  exp(a - M)
           Z  sum of the e, w  e / Z, U  sum of w v: Z and U exact, then rounded once

Embedding, norms, positions, feed-forward part and read-out belong to one token each, and are computed for one token at a time by
elementwise operations in a fixed order. So a result depends only on the token, its place and the weights: not on who computes it,
nor on which other tokens are present, unlike a library's matrix product.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.protocols.exact_accumulator import FLOATS, FloatFormat
from separatrix.bounds.protocols.protocol import refuse_layers
from separatrix.checker.models.description import Description, Place, read_description
from separatrix.checker.models.mixers import Shapes
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.seal import Refused
from separatrix.checker.weights import parse_safetensors
from separatrix.errors import BadInput

Array = NDArray[Any]
NORMS = {"none": 0.0, "layer": 1e-5, "rms": 1e-6}  # added to the variance
BASE = 10000.0  # of sinusoidal and rotary frequencies


@dataclass(frozen=True, eq=False)
class FloatModel:
    """A one-layer Transformer read from its description and its weights, in float64 or float32."""

    format: FloatFormat
    model: Description
    weights: Mapping[str, Array]

    @property
    def heads(self) -> Attention:
        """The attention of its only layer."""
        mixer = self.model.layers[0].mixer
        assert isinstance(mixer, Attention)
        return mixer

    @property
    def vocabulary(self) -> int:
        """Number of input ids."""
        return self.model.embedding.vocabulary

    def says(self, tokens: Sequence[int], at: int = -1) -> int:
        """The answer at one position, computed from the whole input."""
        return int(self.logits(tokens, at).argmax())

    def check(self, tokens: Sequence[int]) -> None:
        """Refuse an input that the model cannot read."""
        if not len(tokens):
            raise BadInput("expected at least one token, found none")
        if len(tokens) > self.model.length:
            raise BadInput(f"the model takes at most {self.model.length} tokens, found {len(tokens)}")
        wrong = [token for token in tokens if not 0 <= token < self.vocabulary]
        if wrong:
            raise BadInput(f"tokens must lie in 0..{self.vocabulary - 1}, found {wrong[0]}")

    @np.errstate(all="ignore")  # numbers that are not finite are refused where they matter
    def logits(self, tokens: Sequence[int], at: int = -1) -> Array:
        """The logits [targets] at one position, by one party that holds every token."""
        self.check(tokens)
        n, form, u = len(tokens), self.format, self.heads.value_width
        reader = at % n
        x = self.embedded(tokens[reader], reader)
        q = self.query(x, reader)
        visible = range(reader + 1 if self.heads.causal else n)
        pairs = [self.key_value(self.embedded(tokens[i], i), i) for i in visible]
        read: list[float] = []
        for h in range(self.heads.heads):
            a = [self.logit(q, k, h) for k, _ in pairs]
            if self.heads.scores == "softmax":
                e = [self.exponential(logit, max(a)) for logit in a]
                Z = form.rounded(sum(map(form.whole, e)), form.f)
                w = [self.ratio(part, Z) for part in e]
            elif self.heads.scores == "uniform":
                w = [self.ratio(1.0, len(a))] * len(a)
            else:
                w = [float(i == a.index(max(a))) for i in range(len(a))]
            for j in range(h * u, (h + 1) * u):
                U = sum(form.whole(part) * form.whole(float(v[j])) for part, (_, v) in zip(w, pairs, strict=True))
                read.append(form.rounded(U, 2 * form.f))
        return self.finished(x, read)

    def embedded(self, token: int, place: int) -> Array:
        """The vector of a token at a place, counted from 0."""
        e, w = self.model.embedding, self.weights
        row = min(token, len(w["embedding.table"]) - 1)
        x: Array = w["embedding.table"][row]
        if token >= e.plain and e.number_address:
            x = x + self._feature(e.number_address, token - e.plain + 1)
        for each in e.places:
            feature = self._feature(each, place + 1)
            x = x + (w["embedding.gate"][row] * feature if e.gated else feature)
        return x

    def query(self, x: Array, place: int) -> Array:
        """The queries of all heads, [heads, m], scaled if logits are."""
        q = self._turned(self._split(self._linear(self._before(x), "layers.0.mixer.query")), place)
        return q * self.format.dtype(1 / math.sqrt(self.heads.key_width)) if self.heads.scaled else q

    def key_value(self, x: Array, place: int) -> tuple[Array, Array]:
        """The keys [heads, m] and the values of all heads, of one token."""
        normed = self._before(x)
        k = self._turned(self._split(self._linear(normed, "layers.0.mixer.key")), place)
        return k, self._finite(self._linear(normed, "layers.0.mixer.value"), "a value")

    def logit(self, q: Array, k: Array, h: int) -> float:
        """The logit of one key for head h."""
        return float(self._finite(_summed(q[h] * k[h]), "a logit"))

    def exponential(self, a: float, M: float) -> float:
        """e = exp(a - M), in (0, 1] or rounded to 0."""
        return float(self.format.dtype(math.exp(self.format.dtype(a) - self.format.dtype(M))))

    def ratio(self, e: float, Z: float) -> float:
        """The weight of one key: w = e / Z."""
        return float(self.format.dtype(e) / self.format.dtype(Z))

    def finished(self, x: Array, read: Sequence[float]) -> Array:
        """The rest of the layer and the read-out at one token, from U of all heads."""
        layer = self.model.layers[0]
        a = self._linear(np.array(read, dtype=self.format.dtype), "layers.0.mixer.out")
        y = x + a if layer.residual else a
        if layer.feedforward is not None:
            z = self._feedforward(self._normed(y, layer.norm, "layers.0.before_feedforward"), layer.feedforward.activation)
            y = y + z if layer.residual else z
        last = self._normed(y, self.model.readout.norm, "readout.norm")
        return self._finite(self._linear(last, "readout.weight", "readout.bias"), "an output")

    def _before(self, x: Array) -> Array:
        return self._normed(x, self.model.layers[0].norm, "layers.0.before_mixing")

    def _feedforward(self, y: Array, act: str) -> Array:
        h = self._linear(y, "layers.0.feedforward.inner")
        h = np.maximum(h, 0) if act in ("relu", "reglu") else self._each(_gelu if act == "gelu" else _silu, h)
        if act in ("reglu", "swiglu"):
            h = h * self._linear(y, "layers.0.feedforward.gate")
        return self._linear(h, "layers.0.feedforward.outer")

    def _linear(self, x: Array, name: str, bias: str = "") -> Array:
        """W x, with terms added from left to right, plus the bias if there is one."""
        y, added = _summed(self.weights[name] * x), self.weights.get(bias or f"{name}_bias")
        return y if added is None else y + added

    def _normed(self, x: Array, kind: str, name: str) -> Array:
        w, d = self.weights, self.format.dtype(len(x))
        if kind == "none":
            return x
        centred = x - _summed(x) / d if kind == "layer" else x
        y = centred / np.sqrt(_summed(centred * centred) / d + self.format.dtype(NORMS[kind])) * w[f"{name}.weight"]
        return np.asarray(y + w[f"{name}.bias"] if kind == "layer" else y)

    def _split(self, x: Array) -> Array:
        return x.reshape(self.heads.heads, self.heads.key_width)

    def _turned(self, x: Array, place: int) -> Array:
        """Rotary positions: pairs (j, j + m/2) rotated by place / 10000^(2j/m), the place counted from 0."""
        if not self.heads.rotary:
            return x
        half = x.shape[1] // 2
        angles = [place * math.exp(j * (-math.log(BASE) / half)) for j in range(half)]
        cos, sin = (np.array([turn(angle) for angle in angles]).astype(self.format.dtype) for turn in (math.cos, math.sin))
        first, second = x[:, :half], x[:, half:]
        return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=1)

    def _feature(self, place: Place, i: int) -> Array:
        """What an address adds to the stream at index i, counted from 1."""
        if place.pointers:
            i = int(self.weights[f"{place.name}.pointers"][min(i, place.pointers) - 1])
        else:
            i = (i - place.shift - 1) % place.fold + 1 if place.fold else i - place.shift
        address = self._address(place, i).astype(self.format.dtype)
        return _summed(self.weights[f"{place.name}.weight"].T * address) if place.projected else address

    def _address(self, place: Place, i: int) -> Array:
        dims = place.dims
        if place.address == "sign":
            bits = np.array([i >> bit & 1 for bit in range(place.extent)], dtype=np.int64)
            return np.asarray(1 - 2 * ((self.weights[f"{place.name}.address.generator"].astype(np.int64) * bits).sum(axis=1) % 2))
        if place.address == "quadratic":
            return np.array([i, i * i])
        if place.address == "one-hot":
            return np.asarray(np.arange(1, dims + 1) == i)
        if place.address == "table":
            if i > place.extent:
                raise BadInput(f"position {i} lies beyond the {place.extent} positions that this model stores")
            return np.asarray(self.weights[f"{place.name}.address.table"][max(i - 1, 0)])
        angles = [i * math.exp(2 * j * (-math.log(BASE) / dims)) for j in range((dims + 1) // 2)]
        return np.array([turn(angle) for angle in angles for turn in (math.sin, math.cos)][:dims])

    def _each(self, function: Callable[[float], float], x: Array) -> Array:
        return np.array([function(float(v)) for v in x]).astype(self.format.dtype)

    def _finite(self, x: Array, what: str) -> Array:
        if not np.isfinite(x).all():
            raise BadInput(f"the model overflows {self.format.name}: {what} is not finite")
        return x


def float_model(model: Mapping[str, Any], weights: bytes) -> FloatModel:
    """The model of a certificate's description and the bytes of a safetensors file."""
    plain = json.loads(json.dumps(model))  # tuples as lists, as in JSON
    name = plain.get("arithmetic")
    if name not in FLOATS:
        raise BadInput(f"the exact accumulator needs arithmetic {' or '.join(FLOATS)}, found {name}")
    try:
        description, tensors = read_description(plain), parse_safetensors(weights)
    except Refused as error:
        raise BadInput(str(error)) from error
    refuse_layers(description.layers)
    check_tensors(tensors, description, FLOATS[name])
    return FloatModel(FLOATS[name], description, tensors)


def _summed(x: Array) -> Array:
    """Sums over the last axis, strictly from left to right."""
    return np.asarray(np.add.accumulate(x, axis=-1)[..., -1])


def _gelu(x: float) -> float:
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def _silu(x: float) -> float:
    return x / (1 + math.exp(-x)) if x >= 0 else x * math.exp(x) / (1 + math.exp(x))


def check_tensors(tensors: Mapping[str, Array], model: Description, form: FloatFormat) -> None:
    """Refuse missing or unknown weights, and weights of a wrong shape or number type."""
    expected: Shapes = model.shapes()
    for name in [*expected, *sorted(tensors)]:
        if name not in tensors:
            raise BadInput(f"weights: {name} is missing")
        if name not in expected:
            raise BadInput(f"weights: {name} does not belong to the model")
        tensor = tensors[name]
        if tensor.shape != expected[name]:
            raise BadInput(f"weights: {name} has shape {tensor.shape}, the description requires {expected[name]}")
        kind = np.uint8 if name.endswith(".generator") else np.int64 if name.endswith(".pointers") else form.dtype
        if tensor.dtype != kind:
            raise BadInput(f"weights: {name} has type {tensor.dtype}, the arithmetic requires {np.dtype(kind).name}")
