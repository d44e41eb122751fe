"""Envelopes: what is proven holds on all inputs; a weight that matters, a forged invariant and a wrong task are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.certificates.proofs import envelope
from separatrix.checker.budget import Budget
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.leads import leads_of
from separatrix.checker.replay import Proof, prove
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.seal import Refused
from separatrix.checker.specs import Spec
from tests.checker.replay.built import built
from tests.checker.replay.proved import proved

LOST = 1e-9  # the least margin is a bound of its own, lower than the truth by rounding
SMALL = {  # name -> sizes whose inputs are few
    **{f"index-lookup/{by}": {"length": 3, "symbols": 3} for by in ("linear-attention", "deltanet", "gated-deltanet", "mamba2", "mamba")},
    **{f"index-lookup/{by}": {"length": 4, "symbols": 2} for by in ("elman", "gru", "lstm")},
    **{f"copy/{by}": {"length": 4, "symbols": 2} for by in ("linear-attention", "deltanet", "mamba2")},
    **{f"mqar/{by}": {"length": 4} for by in ("linear-attention", "deltanet", "gated-deltanet", "mamba2", "mamba", "lstm", "gru")},
}
LONG = {  # inputs that nobody enumerates
    "index-lookup/linear-attention": {"length": 32, "symbols": 2},
    "index-lookup/deltanet": {"length": 32, "symbols": 4},
    "index-lookup/mamba2": {"length": 32, "symbols": 2},
    "mqar/linear-attention": {"length": 12},
    "mqar/deltanet": {"length": 32},
    "mqar/mamba2": {"length": 32},
}


def model_of(parts: tuple[dict[str, Any], Any, Spec]) -> Model:
    return Model(read_description(parts[0]), parts[1], numbers(parts[0]["arithmetic"]))


def envelope_of(model: Model, task: Spec) -> Proof:
    with np.errstate(all="ignore"):
        return proved("envelope", model, task, Budget())


def least_margin(model: Model, task: Spec) -> float:
    """By the forward pass, over every input."""
    inputs, form = np.array([*task.listed()]), task.form()
    asked = [*form.answers(inputs[0].tolist())]
    answers = np.array([[form.answers(row.tolist())[t] for t in asked] for row in inputs])
    with np.errstate(all="ignore"):
        return min(float(leads_of(model.ops, model.logits(inputs, [t])[:, 0], answers[:, i]).min()) for i, t in enumerate(asked))


@pytest.mark.parametrize("name", SMALL)
def test_a_proven_margin_is_at_most_that_of_every_input(name: str) -> None:
    parts = built(name, **SMALL[name])
    model = model_of(parts)
    assert 0 < envelope_of(model, parts[2]).margin <= least_margin(model, parts[2]) + LOST


@pytest.mark.parametrize("name", LONG)
def test_inputs_that_cannot_be_enumerated_are_proven(name: str) -> None:
    parts = built(name, **LONG[name])
    assert envelope_of(model_of(parts), parts[2]).margin > 0


@pytest.mark.parametrize("name", ["index-lookup/mamba2", "index-lookup/linear-attention", "mqar/deltanet", "mqar/lstm"])
def test_no_changed_model_is_proven_that_errs_on_an_input(name: str) -> None:
    """Random entries of random tensors are halved, doubled, negated or zeroed."""
    parts, random, wrong, right = built(name, **SMALL[name]), np.random.default_rng(7), 0, 0
    for _ in range(40):
        tensors = {key: tensor.copy() for key, tensor in parts[1].items()}
        key = random.choice([key for key, tensor in tensors.items() if tensor.dtype.kind == "f" and tensor.any()])
        entry = random.choice(np.flatnonzero(tensors[key]))
        tensors[key].flat[entry] *= random.choice([-1.0, 0.0, 0.5, 2.0])
        model = model_of((parts[0], tensors, parts[2]))
        try:
            least = least_margin(model, parts[2])
        except Refused:
            least = -1.0
        try:
            margin = float(envelope_of(model, parts[2]).margin)
        except Unproven:
            margin = 0.0
        assert margin <= max(least, 0.0) + LOST * (least > 0), f"{key}[{entry}]: proven with {margin}, an input has {least}"
        wrong, right = wrong + (least <= 0), right + (margin > 0)
    assert wrong >= 5, "too few changes break the model"
    assert right >= 5, "too few changed models are proven"


def test_the_prover_chooses_nothing_that_the_rule_believes() -> None:
    """Numbers of keys that tell nothing apart make a proof fail, never succeed; numbers that do not fit are refused."""
    parts = built("mqar/deltanet", length=4)
    model, task = model_of(parts), parts[2]
    document = next(envelope.candidates(model, task))
    with np.errstate(all="ignore"), pytest.raises(Unproven):
        prove(model, task.form(), {**document, "keys": [0] * len(document["keys"])}, Budget())
    for keys in (document["keys"][:-1], [*document["keys"][:-1], 99], [*document["keys"][:-1], True]):
        with pytest.raises(Refused, match=r"proof\.keys: expected a number"):
            prove(model, task.form(), {**document, "keys": keys}, Budget())
    with pytest.raises(Refused, match=r"proof\.tokens"):
        prove(model, task.form(), {**document, "tokens": "none"}, Budget())


def test_another_task_and_another_model_do_not_fit() -> None:
    document = {"rule": "envelope", "tokens": "boxed", "places": "merged", "keys": []}
    parity = built("parity/recurrent", length=4)
    with pytest.raises(Unfit, match="asks for the symbol at one place"):
        prove(model_of(parity), parity[2].form(), document, Budget())
    attention = built("index-lookup", length=4, symbols=2)
    with pytest.raises(Unfit, match="expected a recurrence"):
        prove(model_of(attention), attention[2].form(), document, Budget())


@pytest.mark.parametrize(
    ("name", "tokens"), [("mqar/linear-attention", 2), ("index-lookup/deltanet", 1), ("index-lookup/linear-attention", 1)]
)
def test_every_place_may_decide(name: str, tokens: int) -> None:
    """A model that forgets one place, whichever it is, is not proven."""
    parts = built(name, **SMALL[name])
    places = 2 if tokens == 2 else 3
    for place in range(places):
        tensors = {key: tensor.copy() for key, tensor in parts[1].items()}
        tensors["embedding.places.0.address.table"][tokens * place : tokens * (place + 1)] = 0
        with pytest.raises(Unproven):
            envelope_of(model_of((parts[0], tensors, parts[2])), parts[2])
