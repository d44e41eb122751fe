"""Simulation: every hypothesis is needed, and no margin that it proves is above that of an input."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from separatrix.certificates.proofs import simulation as prover
from separatrix.checker.budget import Budget
from separatrix.checker.models.decoding import lead
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.replay import prove, replay
from separatrix.checker.replay.proof import Proof, Unfit, Unproven
from separatrix.checker.seal import Refused
from separatrix.checker.specs import spec_of
from separatrix.checker.specs.forms.automaton import Automaton
from separatrix.checker.weights import Tensors
from tests.checker.models.small import document, layer, tensors
from tests.checker.replay.built import built, judged
from tests.checker.replay.proved import proved

RELU = {"kind": "relu-rnn", "state": 2, "hidden": 3}
PLAIN = {"numbers": 0, "number_address": None, "places": [], "gated": False}
FORMATS = ("fixed:8,2", "fixed:3,0", "nearest:9", "float64", "float32", "float:5,4")


class Task:
    """An oracle that is nothing but a form."""

    def __init__(self, form: Any) -> None:
        self.given = form

    def form(self) -> Any:
        return self.given


def proof_of(model: Model, form: Automaton) -> Proof | str:
    try:
        with np.errstate(all="ignore"):
            return proved("simulation", model, Task(form), Budget())  # type: ignore[arg-type]
    except Unproven as error:
        return str(error)


def drawn(seed: int, arithmetic: str, mixers: list[dict[str, Any]], feedforward: dict[str, Any] | None) -> tuple[Model, Tensors]:
    layers = [layer(mixer, feedforward, residual=feedforward is not None) for mixer in mixers]
    described = document(arithmetic, layers, embedding=PLAIN)
    weights = tensors(described, seed, 1.0 if arithmetic.endswith(",0") else 0.5, 2)
    return Model(read_description(described), weights, numbers(arithmetic)), weights


def own_automaton(model: Model, n: int, two_alphabets: bool) -> tuple[Automaton, Fraction | float]:
    """An automaton whose state is the word so far and whose answers are the model's own, and the least lead of these answers."""
    alphabets = (range(3),) * (n - 1) + (range(1, 3) if two_alphabets else range(3),)
    words = list(product(*alphabets))
    logits = model.logits(np.array(words), [n - 1])[:, 0]
    chosen = logits.middle.argmax(axis=1)
    answers = dict(zip(words, chosen.tolist(), strict=True))
    return Automaton(alphabets, (), lambda word, token: (*word, token), answers.__getitem__), lead(model.ops, logits, chosen)


@pytest.mark.parametrize("arithmetic", FORMATS)
def test_no_margin_is_above_that_of_any_input(arithmetic: str) -> None:
    """Random models of one and two layers, beside the automaton that says what they say: proven with at most the least lead."""
    proven = 0
    for seed in range(24):
        mixers = [RELU] if seed % 3 else [RELU, {"kind": "linear-rnn", "state": 2}]
        model, _ = drawn(seed, arithmetic, mixers, None if seed % 2 else {"hidden": 2, "activation": "relu", "bias": True})
        form, least = own_automaton(model, 4, two_alphabets=seed % 4 == 0)
        found = proof_of(model, form)
        assert isinstance(found, Proof) or "the right answer may trail" in found
        if not isinstance(found, Proof):
            continue
        proven += 1
        assert 0 < found.margin <= least
        assert "float" in arithmetic or found.margin == least  # points are the states themselves
    assert proven >= 5


QUOTIENTS: dict[str, Callable[[tuple[int, ...]], tuple[int, ...]]] = {
    "nothing": lambda word: word[:0],
    "last token": lambda word: word[-1:],
    "last two": lambda word: word[-2:],
    "parity of the zeros": lambda word: (word.count(0) % 2,),
}
KINDS = ("relu-rnn", "relu-rnn", "linear-rnn", "elman", "lstm", "gru")


