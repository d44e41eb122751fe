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

from dataclasses import dataclass
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import at_least, require_fields, within
from separatrix.checker.models.embedding import blind, embed, embed_at
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, alike, rows_of
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.heads import own_logits, real_weight
from separatrix.checker.seal import Refused

POSITIONS = 2048  # up to which every position is checked
PLACES = 4096  # up to which every place is compared with every other; a lookup of more is proven, which says more
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

    def query(self, x: Box, at: Array) -> Box:
        """The queries of tokens at positions counted from 0."""
        return self._own(self.mixer.queries(self.model.ops, under(self.model.layers[0], "mixer"), x, at))

    def key(self, x: Box, at: Array) -> Box:
        """The keys of tokens at positions counted from 0."""
        return self._own(self.mixer.keys(self.model.ops, under(self.model.layers[0], "mixer"), x, at))

    def _own(self, x: Box) -> Box:
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
    """Work of one lemma: every place against every other."""
    return n * (4 * keys * width + 200) + min(n, PLACES + 1) ** 2 * (4 * keys + 60)


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
    if n > POSITIONS or e.numbers or not e.places or not _silent(head, "query", "key"):
        return None  # tokens may change the query or the key
    at = arrays.arange(n)
    x = embed(e, w, ops, arrays.zeros(n), 1)
    q, k = head.query(x, at), head.key(x, at)
    if alike(q):
        return None  # the query is the same everywhere, so no place is intended
    a = ops.logits(q, k)
    visible = head.mixer.mask.visible(at, n)
    return real_weight(a, None, arrays.ones(a.shape, dtype=bool) if visible is None else visible)


def index_weight(head: Head) -> float | None:
    """The least weight, over every p and every string, that the index token p at the end gives to place p."""
    d, w, ops = head.model.description, head.model.weights, head.model.ops
    e, N = d.embedding, d.length - 1
    if N > PLACES:
        return None
    if e.number_address is None or e.numbers != N or not e.places or not e.plain or head.mixer.mask.kind not in ("all", "causal"):
        return None
    if not _silent(head, "key"):
        return None  # the key of a place depends on its symbol
    least, every = 1.0, arrays.arange(N)
    shown = head.key(embed(e, w, ops, arrays.zeros(N), 1), every)
    for first in range(0, N, BLOCK):
        p = every[first : first + BLOCK]
        last = arrays.full(len(p), N)
        asking = embed_at(e, w, ops, e.plain + p, last + 1)
        q = head.query(asking, last)
        itself = own_logits(ops, q, head.key(asking, last))[:, 0]  # the index token sees itself
        a = ops.logits(q, shown)
        least = min(least, real_weight(a, p, arrays.ones(a.shape, dtype=bool), itself))
    return least


def _silent(head: Head, *names: str) -> bool:
    """Whether all plain tokens have the same key, and the same query if that is named, at every position."""
    w, h, m, e = head.model.weights, head.number, head.mixer.key_width, head.model.description.embedding
    return all(blind(e, w, rows_of(w[f"layers.0.mixer.{name}"], h * m, m), range(e.plain)) for name in names)
