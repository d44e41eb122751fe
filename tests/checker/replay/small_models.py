"""Small models: constructions of the house, damaged ones and random ones; and what is true of them, by every input of a form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.models.description import read_description
from separatrix.checker.models.layer import under
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.specs import Spec, spec_of
from separatrix.checker.specs.forms.form import Form
from separatrix.constructions import build
from tests.laws.checked_models import checked

Array = npt.NDArray[Any]
INTEGERS = ("generator", "pointers", "write", "read")
FORMATS = ("float64", "float32", "fixed:18,6", "nearest:21", "float:6,8")


@cache
def made(name: str, **settings: Any) -> tuple[Model, Spec]:
    """A construction of the house as the checker meets it, and the task that it claims."""
    built = build(name, **settings)
    return checked(built.model), spec_of(built.claim.task, json.loads(json.dumps(built.claim.task_parameters)))


def changed(model: Model, name: str, at: tuple[int, ...], by: float) -> Model:
    """The same model with one entry of one tensor moved; in exact formats by so many times 1."""
    tensors = {**model.weights, name: model.weights[name].copy()}
    tensors[name][at] += by * (model.ops.scale or 1) if not name.endswith(INTEGERS) else by
    result = object.__new__(Model)
    result.__dict__.update(model.__dict__)
    result.weights = tensors
    result.layers = [under(tensors, f"layers.{i}") for i in range(len(model.description.layers))]
    return result


def damaged(rng: np.random.Generator, model: Model) -> Model:
    """One to three weights moved by a little, or by a lot."""
    for _ in range(rng.integers(1, 4)):
        names = [name for name, tensor in model.weights.items() if not name.endswith(INTEGERS) and tensor.size]
        name = str(rng.choice(names))
        at = tuple(int(rng.integers(size)) for size in model.weights[name].shape)
        model = changed(model, name, at, float(rng.choice([-2, -1, -0.5, -0.25, 0.25, 0.5, 1, 2])))
    return model


def true_lead(model: Model, form: Form, inputs: Iterable[Sequence[int]]) -> Fraction | float:
    """The least lead of the right answer over all inputs of one length; in floats no program leads by more."""
    rows = [*inputs]
    wanted = [form.answers(tokens) for tokens in rows]
    logits = model.logits(np.array(rows), [*wanted[0]])
    targets = np.array([[*each.values()] for each in wanted])[..., None]
    low, high = logits.low, logits.high
    least = low.min() - 1 if model.ops.scale else -np.inf
    rivals = np.where(np.arange(low.shape[-1]) == targets, least, low).max(axis=-1)
    lead = (np.take_along_axis(high, targets, axis=-1)[..., 0] - rivals).min()
    return Fraction(int(lead), model.ops.scale) if model.ops.scale else float(np.nextafter(lead, np.inf))


def not_above(bound: Fraction | float, truth: Fraction | float, model: Model) -> bool:
    """Exactly so in exact formats; in floats the margin itself is rounded."""
    return bound <= truth if model.ops.scale else bound <= truth + 1e-12 * (1 + abs(truth))


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
