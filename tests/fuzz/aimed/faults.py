"""Faults put into the checker, one at a time, each equivalent to one that was once found in it. The aimed fuzzer has to see them."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from typing import Any
from unittest import mock

import numpy as np

from separatrix.checker.kinds import cross_entropy, influence, predicting
from separatrix.checker.models.mixers import attention, linear_attention
from separatrix.checker.numbers import smooth
from separatrix.checker.replay import tokens


def _without_addresses(model: Any, ops: Any, wanted: range, n: int) -> Any:
    """Hole 1: tokens that are numbers of the model are taken to have the row of all numbers, and no address."""
    e, w = model.description.embedding, model.weights
    row = np.minimum(np.arange(max(wanted.stop, e.rows)), e.rows - 1)
    plain = {**w, "embedding.table": w["embedding.table"][row]} | ({"embedding.gate": w["embedding.gate"][row]} if e.gated else {})
    blind = copy.copy(model)
    blind.weights, blind.description = plain, replace(model.description, embedding=replace(e, plain=max(e.plain, wanted.stop)))
    return _SUMMED(blind, ops, wanted, n)


def _without_overflow(ops: Any, x: Any, eps: float, count: int) -> Any:
    """Hole 2: a norm whose squares may be as large as they like."""
    roomy = copy.copy(ops)
    roomy.largest = math.inf
    return _ROOTED(roomy, x, eps, count)


def _exact_powers(ops: Any, x: Any, factor: float) -> Any:
    """Hole 3: a product with a power of two rounds nothing, not even below the normal range."""
    if math.frexp(factor)[0] != 0.5:
        return _SCALED(ops, x, factor)
    return ops.within(x.value * factor, x.reach * abs(factor), None if x.error is None else x.error * abs(factor))


def _in_float64(law: Any, low: Any, high: Any) -> float:
    """Hole 4: logits are turned into float64, and what that loses is taken to be 1e-12."""
    rounded = [float(z) for z in low], [float(z) for z in high]
    top = max(rounded[1])
    normaliser = math.log(sum(math.exp(max(z - top, -700.0)) for z in rounded[1]))
    unspoken = sum(float(q) * (top - z) for q, z in zip(law, rounded[0], strict=True) if q > 0)
    return max(0.0, unspoken + normaliser - predicting.entropy(law) + 1e-12)


def _underflowing(one: Any, other: Any) -> Decimal:
    """Hole 5: a product of weights that underflows in float64 is taken to be 0."""
    return _PRODUCT_NORM(one, other) if (one @ other).any() else Decimal(0)


def _rounded_embedding(model: Any, n: int) -> Any:
    """Hole 6: a statement about real numbers takes the embedding as the format rounds it."""
    with mock.patch.object(influence, "Float", return_value=model.ops):
        return _EMBEDDED(model, n)


def _any_state(ops: Any, q: Any, k: Any, v: Any, read: Any) -> Any:  # noqa: ARG001
    """Hole 7: the state of linear attention is taken to have room."""
    return read


def _to_nearest(value: Any, digits: int = 3) -> str:
    """Hole 8: a sentence rounds to the nearest."""
    return f"{float(value):.{digits}g}"


_SUMMED, _ROOTED, _SCALED = tokens._summed, smooth.rooted, smooth.scaled
_EMBEDDED, _PRODUCT_NORM = influence._embedded, influence._product_norm

FAULTS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "1 addresses of numbers left out": (tokens, "_summed", _without_addresses),
    "2 squares in a norm overflow": (smooth, "rooted", _without_overflow),
    "3 powers of two below the normal range": (attention, "scaled", _exact_powers),
    "4 logits as float64": (predicting, "divergence", _in_float64),
    "5 products of weights underflow": (influence, "_product_norm", _underflowing),
    "6 the embedding is rounded first": (influence, "_embedded", _rounded_embedding),
    "7 the state of linear attention overflows": (linear_attention, "_through_state", _any_state),
    "8 a sentence rounds to the nearest": (cross_entropy, "at_most", _to_nearest),
}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """The checker with one of the faults; it fails where the checker no longer has the place."""
    module, attribute, faulty = FAULTS[name]
    with mock.patch.object(module, attribute, faulty):
        yield
