"""What is true of a small model: every input of a form through the forward pass; and small models with random weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.oracles.forms.form import Form

Array = npt.NDArray[Any]
FORMATS = ("float64", "float32", "fixed:18,6", "nearest:21", "float:6,8")


def true_lead(model: Model, form: Form, inputs: Iterable[Sequence[int]]) -> Fraction | float:
    """The least lead of the right answer over all inputs; in floats no program leads by more."""
    found: list[Fraction | float] = []
    for tokens in inputs:
        wanted = form.answers(tokens)
        logits = model.logits(np.array(tokens), list(wanted))
        for row, target in enumerate(wanted.values()):
            low, high = logits.value[row], logits.value[row]
            if logits.error is not None:
                low, high = low - 2 * logits.error[row], high + 2 * logits.error[row]
            rivals = max(v for i, v in enumerate(low.tolist()) if i != target)
            lead = high.tolist()[target] - rivals
            found.append(Fraction(lead, model.ops.scale) if model.ops.scale else float(np.nextafter(lead, np.inf)))
    return min(found)


def every_input(alphabets: Sequence[range]) -> Iterable[tuple[int, ...]]:
    """All strings over these alphabets."""
    return product(*alphabets)


def attention(**changed: Any) -> dict[str, Any]:
    """A layer of attention in the words of a certificate."""
    mixer = {
        "kind": "attention", "scores": "softmax", "mask": {"kind": "all"}, "heads": 1, "key_width": 2, "value_width": 2, "scaled": False,
        "bias": False, "rotary": False,
    }  # fmt: skip
    layer = {"mixer": mixer, "feedforward": None, "residual": False, "norm": "none"}
    mixer.update({key: value for key, value in changed.items() if key in mixer})
    layer.update({key: value for key, value in changed.items() if key in layer})
    return layer


def described(vocabulary: int, n: int, width: int, layers: list[dict[str, Any]], targets: int, arithmetic: str) -> dict[str, Any]:
    """A model whose tokens carry a row of the table and a one-hot place."""
    place = {"address": "one-hot", "dims": n, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    embedding = {"reads": "tokens", "plain": vocabulary, "numbers": 0, "number_address": None, "places": [place], "gated": False}
    readout = {"targets": targets, "norm": "none", "bias": True}
    return {"arithmetic": arithmetic, "length": n, "width": width, "embedding": embedding, "layers": layers, "readout": readout}


def random_model(rng: np.random.Generator, document: dict[str, Any], symbol: int = 2) -> Model:
    """Weights that are multiples of 1/4; symbols live in the first coordinates, and heads mostly look at the others."""
    d = read_description(document)
    tensors: dict[str, Array] = {}
    for name, shape in d.shapes().items():
        tensor = rng.integers(-6, 7, size=shape) / 4
        if name == "embedding.table":
            tensor[:, symbol:] = 0
        if name.endswith("places.0.weight"):
            tensor[:, :symbol] = 0
        if name.endswith(("query", "key")):
            tensor *= rng.choice([1, 2, 4])
            if rng.random() < 0.8:
                tensor[:, :symbol] = 0
        tensors[name] = tensor
    return Model(d, tensors, numbers(document["arithmetic"]))


def random_layer(rng: np.random.Generator, n: int, uniform: bool = False) -> dict[str, Any]:
    """Some layer of attention."""
    masks = ({"kind": "all"}, {"kind": "causal"}, {"kind": "window", "size": int(rng.integers(1, n + 1))})
    hidden = {"hidden": int(rng.integers(1, 5)), "activation": "relu", "bias": bool(rng.integers(2))}
    return attention(
        scores="uniform" if uniform else str(rng.choice(["softmax", "softmax", "hard", "uniform"])),
        mask=masks[rng.integers(3)],
        heads=int(rng.integers(1, 3)),
        value_width=int(rng.integers(1, 4)),
        bias=bool(rng.integers(2)),
        residual=bool(rng.integers(2)),
        feedforward=hidden if rng.integers(2) else None,
    )
