"""Small models near ones that work, with every choice a description leaves open, and what they say on all inputs of a form."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from separatrix.checker.budget import Budget
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.small_float import SmallFloat
from separatrix.checker.replay.proof import Proof, Unproven
from separatrix.checker.seal import Refused
from separatrix.checker.specs.forms.lookup import ByDelay, ByIndex, Lookup
from separatrix.checker.specs.forms.match import Match
from tests.checker.replay.proved import proved

FORMATS = ("float64", "float64", "float32", "fixed:12,5", "fixed:16,8", "nearest:21", "float:6,9", "fixed:9,3")
Rng = np.random.Generator


@dataclass(frozen=True)
class Asks:
    """An oracle of which a rule sees the form alone."""

    asked: Lookup | Match

    def form(self) -> Lookup | Match:
        return self.asked


def proof_of(model: Model, form: Lookup | Match) -> Proof | None:
    try:
        with np.errstate(all="ignore"):
            return proved("lookup" if isinstance(form, Lookup) else "content match", model, Asks(form), Budget())
    except (Unproven, Refused):
        return None


def least_margin(model: Model, form: Lookup | Match) -> Fraction | float:
    """The least lead of the right answer over every input, by the forward pass."""
    least: Fraction | float = math.inf
    with np.errstate(all="ignore"):
        for n in form.lengths:
            rows = [tokens for tokens in product(*form.alphabets(n)) if inside(form, tokens)]
            if not rows:
                continue
            positions = list(form.answers(rows[0]))
            logits = model.logits(np.array(rows), positions)
            wanted = np.array([list(form.answers(tokens).values()) for tokens in rows])
            own = np.take_along_axis(logits.middle, wanted[..., None], axis=-1)
            others = np.where(np.arange(logits.shape[-1]) == wanted[..., None], -(2**62) if model.ops.scale else -np.inf, logits.middle)
            lead = (own[..., 0] - others.max(axis=-1)).min()
            least = min(least, Fraction(int(lead), model.ops.scale) if model.ops.scale else float(lead))
    return least


def inside(form: Lookup | Match, tokens: tuple[int, ...]) -> bool:
    """Whether the promise holds at every position that asks."""
    if isinstance(form, Lookup):
        return True
    for t in form.asked(len(tokens)):
        cost = np.sort(form.cost(tokens[t])[list(tokens[:t:2])])
        if cost[0] > form.farthest or (len(cost) > 1 and cost[1] < cost[0] + form.lead):
            return False
    return True


def lookup_model(rng: Rng) -> tuple[Model, ByIndex | ByDelay]:
    """One layer that looks up by one-hot, sign, table or quadratic addresses, with noise on every tensor."""
    S, N, delayed = int(rng.integers(2, 4)), int(rng.integers(1, 4)), bool(rng.random() < 0.4)
    n = 2 * N if delayed else N + 1
    form = ByDelay(S, range(n, n + 1), N) if delayed else ByIndex(S, range(int(rng.integers(2, n + 1)), n + 1))
    address = str(rng.choice(["one-hot", "sign", "table", "quadratic"]))
    dims = {"one-hot": n, "sign": 3, "table": 4, "quadratic": 2}[address]
    arithmetic = str(rng.choice(FORMATS))
    width, eta = S + 2 * dims, float(rng.choice([0.5, 1, 2, 4, 6, 12]))
    asks, shows = slice(S, S + dims), slice(S + dims, width)
    place = {"address": address, "dims": dims, "extent": {"sign": 3, "table": n}.get(address, 0), "shift": 0, "fold": 0, "pointers": 0,
             "projected": True}  # fmt: skip
    due = {**place, "fold": N}
    residual, heads, bias = bool(rng.random() < 0.4), int(rng.integers(1, 3)), bool(rng.random() < 0.3)
    hidden, gated = 2 * S, bool(rng.random() < 0.3)
    activation = str(rng.choice(["relu", "relu", "relu", "reglu"]))
    feedforward = {"hidden": hidden, "activation": activation, "bias": True} if rng.random() < 0.8 else None
    description = {
        "arithmetic": arithmetic, "length": n, "width": width,
        "embedding": {"reads": "tokens", "plain": S + 1 if delayed else S, "numbers": 0 if delayed else N,
                      "number_address": None if delayed else place, "places": [place, due] if delayed else [place], "gated": gated},
        "layers": [{"mixer": attention(rng, heads, dims, S, bias), "feedforward": feedforward, "residual": residual, "norm": "none"}],
        "readout": {"targets": S, "norm": "none", "bias": bool(rng.random() < 0.5)},
    }  # fmt: skip
    eye, ask = np.eye(dims), np.array([[2.0, 0.0], [0.0, 0.0]]) if address == "quadratic" else np.eye(dims)
    constant = np.array([0.0, -1.0]) if address == "quadratic" else np.zeros(dims)
    table = np.zeros((S + 1, width))
    table[:S, :S] = np.eye(S)
    table[S if not delayed else slice(None), asks] = constant
    generator = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.uint8)
    vectors = np.sign(rng.standard_normal((n, 4)))
    into = np.zeros((dims, width))
    tensors: dict[str, Any] = {"embedding.table": table}
    named = [("embedding.places.0", shows, eye), ("embedding.places.1" if delayed else "embedding.number", asks, ask)]
    for name, part, along in named:
        tensors[f"{name}.weight"] = into.copy()
        tensors[f"{name}.weight"][:, part] = along
        tensors |= {f"{name}.address.generator": generator} if address == "sign" else {}
        tensors |= {f"{name}.address.table": vectors} if address == "table" else {}
    if gated:
        tensors["embedding.gate"] = np.append(np.ones(S), 1.0 if delayed else 0.0)
    tensors |= heads_of(rng, heads, dims, S, width, bias, (asks, shows, slice(0, S)), eta)
    if feedforward is not None:
        tensors |= steps(rng, S, width, activation == "reglu")
    tensors["readout.weight"] = 2 * np.eye(S, width)
    if description["readout"]["bias"]:  # type: ignore[index]
        tensors["readout.bias"] = np.zeros(S)
    return made(rng, description, tensors), form


def match_model(rng: Rng) -> tuple[Model, Match]:
    """Two layers: labels copy the key before them, keys find the copy of themselves."""
    K, L, pairs = int(rng.integers(2, 4)), 2, int(rng.integers(1, 3))
    if rng.random() < 0.3:
        n, asking = 4 * pairs - 1, 2 * pairs
    else:
        n, asking = 2 * pairs + 1, None
    lengths = range(n if asking is not None else int(rng.choice([3, n])), n + 1, 2)
    if rng.random() < 0.5:
        form = Match(K, L, lengths, asking, 1, 0, None)
    else:
        K = 4
        form = Match(K, L, lengths, asking, int(rng.integers(1, 3)), int(rng.integers(0, 4)), np.array([0, 1, 2, 3]))
    arithmetic, d = str(rng.choice(FORMATS)), n
    width = 2 * K + L + 3 + 2 * d
    x, y, flag, one, before, here, previous = (
        slice(0, K), slice(K, K + L), slice(K + L, K + L + 1), slice(K + L + 1, K + L + 2), slice(K + L + 2, 2 * K + L + 2),
        slice(2 * K + L + 3, 2 * K + L + 3 + d), slice(2 * K + L + 3 + d, width),
    )  # fmt: skip
    place = {"address": "one-hot", "dims": d, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    bias = bool(rng.random() < 0.3)
    first = {**attention(rng, 1, d, K, bias), "scaled": False, "rotary": False}
    second = {
        **attention(rng, 1, K + 1, L, bias),
        "scaled": bool(rng.random() < 0.2 and arithmetic in ("float64", "float32")),
        "rotary": False,
    }
    hidden = 2 * L
    description = {
        "arithmetic": arithmetic, "length": n, "width": width,
        "embedding": {"reads": "tokens", "plain": K + L, "numbers": 0, "number_address": None, "places": [place, {**place, "shift": 1}],
                      "gated": False},
        "layers": [{"mixer": first, "feedforward": None, "residual": True, "norm": "none"},
                   {"mixer": second, "feedforward": {"hidden": hidden, "activation": "relu", "bias": True},
                    "residual": bool(rng.random() < 0.5), "norm": "none"}],
        "readout": {"targets": L, "norm": "none", "bias": False},
    }  # fmt: skip
    code = np.eye(K) if form.costs is None else np.array([[1.0, 1, 1, 0], [-1, 1, 1, 0], [1, -1, 1, 0], [-1, -1, 1, 0]])[:, :K]
    if form.costs is not None:
        code = code * np.array([1.0, 1.5, 1.0, 0.0])
    table = np.zeros((K + L, width))
    table[:K, x], table[K:, y], table[K:, flag], table[:, one] = code, np.eye(L), 1.0, 1.0
    tensors: dict[str, Any] = {"embedding.table": table}
    for i, part in enumerate((here, previous)):
        tensors[f"embedding.places.{i}.weight"] = np.zeros((d, width))
        tensors[f"embedding.places.{i}.weight"][:, part] = np.eye(d)
    q, k, v, out = np.zeros((d, width)), np.zeros((d, width)), np.zeros((K, width)), np.zeros((width, K))
    q[:, previous], k[:, here], v[:, x], out[before] = float(rng.choice([4, 8, 16])) * np.eye(d), np.eye(d), np.eye(K), np.eye(K)
    tensors |= {f"layers.0.mixer.{name}": w for name, w in (("query", q), ("key", k), ("value", v), ("out", out))}
    q, k, v, out = np.zeros((K + 1, width)), np.zeros((K + 1, width)), np.zeros((L, width)), np.zeros((width, L))
    eta = float(rng.choice([2, 6, 10, 20]))
    q[:K, x], q[K:, one], k[:K, before], k[K:, flag], k[K:, one] = eta * np.eye(K), eta, np.eye(K), 4.0, -4.0
    v[:, y], out[y] = np.eye(L), np.eye(L)
    tensors |= {f"layers.1.mixer.{name}": w for name, w in (("query", q), ("key", k), ("value", v), ("out", out))}
    for i, (keys, values) in enumerate(((d, K), (K + 1, L))):
        if bias:
            tensors |= {f"layers.{i}.mixer.{name}_bias": np.zeros(size)
                        for name, size in (("query", keys), ("key", keys), ("value", values), ("out", width))}  # fmt: skip
    inner, outer = np.zeros((hidden, width)), np.zeros((width, hidden))
    inner[:L, y] = inner[L:, y] = 2 * np.eye(L)
    outer[y, :L], outer[y, L:] = np.eye(L), -np.eye(L)
    tensors |= {"layers.1.feedforward.inner": inner, "layers.1.feedforward.inner_bias": np.repeat([-0.5, -1.5], L),
                "layers.1.feedforward.outer": outer, "layers.1.feedforward.outer_bias": np.zeros(width)}  # fmt: skip
    readout = np.zeros((L, width))
    readout[:, y] = 2 * np.eye(L)
    tensors["readout.weight"] = readout
    return made(rng, description, tensors), form


def attention(rng: Rng, heads: int, keys: int, values: int, bias: bool) -> dict[str, Any]:
    """The description of a mixer."""
    return {
        "kind": "attention", "scores": str(rng.choice(["softmax"] * 6 + ["hard"])), "mask": {"kind": str(rng.choice(["all", "causal"]))},
        "heads": heads, "key_width": keys, "value_width": values, "scaled": False, "bias": bias, "rotary": False,
    }  # fmt: skip


def heads_of(rng: Rng, heads: int, keys: int, values: int, width: int, bias: bool, slots: tuple[slice, ...], eta: float) -> dict[str, Any]:
    """One head that asks, shows and reads by slots, and others that hardly matter."""
    asks, shows, reads = slots
    q, k, v = (np.zeros((heads * m, width)) for m in (keys, keys, values))
    out = np.zeros((width, heads * values))
    q[:keys, asks], k[:keys, shows], v[:values, reads], out[reads, :values] = (
        eta * np.eye(keys),
        np.eye(keys),
        np.eye(values),
        np.eye(values),
    )
    if heads > 1:
        out[:, values:] = 0.05 * rng.standard_normal((width, values))
        v[values:] = rng.standard_normal((values, width))
    results = {f"layers.0.mixer.{name}": w for name, w in (("query", q), ("key", k), ("value", v), ("out", out))}
    if bias:
        results |= {f"layers.0.mixer.{name}_bias": np.zeros(len(w)) for name, w in (("query", q), ("key", k), ("value", v), ("out", out))}
    return results


def steps(rng: Rng, S: int, width: int, gated: bool) -> dict[str, Any]:
    """relu(a z + b) - relu(a z + c) of each coordinate of the symbol."""
    a, inner, outer = float(rng.choice([1, 2, 4])), np.zeros((2 * S, width)), np.zeros((width, 2 * S))
    inner[:S, :S] = inner[S:, :S] = a * np.eye(S)
    outer[:S, :S], outer[:S, S:] = np.eye(S), -np.eye(S)
    results = {"inner": inner, "inner_bias": np.repeat([0.5 - a / 2, -0.5 - a / 2], S), "outer": outer, "outer_bias": np.zeros(width)}
    if gated:
        results |= {"gate": np.zeros((2 * S, width)), "gate_bias": np.ones(2 * S)}
    return {f"layers.0.feedforward.{name}": w for name, w in results.items()}


def made(rng: Rng, description: dict[str, Any], tensors: dict[str, Any]) -> Model:
    """The model with noise on some entries of every tensor, in numbers of its format."""
    ops = numbers(description["arithmetic"])
    noise, often = float(rng.choice([0.0, 0.01, 0.1, 0.4])), float(rng.choice([0.02, 0.2, 1.0]))
    for name, tensor in tensors.items():
        if tensor.dtype == np.uint8:
            continue
        x = tensor + noise * rng.standard_normal(tensor.shape) * (rng.random(tensor.shape) < often)
        if isinstance(ops, Grid):
            x = np.clip(np.floor(x * ops.scale), ops.low + 1, ops.high) / ops.scale
        elif isinstance(ops, SmallFloat):
            x = ops.rounded(x)
        else:
            x = x.astype(np.float32).astype(np.float64) if ops.name == "float32" else x
        tensors[name] = x
    return Model(read_description(description), tensors, ops)


def models(make: Any, seeds: range) -> Iterator[tuple[int, Model, Any]]:
    """So many models, by their seeds."""
    for seed in seeds:
        yield seed, *make(np.random.default_rng(seed))
