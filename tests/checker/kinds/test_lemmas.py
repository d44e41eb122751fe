"""Lemmas follow from the weights or are refused: no bound is above what a brute-force search finds, and by hand where that is possible."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from separatrix.checker import check_document, sealed
from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.kinds.lemmas import Head, check_lemmas, index_weight, position_weight
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.addresses import codeword_weights
from separatrix.checker.seal import Refused
from separatrix.constructions import build
from tests.checker.kinds.programs import honest
from tests.checker.models.small import ATTENTION, document, layer, model, place, tensors
from tests.laws.checked_models import checked

Document = dict[str, Any]
QUADRATIC_AT_3 = 1 / (1 + 2 * sum(np.exp(-3.0 * j * j) for j in range(1, 40)))  # 0.90943: eta = 3, away from both ends


def head_of(ready: Model, number: int = 0) -> Head:
    mixer = ready.description.layers[0].mixer
    assert isinstance(mixer, Attention)
    return Head(ready, mixer, number)


def weights_seen(ready: Model, tokens: np.ndarray, h: int) -> np.ndarray:
    """The attention weights [readers, keys] of a head of the first layer on one input, from plain NumPy."""
    d, w = ready.description, under(ready.layers[0], "mixer")
    mixer = d.layers[0].mixer
    assert isinstance(mixer, Attention)
    x = embed(d.embedding, ready.weights, ready.ops, tokens, 1).middle
    m = mixer.key_width
    q, k = (x @ w[name][h * m : (h + 1) * m].T for name in ("query", "key"))
    visible = mixer.mask.visible(np.arange(len(x)), len(x))
    a = q @ k.T if visible is None else np.where(visible, q @ k.T, -np.inf)
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def index_models(rng: np.random.Generator, kind: str, N: int) -> Document:
    where = place(kind, dims=2 if kind != "one-hot" else N, extent={"sign": 2, "table": N + 1}.get(kind, 0))
    mask = {"kind": str(rng.choice(["all", "causal"]))}
    return document(
        "float64", [layer({**ATTENTION, "mask": mask, "heads": 2}, None, residual=False)], length=N + 1, width=6,
        embedding={"plain": 2, "numbers": N, "number_address": where, "places": [where], "gated": bool(rng.integers(2))},
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["sign", "quadratic", "one-hot", "table"])
def test_the_weight_on_the_index_is_never_more_than_brute_force_finds(kind: str) -> None:
    """Random models, most of which show nothing: keys that ignore symbols are made by hand in two thirds of them."""
    rng, derived, tight = np.random.default_rng(0), 0, 0
    for seed in range(120):
        N = int(rng.integers(2, 5))
        described = index_models(rng, kind, N)
        weights = tensors(described, seed, 0.5)
        if seed % 3:
            for name in ("layers.0.mixer.key", "embedding.places.0.weight"):
                weights[name][:, :3] = 0.0  # keys read places, from the last coordinates
            weights["embedding.table"][:-1, 3:] = 0.0
            weights["embedding.gate"] = np.array([1.0, 1.0, float(rng.integers(2))]) if "embedding.gate" in weights else np.ones(3)
            if not described["embedding"]["gated"]:
                del weights["embedding.gate"]
        ready = model(described, weights)
        for h in range(2):
            bound = index_weight(head_of(ready, h))
            inputs = [np.array([*symbols, 2 + p]) for symbols in product(range(2), repeat=N) for p in range(N)]
            true = min(weights_seen(ready, tokens, h)[-1, tokens[-1] - 2] for tokens in inputs)
            if bound is not None:
                assert bound <= true
                derived += 1
                tight += bound >= 0.999999 * true
    assert derived > 60
    assert tight > 0.95 * derived  # every place is compared: little is lost


def test_the_weight_at_every_position_is_never_more_than_brute_force_finds() -> None:
    rng, derived = np.random.default_rng(1), 0
    masks = [
        {"kind": "all"},
        {"kind": "causal"},
        {"kind": "window", "size": 2},
        {"kind": "block-sparse", "block": 2, "local": 1, "global": 1},
    ]
    for seed in range(160):
        n = int(rng.integers(2, 6))
        where = place(str(rng.choice(["sign", "quadratic", "table"])), shift=int(rng.integers(0, 2)))
        mask = masks[seed % 4]
        described = document(
            "float64", [layer({**ATTENTION, "mask": mask, "heads": 1}, None, residual=False)], length=n, width=5,
            embedding={"plain": 2, "numbers": 0, "number_address": None, "places": [where], "gated": False},
        )  # fmt: skip
        weights = tensors(described, seed, 0.25)
        if seed % 3:
            weights["embedding.table"][:, 2:] = weights["embedding.table"][0, 2:]
            for name in ("query", "key"):
                weights[f"layers.0.mixer.{name}"][:, :2] = 0.0
        ready = model(described, weights)
        bound = position_weight(head_of(ready))
        lengths = [n] if mask["kind"] == "all" else range(1, n + 1)
        results = [weights_seen(ready, np.array(tokens), 0).max(axis=1).min() for k in lengths for tokens in product(range(2), repeat=k)]
        if bound is not None:
            assert bound <= min(results)
            assert bound > 0.999 * min(results)
            derived += 1
    assert derived > 60


def test_codewords_by_hand() -> None:
    generator = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.uint8)
    assert codeword_weights(generator).tolist() == [0, 2, 2, 2]
    assert codeword_weights(np.eye(3, dtype=np.uint8)).tolist() == [0, 1, 1, 2, 1, 2, 2, 3]


def changed(document: Document, **entry: Any) -> str:
    verdict = check_document(sealed({**document, "lemmas": [{**document["lemmas"][0], **entry}]}))
    return verdict.reason if not verdict.holds else "holds"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"weight": 0.9}, "lemmas: index-weight of layer 1, head 1.weight: the certificate says at least 0.9"),
        ({"weight": -1}, "the certificate says at least -1"),
        ({"weight": "0.7"}, "lemmas.weight: expected int or float"),
        ({"head": 2}, r"lemmas: index-weight of layer 1, head 2: head: expected 1..1, found 2"),
        ({"layer": 2}, r"lemmas: index-weight of layer 2, head 1: layer: expected 1..1, found 2"),
        ({"lemma": "position-weight"}, "lemmas: position-weight of layer 1, head 1 does not follow from the weights"),
        ({"lemma": "every weight"}, "lemmas: expected index-weight or position-weight"),
        ({"note": "proof checked in Lean"}, "lemmas: unknown field 'note'"),
        ({"weight": 0.7}, "holds"),
        ({"weight": 0}, "holds"),
    ],
)
def test_a_lemma_is_derived_again_and_compared_as_a_lower_bound(entry: Document, reason: str) -> None:
    assert reason in changed(honest("lookup"), **entry)


def test_a_lemma_is_told_once() -> None:
    document = honest("lookup")
    assert "is repeated" in check_document(sealed({**document, "lemmas": document["lemmas"] * 2})).reason


def test_exact_formats_and_recurrent_models_have_no_such_lemma() -> None:
    lemma = honest("lookup")["lemmas"]
    for name in ("exact", "registers"):
        reason = check_document(sealed({**honest(name), "lemmas": lemma})).reason
        assert "expected softmax attention in the first layer, in floats" in reason


def test_a_lemma_costs_work_before_it_is_derived() -> None:
    ready = checked(build("index-lookup", length=2000, symbols=2).model)
    claimed = [{"lemma": "index-weight", "layer": 1, "head": 1, "weight": 0.75}]
    with pytest.raises(Exception, match="above the budget"):
        check_lemmas(claimed, ready, Budget(0.1))


def test_the_work_of_several_lemmas_adds_up() -> None:
    """A budget that is enough for one head, for one and a half, and not for two."""
    ready = checked(build("equality", length=64).model)
    d = ready.description
    mixer = d.layers[0].mixer
    assert isinstance(mixer, Attention)
    entries = [{"lemma": "position-weight", "layer": 1, "head": head, "weight": 0.5} for head in (1, 2)]
    n = d.length
    work = n * (4 * mixer.key_width * d.width + 200) + n * n * (4 * mixer.key_width + 60)
    budget = Budget(10.0, spent=10**10 - work - work // 2)  # with the memory that a lemma may take
    assert len(check_lemmas(entries[:1], ready, budget)) == 1
    with pytest.raises(OverBudget):
        check_lemmas(entries, ready, budget)


def test_a_symbol_that_moves_the_key_or_the_query_is_seen() -> None:
    """Each half of 'tokens do not move the head', and each gate, by itself."""
    built = build("equality", length=8, residual=True)
    part = "layers.0.mixer."
    ready = checked(built.model)
    assert position_weight(head_of(ready)) is not None
    column = int(np.flatnonzero(ready.weights["embedding.table"][1] != ready.weights["embedding.table"][0])[0])
    for name in ("query", "key"):
        moved = {key: tensor.copy() for key, tensor in ready.weights.items()}
        moved[part + name][0, column] = 0.25
        assert position_weight(head_of(Model(ready.description, moved, ready.ops))) is None
    lookup = checked(build("index-lookup", length=8, symbols=2).model)
    assert index_weight(head_of(lookup)) is not None
    for row in (0, 1):
        gates = {key: tensor.copy() for key, tensor in lookup.weights.items()}
        gates["embedding.gate"][row] = 0.5  # one symbol shows its place more faintly
        assert index_weight(head_of(Model(lookup.description, gates, lookup.ops))) is None
    with pytest.raises(Refused):
        check_lemmas(
            [{"lemma": "index-weight", "layer": 1, "head": 1, "weight": 0.1}], Model(lookup.description, gates, lookup.ops), Budget()
        )


def test_a_gate_that_differs_between_symbols_moves_the_head() -> None:
    """All symbols have the same row, and one shows its place more faintly."""
    described = document(
        "float64", [layer({**ATTENTION, "heads": 1}, None, residual=False)], length=4, width=5,
        embedding={"plain": 2, "numbers": 0, "number_address": None, "places": [place("quadratic")], "gated": True},
    )  # fmt: skip
    weights = tensors(described, 3, 0.25)
    weights["embedding.table"][:] = 0.0
    for gate, derived in (([1.0, 1.0], True), ([0.5, 0.5], True), ([1.0, 0.5], False), ([0.5, 1.0], False)):
        bound = position_weight(head_of(model(described, {**weights, "embedding.gate": np.array(gate)})))
        assert (bound is not None) == derived, gate
