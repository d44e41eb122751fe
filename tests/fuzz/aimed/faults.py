"""Faults put into the checker, one at a time, each equivalent to one that was once found in it. The aimed fuzzer has to see them."""

from __future__ import annotations

import copy
import importlib
import math
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from decimal import Decimal
from typing import Any
from unittest import mock

import numpy as np

import separatrix.checker
from separatrix.checker import sentence
from separatrix.checker.kinds import influence, predicting
from separatrix.checker.models.mixers import attention, cells
from separatrix.checker.numbers import floats, gates, norms, smooth
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.replay import many_places


def _without_addresses(model: Any, wanted: range, n: int) -> Any:
    """Hole 1: tokens that are numbers of the model are taken to have the row of all numbers, and no address."""
    e, w = model.description.embedding, model.weights
    row = np.minimum(np.arange(max(wanted.stop, e.rows)), e.rows - 1)
    plain = {**w, "embedding.table": w["embedding.table"][row]} | ({"embedding.gate": w["embedding.gate"][row]} if e.gated else {})
    blind = copy.copy(model)
    blind.weights, blind.description = plain, replace(model.description, embedding=replace(e, plain=max(e.plain, wanted.stop)))
    return _SUMMED(blind, wanted, n)


def _without_overflow(ops: Any, x: Any, kind: str, weight: Any, bias: Any) -> Any:
    """Hole 2: a norm whose squares may be as large as they like."""
    roomy = copy.copy(ops)
    roomy.room = math.inf
    return _NORMED(roomy, x, kind, weight, bias)


def _exact_powers(ops: Any, x: Any, factor: float) -> Any:
    """Hole 3: a product with a power of two rounds nothing, not even below the normal range."""
    if math.frexp(factor)[0] != 0.5:
        return _SCALED(ops, x, factor)
    return ops.between(x.low * factor, x.high * factor, x.reach * factor)


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


def _within_one_error(scores: Any) -> Any:
    """Hole 9: a program's score is taken to lie in the inner half of its box."""
    return _ONE_A_COLUMN(Box(scores.middle - scores.radius / 2, scores.middle + scores.radius / 2))


def _any_difference(ops: Any, S: Any, k: Any, v: Any, beta: Any) -> Any:
    """Hole 10: of the delta rule beta (v - k S) has to have room, and not v - k S."""
    roomy = copy.copy(ops)
    roomy.room = math.inf
    after = _OVERWRITTEN(roomy, S, k, v, beta)
    read = k.reach[..., None, :] @ S.reach + v.reach[..., None, :]
    return ops.between(after.low, after.high, S.reach + k.reach[..., None] * beta.reach[..., None, None] * read)


def _gated_first(self: Any, rows: Any, terms: Any) -> Any:
    """Hole 11: an address is taken to have room where its gate makes it small."""
    return _EMBED(self, rows, [t if t.gate is None else t._replace(vectors=t.gate[..., None] * t.vectors, gate=None) for t in terms])


def _two_sums(self: Any, ops: Any, w: Any, state: Any, x: Any) -> Any:
    """Hole 12: a gate sees W x + b and U h + b', each added up by itself."""
    names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    W, U, b, c = (w[f"kernel.{name}"][: self.summed * x.shape[-1]] for name in names)
    smooth.native(ops, self.title)
    return self.step(ops, w, ops.add(ops.linear(x, W, b), ops.linear(state[0], U, c)), x, state)


def _weighed_first(self: Any, read: Any, size: Any) -> Any:  # noqa: ARG001
    """Hole 13: values are weighed before they are added up."""
    return read


def _lone_score(scores: Any) -> Any:
    """Hole 15: the only score of a column is the largest, whatever it is."""
    if scores.shape[-2] > 1:
        return _ONE_A_COLUMN(scores)
    return Box(np.ones(scores.shape))


def _hidden(a: Any) -> Any:
    """Hole 16: a logit that a mask hides may overflow."""
    return np.ones((*a.shape[:-1], 1))


FAULTS: dict[str, tuple[Any, Any]] = {  # the checker's function, and what is put into its place
    "1 addresses of numbers left out": (many_places.everywhere, _without_addresses),
    "2 squares in a norm overflow": (smooth.normed, _without_overflow),
    "3 powers of two below the normal range": (smooth.scaled, _exact_powers),
    "4 logits as float64": (predicting.divergence, _in_float64),
    "5 products of weights underflow": (norms.product_norm, _underflowing),
    "6 the embedding is rounded first": (influence._embedded, _rounded_embedding),
    "7 the state of linear attention overflows": (gates.through_state, _any_state),
    "8 a sentence rounds to the nearest": (sentence.at_most, _to_nearest),
    "9 a choice by half of its box": (gates.one_a_column, _within_one_error),
    "10 what a key holds overflows": (gates.overwritten, _any_difference),
    "11 an address overflows behind its gate": (floats.Float.embed, _gated_first),
    "12 two sums of a gate": (cells.Cell.following, _two_sums),
    "13 values overflow before they are weighed": (floats.Float.unweighed, _weighed_first),
    "14 a query meets the key matrix first": (attention.Attention.folds, property(lambda _: False)),
    "15 a lone score overflows": (gates.one_a_column, _lone_score),
    "16 a hidden logit overflows": (floats._row_size, _hidden),
}
_SUMMED, _NORMED, _SCALED, _, _PRODUCT_NORM, _EMBEDDED, _, _, _ONE_A_COLUMN, _OVERWRITTEN, _EMBED, *_ = (
    honest for honest, _ in FAULTS.values()
)


@contextmanager
def planted(name: str) -> Iterator[None]:
    """The checker with one of the faults, in every module that has the function; all are loaded first, so that none keeps the fault."""
    honest, faulty = FAULTS[name]
    for found in pkgutil.walk_packages(separatrix.checker.__path__, "separatrix.checker."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    with ExitStack() as stack:
        for holder, attribute in holders(honest):
            stack.enter_context(mock.patch.object(holder, attribute, faulty))
        yield


def holders(function: Callable[..., Any]) -> list[tuple[Any, str]]:
    """The modules of the checker, and their classes, that have a function, and by which name."""
    modules = [sys.modules[key] for key in sorted(sys.modules) if key.startswith("separatrix.checker")]
    classes = {id(part): part for module in modules for part in vars(module).values() if isinstance(part, type)}
    return [(holder, key) for holder in (*modules, *classes.values()) for key, value in vars(holder).items() if value is function]