def small_automaton(model: Model, n: int, quotient: str) -> tuple[Automaton, Fraction | float]:
    """An automaton of few states that says what the model mostly says, and the least lead of its answers: below 0 where they differ."""
    words, kept = list(product(range(3), repeat=n)), QUOTIENTS[quotient]
    logits = model.logits(np.array(words), [n - 1])[:, 0]
    votes: dict[Any, Counter[int]] = {}
    for word, choice in zip(words, logits.middle.argmax(axis=1).tolist(), strict=True):
        votes.setdefault(kept(word), Counter())[choice] += 1
    answers = {state: found.most_common(1)[0][0] for state, found in votes.items()}
    # The values alone: on a batch of all words, the error bound of the forward pass is wider than that of one step.
    least = lead(model.ops, Box(logits.middle), np.array([answers[kept(word)] for word in words]))
    first = (0,) if quotient.startswith("parity") else ()
    step = (lambda state, token: ((state[0] + (token == 0)) % 2,)) if first else (lambda state, token: kept((*state, token)))
    return Automaton((range(3),) * n, first, step, answers.__getitem__), least


def compared(seed: int) -> str:
    """One random model beside a small automaton: many words share a pair, so boxes meet, grow and settle."""
    rng = np.random.default_rng([2026, seed])
    kind = str(rng.choice(KINDS))
    arithmetic = str(rng.choice(FORMATS if "-rnn" in kind else ("float64", "float32")))
    mixer = {"relu-rnn": RELU, "linear-rnn": {"kind": "linear-rnn", "state": 2}}.get(kind, {"kind": kind})
    described = document(arithmetic, [layer(mixer, None, residual=bool(rng.random() < 0.5))], embedding=PLAIN)
    unit = 1.0 if arithmetic.endswith(",0") else float(rng.choice([0.25, 0.5] if "fixed" in arithmetic else [0.125, 0.25, 0.5]))
    weights = tensors(described, seed, unit, 2)
    if "readout.bias" in weights and not arithmetic.endswith(",0"):
        weights["readout.bias"][0] += float(rng.choice([0.0, 0.5, 1.0]))
    model = Model(read_description(described), weights, numbers(arithmetic))
    form, least = small_automaton(model, int(rng.integers(3, 7)), str(rng.choice(list(QUOTIENTS))))
    with patch.object(prover, "GRAIN", float(rng.choice([prover.GRAIN, 0.1, 0.5]))):  # coarse, so that strangers share a box
        found = proof_of(model, form)
    if not isinstance(found, Proof):
        return "refused" if least > 0 else "wrong"
    assert 0 < found.margin <= least, f"seed {seed}, {kind}, {arithmetic}: the rule says {found.margin}, a word has {least}"
    return "float" if "float" in arithmetic else "exact"


def test_no_margin_beside_a_small_automaton_is_above_that_of_any_word() -> None:
    found = Counter(compared(seed) for seed in range(80))
    assert min(found["float"], found["exact"], found["wrong"]) >= 5, found


@pytest.mark.slow
@pytest.mark.parametrize("thousand", range(1, 11))
def test_no_margin_of_a_thousand_models_is_above_that_of_any_word(thousand: int) -> None:
    found = Counter(compared(seed) for seed in range(1000 * thousand, 1000 * (thousand + 1)))
    assert min(found["float"], found["exact"], found["wrong"]) >= 50, found


def drifting(sign: int, bias: float, states: int) -> Proof | str:
    """h <- 0.25 h + 3.3 from 0 or its negative, beside a cycle of states: the lead falls to bias - 4.4, token by token."""
    described = document("float64", [layer({"kind": "linear-rnn", "state": 1}, None, residual=False)], embedding=PLAIN)
    weights = {name: np.zeros_like(w) for name, w in tensors(described).items()}
    weights["embedding.table"][:, 0] = sign * 3.3
    weights["layers.0.mixer.transition"][:], weights["layers.0.mixer.drive"][0, 0] = 0.25, 1.0
    weights["layers.0.mixer.out"][0, 0], weights["readout.weight"][0, 0] = 1.0, -sign
    weights["readout.bias"][0] = bias
    model = Model(read_description(described), weights, numbers("float64"))
    with patch.object(prover, "GRAIN", 100.0):  # all states of the model share one box
        return proof_of(model, Automaton((range(3),) * 200, 0, lambda state, _: (state + 1) % states, lambda *_: 0))


