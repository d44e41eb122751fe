"""The rule of lookup: what it proves, and that each of its hypotheses matters."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from separatrix.certificates.proofs import lookup as prover
from separatrix.checker.budget import Budget
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.heads import Share
from separatrix.checker.replay import Proof
from separatrix.checker.sentence import at_least
from separatrix.checker.specs import spec_of
from separatrix.checker.weights import Tensors
from tests.checker.replay.built import built, judged
from tests.checker.replay.proved import proved
from tests.checker.replay.small_models import changed, made

ARITHMETICS = ["float64", "float32", "fixed:9,3", "nearest:27", "float:5,10", "float:8,7"]
KEY, QUERY, VALUE = "layers.0.mixer.key", "layers.0.mixer.query", "layers.0.mixer.value"


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_index_lookup_is_proven_in_every_arithmetic(arithmetic: str) -> None:
    proof = judged(built("index-lookup", length=3, symbols=3, arithmetic=arithmetic))
    assert isinstance(proof, Proof), proof
    assert proof.rule == "lookup"
    assert (1.8 if arithmetic == "float:8,7" else 1.9) < proof.margin <= 2


@pytest.mark.parametrize("address", ["binary", "quadratic", "code", "one-hot", "random"])
def test_every_address_is_proven(address: str) -> None:
    proof = judged(built("index-lookup", length=50, symbols=7, address=address))
    assert isinstance(proof, Proof), proof


@pytest.mark.parametrize("address", ["binary", "quadratic"])
def test_copying_is_proven_at_every_position(address: str) -> None:
    proof = judged(built("copy", length=20, symbols=5, address=address))
    assert isinstance(proof, Proof), proof
    assert "inputs of 40 tokens" in proof.hypotheses[0]


def halving(L: int, extra: float = 0.0) -> float:
    """The c at which (1 + e^(-2c))^L + extra = 2: the queried place has half of the weight."""
    return -math.log(math.expm1(math.log(2 - extra) / L)) / 2


def tempered(c: float) -> Any:
    def change(w: Tensors) -> None:
        w[QUERY] *= c / np.abs(w[QUERY]).max()

    return change


@pytest.mark.parametrize(("N", "L"), [(16, 4), (2**20, 20)])
def test_binary_addresses_are_proven_as_long_as_the_place_has_half_of_the_weight(N: int, L: int) -> None:
    """By hand: the mass of all places is (1 + e^(-2c))^L of that of the place, and the index token adds e^(-c L), the key of which is 0.

    A bit is read as 1 above one half, and an input where every other symbol is the complement makes it no larger than the share."""
    parts = built("index-lookup", length=N, symbols=2)
    c = halving(L)
    for _ in range(20):
        c = halving(L, math.exp(-c * L))
    enough, too_little = judged(parts, tempered(1.0001 * c)), judged(parts, tempered(0.9999 * c))
    assert isinstance(enough, Proof), enough
    assert enough.margin < 0.01
    assert isinstance(too_little, str)
    assert "the read-out: symbol" in too_little


@pytest.mark.parametrize("N", [100, pytest.param(10**6, marks=pytest.mark.slow)])
def test_quadratic_addresses_are_proven_as_long_as_the_place_has_half_of_the_weight(N: int) -> None:
    """By hand: 2 (e^-eta + e^-4eta + e^-9eta + ..) is 0.97 at eta = 13/16 and 1.05 at 3/4; the index token lies p^2 eta below."""
    parts = built("index-lookup", length=N, symbols=2, address="quadratic")
    enough, too_little = judged(parts, tempered(13 / 16)), judged(parts, tempered(3 / 4))
    assert isinstance(enough, Proof), enough
    assert isinstance(too_little, str)


@pytest.mark.parametrize("address", ["binary", "quadratic"])
def test_a_million_places_are_proven_within_the_default_budget(address: str) -> None:
    proof = judged(built("index-lookup", length=10**6, address=address))  # the budget is counted in work, not by a clock
    assert isinstance(proof, Proof), proof
    assert proof.margin > 1.999


def test_both_ways_of_bounding_the_weight_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """All places compared one by one, and by the form of the logits: neither is looser by much."""
    for address in ("binary", "quadratic"):
        parts = built("index-lookup", length=128, symbols=4, address=address)
        change = tempered(1.25 if address == "quadratic" else round(halving(7) * 80) / 64)  # numbers of few digits: exact forms
        compared = judged(parts, change)
        monkeypatch.setattr(prover, "COMPARED", 0)
        many = judged(parts, change)
        monkeypatch.undo()
        assert isinstance(compared, Proof), compared
        assert isinstance(many, Proof), many
        assert many.margin <= compared.margin * (1 + 1e-9)
        assert many.margin >= 0.9 * compared.margin


def test_fewer_symbols_are_a_length_of_their_own() -> None:
    """Without a causal mask an index token of a shorter input stands elsewhere and sees other places: each length is judged apart."""
    document, tensors, _ = built("index-lookup", length=12, symbols=2)
    several = spec_of("index-lookup", {"length": 12, "symbols": 2, "distribution": "training"})
    proof = judged((document, tensors, several))
    assert isinstance(proof, Proof), proof
    assert "inputs of 11 to 13 tokens" in proof.hypotheses[0]


def test_what_only_a_shorter_input_shows_is_seen() -> None:
    """The read-out looks at the address of place 11, where an index token stands in inputs of ten symbols and in no others."""
    document, tensors, single = built("index-lookup", length=12, symbols=2, address="one-hot")
    several = spec_of("index-lookup", {"length": 12, "symbols": 2, "distribution": "training"})
    place = int(np.flatnonzero(tensors["embedding.places.0.weight"][10])[0])

    def residual(d: dict[str, Any]) -> None:
        d["layers"][0]["residual"] = True

    def change(w: Tensors) -> None:
        w["embedding.gate"][-1] = 1.0
        w["readout.weight"][0, place] = 40.0

    assert isinstance(judged((document, tensors, single), change, residual), Proof)
    assert isinstance(judged((document, tensors, several), None, residual), Proof)
    assert "the read-out: symbol 1 leads by no more than -3" in str(judged((document, tensors, several), change, residual))


NEAR_MISSES: list[tuple[str, Any, str]] = [
    ("the index token has a value that outweighs what is read", lambda w: w["embedding.table"].__setitem__((-1, 0), 50.0), "read-out"),
    ("a place shows its symbol", lambda w: w[KEY].__setitem__((0, 0), 8.0), "another place may have a larger logit"),
    ("the read-out prefers a symbol", lambda w: w["readout.bias"].__setitem__(0, 5.0), "the read-out: symbol"),
    ("a step is turned round", lambda w: w["layers.0.feedforward.outer"].__setitem__((0, 0), -1.0), "the read-out: symbol"),
    ("a head reads too little", lambda w: w[VALUE].__setitem__((0, 0), 0.3), "the read-out: symbol"),
    ("the wrong place is asked for", lambda w: w["embedding.number.address.generator"].__setitem__((0, 0), 0), "another place may have"),
    ("a number may overflow", lambda w: w["readout.weight"].__setitem__((0, 0), 1e308), "overflow"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "change", "words"), NEAR_MISSES, ids=[what for what, _, _ in NEAR_MISSES])
def test_each_hypothesis_fails_by_one_changed_entry(what: str, change: Any, words: str) -> None:
    del what
    parts = built("index-lookup", length=6, symbols=4)
    assert isinstance(judged(parts), Proof)
    why = judged(parts, change)
    assert isinstance(why, str), why
    assert words in why


FAR_MISSES: list[tuple[str, Any, str]] = [
    ("a place shows its symbol", lambda w: w[KEY].__setitem__((0, 0), 2.0**-30), "the key of a place depends on its symbol"),
    ("one symbol has another gate", lambda w: w["embedding.gate"].__setitem__(1, 0.5), "the key of a place depends on its symbol"),
    ("two generators", lambda w: w["embedding.number.address.generator"].__setitem__((0, 0), 0), "different generators"),
    ("a form of two dimensions", lambda w: w[QUERY].__setitem__((0, 3), 1.0), "not a positive multiple of the product of two addresses"),
    ("a generator without full rank", None, "gives the queried place at least 0.39"),
    ("the index token shows what it asks", lambda w: w[KEY].__setitem__((slice(None), slice(2, 15)), 2 * np.eye(13)), "layer 1, head 1"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "change", "words"), FAR_MISSES, ids=[what for what, _, _ in FAR_MISSES])
def test_each_hypothesis_about_many_places_fails_by_one_changed_tensor(what: str, change: Any, words: str) -> None:
    del what

    def flat(w: Tensors) -> None:
        for name in ("embedding.number", "embedding.places.0"):
            w[f"{name}.address.generator"][0] = w[f"{name}.address.generator"][1]

    parts = built("index-lookup", length=5000, symbols=4)
    assert parts[1][QUERY].shape == (13, 28)
    assert isinstance(judged(parts), Proof)
    why = judged(parts, change or flat)
    assert isinstance(why, str), why
    assert words in why


SHAPES: list[tuple[Any, str]] = [
    (lambda d: d["layers"][0].update(norm="rms"), "layer 1: a norm, expected none"),
    (lambda d: d["readout"].update(norm="rms"), "the read-out: a norm, expected none"),
    (lambda d: d["layers"][0]["mixer"].update(mask={"kind": "window", "size": 2}), "layer 1: the mask hides a queried place"),
    (lambda d: d["layers"][0]["mixer"].update(scores="uniform"), "layer 1, head 1: another place may have a larger logit"),
    (lambda d: d["layers"][0]["feedforward"].update(activation="gelu"), "gelu units, expected relu or reglu"),
]


@pytest.mark.parametrize(("described", "words"), SHAPES, ids=[words for _, words in SHAPES])
def test_models_of_another_shape_are_told_what_is_expected(described: Any, words: str) -> None:
    parts = built("index-lookup", length=6, symbols=4)

    def with_norms(w: Tensors) -> None:
        if "norm" in words and "layer" in words:
            for name in ("before_mixing", "before_feedforward"):
                w[f"layers.0.{name}.weight"] = np.ones(parts[0]["width"])
        elif "norm" in words:
            w["readout.norm.weight"] = np.ones(parts[0]["width"])

    why = judged(parts, with_norms, described)
    assert isinstance(why, str)
    assert words in why


def test_a_residual_stream_reaches_the_read_out() -> None:
    """The reader's own address enters the logits there: harmless where the read-out looks away, and refused where it does not."""
    parts = built("index-lookup", length=6, symbols=4)

    def residual(d: dict[str, Any]) -> None:
        d["layers"][0]["residual"] = True

    def looking(size: float) -> Any:
        def change(w: Tensors) -> None:
            w["layers.0.feedforward.outer"] *= 8.0
            w["readout.weight"][0, 2] += size  # a sign of the address that is asked for

        return change

    harmless, harmful = judged(parts, looking(0.0), residual), judged(parts, looking(40.0), residual)
    assert isinstance(harmless, Proof), harmless
    assert isinstance(harmful, str)


