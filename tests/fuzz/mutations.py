"""One step away from an honest certificate: a value, a key, a list, a tensor, or a piece of another certificate."""

from __future__ import annotations

import base64
import copy
import hashlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from separatrix.checker import Refused
from tests.checker.kinds.forgery import at, leaves, objects
from tests.checker.kinds.programs import tensors_of, with_weights

Document = dict[str, Any]
Mutation = Callable[[Document, random.Random, list[Document]], Document]

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 2**31, 2**63, -(2**63), 10**30, 0.0, 0.5, -0.0, 1e308, 5e-324, "", "0", "all", "float64", "fixed:8,4",
    "bfloat16", "causal", [], {}, [[]], [0], "\u2010", "a" * 300,
)  # fmt: skip
NUDGES: tuple[Callable[[Any], Any], ...] = (
    lambda v: v + 1,
    lambda v: v - 1,
    lambda v: -v,
    lambda v: v * 2,
    lambda v: v // 2 if isinstance(v, int) else v / 2,
    float,
    lambda v: v + 1e-9,
)  # fmt: skip


def _place(document: Document, rng: random.Random, paths: Callable[..., Any]) -> tuple[Any, ...] | None:
    """A path, first by top-level field, so that long lists do not draw all the fire."""
    by_field: dict[Any, list[tuple[Any, ...]]] = {}
    for path in paths(document):
        if path and path[0] not in ("schema", "version", "digest", "weights"):
            by_field.setdefault(path[0], []).append(path)
    return rng.choice(by_field[rng.choice(sorted(by_field))]) if by_field else None


def _holder(document: Document, path: tuple[Any, ...]) -> Any:
    return at(document, path[:-1])


def nudged(document: Document, rng: random.Random, _: list[Document]) -> Document:
    """A number a little off, or a truth turned round."""
    path = _place(document, rng, leaves)
    value = at(document, path) if path else None
    if path and isinstance(value, bool):
        _holder(document, path)[path[-1]] = not value
    elif path and isinstance(value, int | float):
        try:
            _holder(document, path)[path[-1]] = rng.choice(NUDGES)(value)
        except OverflowError:
            _holder(document, path)[path[-1]] = 0
    return document


def replaced(document: Document, rng: random.Random, _: list[Document]) -> Document:
    """A value of another kind, or one that is at its edge."""
    if path := _place(document, rng, leaves):
        _holder(document, path)[path[-1]] = copy.deepcopy(rng.choice(STRANGE))
    return document


def swapped(document: Document, rng: random.Random, _: list[Document]) -> Document:
    """Two values of the document exchanged."""
    one, other = (_place(document, rng, leaves) for _ in range(2))
    if one and other:
        a, b = at(document, one), at(document, other)
        _holder(document, one)[one[-1]], _holder(document, other)[other[-1]] = b, a
    return document


def rekeyed(document: Document, rng: random.Random, _: list[Document]) -> Document:
    """A field dropped, or one that nobody knows."""
    path = rng.choice(list(objects(document)))
    holder = at(document, path)
    if holder and rng.random() < 0.5:
        del holder[rng.choice(sorted(holder))]
    else:
        holder[rng.choice(("proof", "note", "seed", "length", "family", "weights"))] = copy.deepcopy(rng.choice(STRANGE))
    return document


def relisted(document: Document, rng: random.Random, _: list[Document]) -> Document:
    """A list with an item dropped, repeated or moved."""
    lists = [path for path in _lists(document) if path and path[0] != "weights" and at(document, path)]
    if lists:
        items = at(document, rng.choice(lists))
        index = rng.randrange(len(items))
        change = rng.randrange(3)
        if change == 0:
            del items[index]
        elif change == 1:
            items.insert(rng.randrange(len(items) + 1), copy.deepcopy(items[index]))
        else:
            rng.shuffle(items)
    return document


def _lists(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    result = [path] if isinstance(value, list) else []
    entries = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return result + [deeper for key, item in entries for deeper in _lists(item, (*path, key))]


def grafted(document: Document, rng: random.Random, others: list[Document]) -> Document:
    """A field of another certificate."""
    other = rng.choice(others)
    common = sorted((set(document) & set(other)) - {"schema", "version", "digest"})
    field = rng.choice(common)
    document[field] = copy.deepcopy(other[field])
    return document


def reweighted(document: Document, rng: random.Random, _: list[Document]) -> Document:
    """Some entries of a tensor changed: a little, wholly, by sign, by rows, or cast to another type."""
    if "base64" not in document.get("weights", {}):
        return nudged(document, rng, [])
    tensors = tensors_of(document)
    name = rng.choice(sorted(tensors))
    tensor = tensors[name]
    if tensor.size == 0:
        return document
    draw = np.random.default_rng(rng.randrange(2**32))
    change = rng.randrange(9)
    if change == 0:
        tensor.reshape(-1)[draw.integers(tensor.size)] = rng.choice((0, 1))
    elif change == 1 and tensor.dtype.kind == "f":
        tensor *= rng.choice((-1.0, 0.0, 0.5, 0.75, 0.98, 1.02, 2.0))
    elif change == 2 and tensor.dtype.kind == "f":
        with np.errstate(over="ignore"):  # 1e300 is infinite in float32
            tensor.reshape(-1)[draw.integers(tensor.size)] += rng.choice((1.0, -1.0, 2.0**-4, 2.0**-20, 1e-300, 1e300))
    elif change == 3 and tensor.dtype.kind == "f":
        tensor += draw.normal(0, rng.choice((1e-12, 1e-3, 1.0)), tensor.shape).astype(tensor.dtype)
    elif change == 4:
        tensors[name] = draw.permutation(tensor, axis=draw.integers(tensor.ndim)) if tensor.ndim else tensor
    elif change == 5:
        tensor.reshape(-1)[draw.integers(tensor.size)] = rng.choice((2, 3)) if tensor.dtype.kind != "f" else np.inf
    elif change == 6:
        tensors[name] = tensor.astype(rng.choice((np.float32, np.float64, np.int64, np.uint8)))
    elif change == 7:
        tensors[name] = tensor.reshape(-1) if rng.random() < 0.5 else tensor[..., :-1]
    else:
        other = rng.choice(sorted(tensors))
        if tensors[other].shape == tensor.shape:
            tensors[name], tensors[other] = tensors[other], tensor
    return with_weights(document, tensors)


def spoiled(document: Document, rng: random.Random, _: list[Document]) -> Document:
    """A byte of the weights' file turned, under a checksum that fits it."""
    if "base64" not in document.get("weights", {}):
        return relisted(document, rng, [])
    raw = bytearray(base64.b64decode(document["weights"]["base64"]))
    for _try in range(rng.choice((1, 1, 4))):
        raw[rng.randrange(len(raw) if rng.random() < 0.5 else min(len(raw), 600))] ^= 1 << rng.randrange(8)
    document["weights"] = {"base64": base64.b64encode(bytes(raw)).decode(), "sha256": hashlib.sha256(bytes(raw)).hexdigest()}
    return document


MUTATIONS: tuple[Mutation, ...] = (nudged, replaced, swapped, rekeyed, relisted, grafted, reweighted, reweighted, reweighted, spoiled)


def mutated(document: Document, rng: random.Random, others: list[Document]) -> Document:
    """One mutation, now and then two or three."""
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        try:
            document = rng.choice(MUTATIONS)(copy.deepcopy(document), rng, others)
        except (Refused, KeyError, TypeError, ValueError, AttributeError):  # a second step finds nothing to stand on
            break
    return document