@pytest.mark.parametrize("states", [1, 2, 3])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_box_grows_on_either_side_until_it_holds_all_that_comes(sign: int, states: int) -> None:
    assert "the right answer may trail" in str(drifting(sign, 4.39, states))
    enough = drifting(sign, 20.0, states)
    assert isinstance(enough, Proof)
    assert 0 < enough.margin <= 15.6 + 1e-6


@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
@pytest.mark.parametrize("kind", ["elman", "lstm", "gru"])
def test_a_model_that_is_wrong_on_one_word_is_not_proven(arithmetic: str, kind: str) -> None:
    """The same automaton with the answer to a single word turned round."""
    met = 0
    for seed in range(8):
        model, _ = drawn(seed, arithmetic, [{"kind": kind}], None)
        form, _ = own_automaton(model, 4, two_alphabets=False)
        if not isinstance(proof_of(model, form), Proof):
            continue
        word = tuple(np.random.default_rng(seed).integers(0, 3, 4).tolist())
        lying = Automaton(form.alphabets, (), form.step, lambda w, word=word, form=form: form.answer(w) ^ (w == word))
        assert "the right answer may trail" in str(proof_of(model, lying))
        met += 1
    assert met >= 3


def turned(name: str, at: tuple[int, ...], by: float) -> Any:
    def change(weights: Tensors) -> None:
        weights[name][at] += by

    return change


PARTS = built("dyck/recurrent", length=12)
CELL = built("regular/lstm", length=12, language="(ab|b)*a?")


def test_the_house_machines_are_proven_with_their_margins() -> None:
    found = judged(PARTS)
    assert isinstance(found, Proof)
    assert (found.rule, found.margin) == ("simulation", Fraction(1))
    assert "automaton and model stay in 9 listed pairs of states" in found.hypotheses[1]
    saturated = judged(CELL)
    assert isinstance(saturated, Proof)
    assert 1.99 < saturated.margin < 2


@pytest.mark.parametrize("unit", range(0, 42, 5))
def test_every_weight_of_a_machine_matters(unit: int) -> None:
    back = PARTS[1]["layers.0.mixer.back"]
    assert not isinstance(judged(PARTS, turned("layers.0.mixer.back", (0, unit), -1 if back[0, unit] > 0 else 1)), Proof)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (turned("layers.0.mixer.initial", (0,), -1), "the right answer may trail"),
        (turned("readout.bias", (1,), -1), "the right answer may trail"),
        (turned("embedding.table", (2, 2), -1), "the right answer may trail"),
    ],
)
def test_a_changed_machine_is_not_proven(change: Any, why: str) -> None:
    assert why in str(judged(PARTS, change))


def test_units_that_are_not_saturated_are_not_proven() -> None:
    def softer(weights: Tensors) -> None:
        for name in weights:
            if "kernel" in name:
                weights[name] *= 0.02

    assert "simulation: " in str(judged(CELL, softer))