def test_a_model_that_asks_by_registers_is_told_what_the_rule_expects() -> None:
    why = judged(built("index-lookup/recurrent", length=4, symbols=2))
    assert isinstance(why, Proof) or "lookup: layer 1: expected attention, found RegisterFile" in why


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:64,61"])
def test_a_weight_just_below_one_is_not_said_to_be_one(arithmetic: str) -> None:
    """A head so steep that what it gives away is lost in four digits."""
    weight = Fraction(1) - Fraction(1, 1 << 60) if arithmetic != "float64" else Fraction(1.0 - 2.0**-52)
    low = np.array([[int(weight * (1 << 61))]], dtype=object) if arithmetic != "float64" else np.array([[float(weight)]])
    share = Share(Box(low), Box(low))
    assert Fraction(share.least(numbers(arithmetic))) <= weight
    assert at_least(share.least(numbers(arithmetic)), 4) == "0.9999"
    model, task = made("index-lookup", length=8)
    for at in np.ndindex(model.weights[QUERY].shape):
        model = changed(model, QUERY, at, 15 * float(model.weights[QUERY][at]))
    text = proved("lookup", model, task, Budget(60)).hypotheses[0]
    assert text == "in inputs of 9 tokens a head of layer 1 gives the queried place at least 0.9999 of its weight"
