"""Lemmas: facts about parts of a model, derived from the weights alone. They accompany the sentence and do not raise its strength.

A document may contain any of these; each is derived again for that layer and head, and compared as a lower bound:

    {"lemma": "index-weight", "layer", "head", "weight"}
        on every input of `length` tokens whose last is the number p, and no other a number, the head gives place p at least this weight
    {"lemma": "position-weight", "layer", "head", "weight"}
        every token gives one place, which depends on its position alone, at least this weight: with a mask on every input, without one
        on inputs of `length` tokens

Weights are those of real arithmetic. Both are about heads of the first layer, in floats, over softmax scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from separatrix.checker.budget import Budget
from separatrix.checker.fields import at_least, require_fields, within
from separatrix.checker.kinds.index_mass import CODEWORDS, mass_of_others
from separatrix.checker.models.embedding import embed, term
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.rounding import gamma
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.seal import Refused

POSITIONS = 2048  # up to which every position is checked
PLACES = 4096  # up to which every place is compared with every other
BLOCK = 1 << 11  # index tokens at a time
MEMORY = 1 << 29  # bytes, at most
LEMMAS = {
    "index-weight": "layer {layer}, head {head} gives the place that the last token names at least {weight} of its weight, for every place",
    "position-weight": "layer {layer}, head {head} gives one place at least {weight} of its weight, at every position",
}


@dataclass(frozen=True)
class Head:
    """One head of the first layer, with its inputs."""

    model: Model
    mixer: Attention
    number: int  # from 0

    def query(self, x: Values, at: Array) -> Values:
        """Of tokens at positions from 0 on."""
        return self._own(self.mixer.queries(self.model.ops, under(self.model.layers[0], "mixer"), x, at))

    def key(self, x: Values, at: Array) -> Values:
        """Of tokens at positions from 0 on."""
        return self._own(self.mixer.keys(self.model.ops, under(self.model.layers[0], "mixer"), x, at))

    def _own(self, x: Values) -> Values:
        return self.mixer.of_head(x, self.number, self.mixer.key_width)


def check_lemmas(claimed: list[Any], model: Model, budget: Budget) -> list[dict[str, Any]]:
    """The lemmas of a document as evidence; refused if one does not follow from the weights."""
    derived: list[dict[str, Any]] = []
    for entry in claimed:
        require_fields(entry, "lemmas", lemma=str, layer=int, head=int, weight=(int, float))
        if entry["lemma"] not in LEMMAS:
            raise Refused(f"lemmas: expected {' or '.join(LEMMAS)}, found {entry['lemma']!r:.80}")
        where = f"lemmas: {entry['lemma']} of layer {entry['layer']}, head {entry['head']}"
        if any((other["lemma"], other["head"]) == (entry["lemma"], entry["head"]) for other in derived):
            raise Refused(f"{where} is repeated")
        head = _head(model, entry, where)
        budget.allow((1 + len(derived)) * _work(model.description.length, head.mixer.key_width, model.description.width), MEMORY)
        least = index_weight(head) if entry["lemma"] == "index-weight" else position_weight(head)
        if least is None:
            raise Refused(f"{where} does not follow from the weights")
        at_least(entry["weight"], least, f"{where}.weight")
        text = LEMMAS[entry["lemma"]].format(**entry)
        derived.append({"kind": "lemma", "text": text, **entry})
    return derived


def _work(n: int, keys: int, width: int) -> int:
    """Work of one lemma: every place against every other, or every place against all codewords."""
    return n * (4 * keys * width + 200) + (n * n * (4 * keys + 60) if n <= PLACES + 1 else 100 << CODEWORDS)


def _head(model: Model, entry: dict[str, Any], where: str) -> Head:
    mixer = model.description.layers[0].mixer
    within(entry["layer"], 1, 1, f"{where}: layer")
    if not isinstance(mixer, Attention) or mixer.scores != "softmax" or not isinstance(model.ops, Float):
        raise Refused(f"{where}: expected softmax attention in the first layer, in floats")
    if model.description.layers[0].norm != "none" or model.description.embedding.reads != "tokens":
        raise Refused(f"{where}: expected tokens that come to the head without a norm")
    within(entry["head"], 1, mixer.heads, f"{where}: head")
    return Head(model, mixer, entry["head"] - 1)


def position_weight(head: Head) -> float | None:
    """The least, over positions, of the largest weight of a head whose queries and keys do not depend on tokens."""
    d, w, ops = head.model.description, head.model.weights, head.model.ops
    n, e = d.length, d.embedding
    gate = w["embedding.gate"] if e.gated else np.ones(1)
    if n > POSITIONS or e.numbers or not e.places or (gate != gate[0]).any() or not _silent(head, e.rows, query=True):
        return None  # tokens may change the query or the key
    at = np.arange(n)
    x = embed(e, w, ops, np.zeros(n, dtype=np.int64), 1)
    q, k = head.query(x, at), head.key(x, at)
    if not _moves(q.value):
        return None  # the query is the same everywhere, so no place is intended
    a = ops.logits(q, k)
    visible = head.mixer.mask.visible(at, n)
    visible_keys = np.ones(a.shape, dtype=bool) if visible is None else visible
    low, high = a.value - a.errors, np.where(visible_keys, a.value + a.errors, -np.inf)  # the real logits lie between them
    top = np.where(visible_keys, low, -np.inf).argmax(axis=1)
    high[at, top] = -np.inf
    return _down(_exp(high - low[at, top][:, None]).sum(axis=1).max())


def index_weight(head: Head) -> float | None:
    """The least weight, over every p and every string, that the index token p at the end gives to place p."""
    d, w = head.model.description, head.model.weights
    e, N = d.embedding, d.length - 1
    if e.number_address is None or e.numbers != N or not e.places or not e.plain or head.mixer.mask.kind not in ("all", "causal"):
        return None
    gate = w["embedding.gate"] if e.gated else np.ones(e.rows)
    if (gate[:-1] != gate[0]).any() or not _silent(head, e.plain, query=False):
        return None  # the key of a place depends on its symbol
    compared = N <= PLACES
    others = None if compared else mass_of_others(head.model, head.mixer, head.number, N)
    if others is None and not compared:
        return None
    least = 1.0
    for first in range(0, N, BLOCK):
        p = np.arange(first, min(first + BLOCK, N))
        asking = _asking(head, p + 1)
        q = head.query(asking, np.full(len(p), N))
        itself = _dots(q, head.key(asking, np.full(len(p), N)))  # the index token sees itself
        if compared:
            a = head.model.ops.logits(q, _shown(head, 0, N))
            top, rest = a.value[p - first, p] - a.errors[p - first, p], a.value + a.errors
            rest[p - first, p] = -np.inf
            mass = _exp(rest - top[:, None]).sum(axis=1)
        else:
            assert others is not None
            own = _dots(q, _shown(head, first, len(p)))
            top, mass = own.value - own.errors, others[p]
        mass = mass + _exp(itself.value + itself.errors - top)
        least = min(least, _down(mass.max()))
    return least


def _asking(head: Head, p: Array) -> Values:
    """The index tokens p in the stream, each at the last position."""
    e, w, ops = head.model.description.embedding, head.model.weights, head.model.ops
    assert e.number_address is not None
    gate = np.repeat(w["embedding.gate"][-1:], len(p)) if e.gated else None
    last = np.full(len(p), head.model.description.length)
    terms = [term(e.number_address, w, ops, p), *(term(place, w, ops, last, slice(None), gate) for place in e.places)]
    return ops.embed(np.repeat(w["embedding.table"][-1:], len(p), axis=0), terms)


def _shown(head: Head, first: int, count: int) -> Values:
    """The keys of places from `first` on, counted from 0; they do not depend on the symbol there."""
    e, w = head.model.description.embedding, head.model.weights
    x = embed(e, w, head.model.ops, np.zeros(count, dtype=np.int64), first + 1)
    return head.key(x, np.arange(first, first + count))


def _silent(head: Head, rows: int, query: bool) -> bool:
    """Whether all rows of the token table give the same key, and the same query if `query` is set."""
    w, h, m = under(head.model.layers[0], "mixer"), head.number, head.mixer.key_width
    table = head.model.weights["embedding.table"][:rows]
    differ = Values(table - table[0])
    if not (table - differ.value == table[0]).all():
        return False  # the differences were rounded
    for name in ("key", *(("query",) if query else ())):
        shown = head.model.ops.linear(differ, np.ascontiguousarray(w[name][h * m : (h + 1) * m]))
        if shown.error is not None or shown.value.any():
            return False
    return True


def _moves(q: Array) -> bool:
    return bool((q - q[0]).any())


def _dots(q: Values, k: Values) -> Values:
    """The product of each query with its own key."""
    z, size = (q.value * k.value).sum(axis=1), (q.reach * k.reach).sum(axis=1)
    off = (q.errors * k.reach + q.reach * k.errors).sum(axis=1)
    return Values(z, (off + gamma(q.shape[1] + 2, 2.0**-53) * size) * (1 + 2.0**-20))


def _exp(x: Array) -> Array:
    """exp, infinite on overflow: the other weight is then 0."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(x))


def _down(mass: float) -> float:
    """The weight beside this mass, slightly reduced for rounding errors."""
    weight = 1 / (1 + float(mass) * (1 + 2.0**-30))
    return weight * (1 - 2.0**-40) if math.isfinite(weight) else 0.0