def with_place(described: dict[str, Any]) -> None:
    place = {"address": "quadratic", "dims": 2, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    described["embedding"]["places"] = [place]


def test_positions_are_not_covered() -> None:
    def weigh(weights: Tensors) -> None:
        weights["embedding.places.0.weight"] = np.zeros((2, 4))

    assert "expected tokens without positions" in str(judged(PARTS, weigh, with_place))


def test_states_that_never_settle_are_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter beside an automaton that counts modulo two: as many pairs as there are tokens, until the limit."""
    described = document("fixed:40,0", [layer({"kind": "linear-rnn", "state": 1}, None, residual=False)], embedding=PLAIN)
    weights = {name: np.zeros(shape) for name, shape in read_description(described).shapes().items()}
    weights["embedding.table"][:] = 1.0
    weights["layers.0.mixer.transition"][:], weights["layers.0.mixer.drive"][0, 0] = 1.0, 1.0
    model = Model(read_description(described), weights, numbers("fixed:40,0"))
    form = Automaton((range(3),) * 4000, 0, lambda odd, _: 1 - odd, lambda odd: odd)
    monkeypatch.setattr(prover, "MOST", 200)
    assert "it reaches more than 200 states" in str(proof_of(model, form))


def test_other_tasks_and_other_models_are_for_other_rules() -> None:
    model, _ = drawn(1, "fixed:8,2", [RELU], None)
    with pytest.raises(Unfit, match="expected a task that an automaton decides"):
        proved("simulation", model, Task(None), Budget())  # type: ignore[arg-type]
    heads = Model(read_description(described := document(embedding=PLAIN)), tensors(described), numbers("fixed:12,4"))
    with pytest.raises(Unfit, match="expected a recurrence"):
        proved("simulation", heads, Task(Automaton((range(3),), 0, lambda q, _: q, lambda q: q)), Budget())  # type: ignore[arg-type]


def test_states_that_creep_are_followed_to_where_they_go() -> None:
    """tanh(h/2 + w) creeps from w over 1.5 w to 2 w, all in one small box: a read-out that gives way at 1.6 w is wrong from the third."""
    described = document("float64", [layer({"kind": "elman"}, None, residual=False)], width=1, embedding=PLAIN)
    w, forms = 2.0**-13, {n: Automaton((range(3),) * n, 0, lambda q, _: q, lambda _: 0) for n in (2, 6)}
    weights = {name: np.zeros(shape) for name, shape in read_description(described).shapes().items()}
    weights["embedding.table"][:] = 1.0
    weights["layers.0.mixer.kernel.weight_ih_l0"][:], weights["layers.0.mixer.kernel.weight_hh_l0"][:] = w, 0.5
    weights["readout.weight"][1, 0], weights["readout.bias"][0] = 1.0, 1.6 * w
    model = Model(read_description(described), weights, numbers("float64"))
    assert [int(model.logits(np.zeros(n, dtype=np.int64), [n - 1]).middle[0].argmax()) for n in (2, 6)] == [0, 1]
    found = proof_of(model, forms[2])
    assert isinstance(found, Proof)
    assert found.constant  # the automaton says 0 to everything
    assert not isinstance(proof_of(model, forms[6]), Proof)


def handed_over(name: str, **settings: Any) -> tuple[Model, Any, dict[str, Any]]:
    """A model, its task, and the proof that the prover offers."""
    description, weights, task = built(name, **settings)
    model = Model(read_description(description), weights, numbers(description["arithmetic"]))
    with np.errstate(all="ignore"):
        return model, task, json.loads(json.dumps(next(prover.candidates(model, task))))


def test_a_proof_about_one_answer_is_refused_as_it_shows_nothing() -> None:
    model, task, proof = handed_over("parity/recurrent", length=4)
    found = replay(model, task, proof, Budget())
    assert not found.constant
    with patch("separatrix.checker.replay.prove", return_value=replace(found, constant=True)), pytest.raises(Refused, match="a constant"):
        replay(model, task, proof, Budget())


def replayed(model: Model, task: Any, proof: dict[str, Any]) -> Proof | str:
    try:
        with np.errstate(all="ignore"):
            return prove(model, task.form(), proof, Budget())
    except (Unfit, Unproven, Refused) as error:
        return str(error)


@pytest.mark.parametrize("name", ["parity/recurrent", "regular/lstm", "dyck/recurrent", "regular/mamba"])
def test_a_proof_of_the_house_is_about_every_length(name: str) -> None:
    model, task, proof = handed_over(name, length=6)
    found = replayed(model, task, proof)
    assert isinstance(found, Proof), found
    assert found.every_length is not None
    assert proof["lengths"] == "every"


@pytest.mark.parametrize("name", ["parity/recurrent", "regular/lstm"])
def test_an_invariant_that_was_tampered_with_is_refused(name: str) -> None:
    """Every move to another pair, every pair left out, every box of floats made smaller, and moves too many or too few."""
    model, task, proof = handed_over(name, length=6)
    K = len(proof["moves"])
    forged: list[dict[str, Any]] = []
    for i, row in enumerate(proof["moves"]):
        for k, target in enumerate(row):
            for other in {0, target + 1, target - 1, K, -1, K - 1} - {target}:
                moves = copy.deepcopy(proof["moves"])
                moves[i][k] = other
                forged.append({**proof, "moves": moves})
        forged.append({**proof, "moves": [[*r, 1] if j == i else r for j, r in enumerate(proof["moves"])]})
        forged.append({**proof, "moves": [r[:-1] if j == i and r else r for j, r in enumerate(proof["moves"])] if row else []})
        if proof["high"] is not None and i:
            for c, (low, high) in enumerate(zip(proof["low"][i], proof["high"][i], strict=True)):
                if low < high:
                    smaller = copy.deepcopy(proof["high"])
                    smaller[i][c] = low + (high - low) / 4
                    forged.append({**proof, "high": smaller})
                    break
        elif i:
            moved = copy.deepcopy(proof["low"])
            moved[i][0] += 1
            forged.append({**proof, "low": moved})
    forged += [{**proof, "moves": proof["moves"][:-1]}, {**proof, "low": proof["low"][:-1]}, {**proof, "lengths": "stated"}]
    accepted = [each for each in forged if isinstance(replayed(model, task, each), Proof)]
    assert len(forged) > 20
    assert not accepted


def test_a_proof_for_other_weights_is_refused() -> None:
    _, _, proof = handed_over("parity/recurrent", length=6)
    model, task, _ = handed_over("regular/recurrent", length=6, language="(aa|b)*")
    assert not isinstance(replayed(model, task, proof), Proof)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"low": [[0.5]]}, "proof.low"),
        ({"low": [[True]]}, "proof.low"),
        ({"moves": [[1.0]]}, "proof.moves"),
        ({"moves": []}, "proof.moves"),
        ({"lengths": "all"}, "proof.lengths"),
        ({"rule": "lookup"}, "expected a task that asks for the symbol"),
        ({"high": [[1, 2]]}, "proof.high"),
        ({"more": 1}, "unknown field"),
    ],
)
def test_an_invariant_of_another_form_is_refused(change: dict[str, Any], why: str) -> None:
    model, task, proof = handed_over("parity/recurrent", length=6)
    assert re.search(why, str(replayed(model, task, {**proof, **change})))


@pytest.mark.parametrize("name", ["parity", "regular", "dyck"])
def test_the_automaton_of_every_length_answers_each_length_rightly(name: str) -> None:
    """One phase after the other, the repeated ones once and more, beside the truth of the task at that length."""
    more = {"parity": {}, "regular": {"language": "(ab|b)*a?", "alphabet": None, "negatives": "uniform"},
            "dyck": {"types": 2, "depth": 2, "positives": "walk"}}[name]  # fmt: skip
    compared = 0
    for n in range(2, 7, 2):
        task = spec_of(name, {"length": n, **more})
        form = task.form()
        phases = form.every.phases
        words = product(*(phase.alphabet for phase in phases for _ in range(n if phase.repeats else 1)))
        for word in words:
            state = form.start
            for token in word:
                state = form.step(state, token)
            assert form.answer(state) == task.truth(list(word))
            compared += 1
    assert compared > 50
