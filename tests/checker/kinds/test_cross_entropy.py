"""Bounds on cross-entropy against what is computed by adding up all prefixes."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.predictions import predictor_certificate
from separatrix.certificates.program import Program
from separatrix.certificates.proofs.simulation import found
from separatrix.checker import check_document
from separatrix.checker.budget import Budget
from separatrix.checker.kinds.influence import logit_influence
from separatrix.checker.kinds.predicting import automaton_of, divergence, largest_excess, unlisted
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model as Checked
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.sentence import at_least
from separatrix.checker.sources import source
from separatrix.checker.weights import parse_safetensors
from separatrix.constructions.other.predictors import dyck_2_predictor, parity_source, predictor
from separatrix.models.decoders.position import Positions
from separatrix.models.saved import describe, weights_bytes
from separatrix.refuters.floors import cross_entropy_floor, floor_certificate
from separatrix.refuters.influence import influence_bound
from separatrix.tasks import make_task
from separatrix.tasks.languages.sources import from_document
from separatrix.tasks.next_symbol import NextSymbol, survivors
from tests.refuters.soft_models import soft_model
from tests.tasks.languages.test_sources import THREE


def checked(model: Any) -> Checked:
    description = read_description(describe(model))
    return Checked(description, parse_safetensors(weights_bytes(model)), numbers(description.arithmetic))


def prefixes(task: NextSymbol, n: int) -> list[tuple[tuple[int, ...], float]]:
    """All prefixes of n symbols with their shares."""
    weighed = {(): 1.0}
    for _ in range(n):
        following: dict[tuple[int, ...], float] = {}
        for x, weight in weighed.items():
            law = task.law(x)
            assert law is not None
            following |= {(*x, s): weight * q for s, q in enumerate(law[:-1]) if q > 0}
        weighed = following
    total = sum(weighed.values())
    return [(x, weight / total) for x, weight in weighed.items()]


def cross_entropy(model: Any, task: NextSymbol) -> float:
    """Of a model at its task's length, over all prefixes."""
    every = prefixes(task, task.length)
    with torch.no_grad():
        logs = model(torch.tensor([x for x, _ in every]), at=-1).double().log_softmax(dim=-1)
    return sum(
        share * -sum(q * float(z) for q, z in zip(task.law(x) or (), row, strict=True) if q > 0)
        for (x, share), row in zip(every, logs, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "p", "n"), [("parity-next", 0.5, 7), ("parity-next", 0.9, 3), ("dyck-2-next", 0.25, 6), ("dyck-2-next", 0.4, 5)]
)
def test_the_checkers_source_is_the_tasks(name: str, p: float, n: int) -> None:
    task = make_task(name, length=n, p=p)
    assert isinstance(task, NextSymbol)
    law = source({"task": name, "parameters": {"length": n, "p": p} | ({"depth": None} if name == "dyck-2-next" else {})})
    for x, _ in prefixes(task, n):
        state: Any = law.start
        for symbol in x:
            state = law.step(state, symbol)
        assert [float(q) for q in law.law(state)] == pytest.approx(task.law(x))
    assert law.optimum() == pytest.approx(task.cross_entropies.optimal, abs=1e-12)
    if name == "parity-next":
        assert law.floor(0.0)[0] == pytest.approx(task.cross_entropies.last_symbol, abs=1e-10)
    else:
        inside = survivors(p, n).closed
        assert law.floor(0.0)[0] - law.optimum() == pytest.approx(inside * (1 - p) * math.log(2), abs=1e-10)
        assert law.floor(100.0)[0] == pytest.approx(law.optimum(), abs=1e-10)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_the_share_of_prefixes_that_are_not_too_deep_is_counted(depth: int) -> None:
    task = make_task("dyck-2-next", length=7)
    assert isinstance(task, NextSymbol)
    shallow = sum(share for x, share in prefixes(task, 7) if max(itertools.accumulate(1 if b < 2 else -1 for b in x)) <= depth)
    law = source({"task": "dyck-2-next", "parameters": {"length": 7, "p": 0.25, "depth": depth}})
    assert law.covered() == pytest.approx(shallow, abs=1e-12)


def test_built_predictors_are_optimal_after_every_prefix_in_torch_too() -> None:
    for name, program in (("parity-next", predictor(parity_source(0.5), 8)), ("dyck-2-next", dyck_2_predictor(0.25, 6, 6))):
        task = make_task(name, length=8 if name == "parity-next" else 6)
        assert isinstance(task, NextSymbol)
        assert cross_entropy(program.model, task) - task.cross_entropies.optimal == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("depth", [3, 9])
def test_states_one_by_one_and_stacks_as_intervals_give_one_bound(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    program = dyck_2_predictor(0.25, depth, depth)
    law = source({"task": "dyck-2-next", "parameters": {"length": depth, "p": 0.25, "depth": None}})
    bounds = []
    for listed in (1, 100):
        monkeypatch.setattr("separatrix.checker.kinds.predicting.LISTED", listed)
        model = checked(program.model)
        proof = None if unlisted(law) else next(found(model, automaton_of(law)))
        bounds.append(largest_excess(model, law, proof, Budget(60)))
    assert bounds[0][0] == pytest.approx(bounds[1][0], abs=1e-12)
    assert bounds[0][1] != bounds[1][1]


def test_any_automaton_has_a_predictor_and_a_changed_weight_is_noticed() -> None:
    automaton = from_document(THREE, "here")
    program = predictor(automaton, 50)
    claim = {"task": "source", "parameters": automaton.parameters(50)}
    verdict = check_document(predictor_certificate(program, claim, "at-most", 1e-9))
    assert verdict.holds, verdict.reason
    assert verdict.claim.startswith("a source of 3 states over 2 symbols: at most 1e-09 nats above the optimum after every prefix of 1..50")
    with torch.no_grad():
        program.model.layers[0].feedforward.outer[1, 0] += 0.125
    refused = check_document(predictor_certificate(program, claim, "at-most", 1e-6))
    assert not refused.holds
    assert "excess: the certificate says at most 1e-06 nats, recomputation gives 0.0" in refused.reason


def test_a_format_that_holds_fewer_brackets_is_refused() -> None:
    program = dyck_2_predictor(0.25, 12, 40)
    claim = {"task": "dyck-2-next", "parameters": {"length": 40, "p": 0.25, "depth": 13}}
    verdict = check_document(predictor_certificate(program, claim, "at-most", 1e-6))
    assert "fixed:30,24 holds 12 open brackets, and the claim is about 13" in verdict.reason
    fitting = {"task": "dyck-2-next", "parameters": {"length": 40, "p": 0.25, "depth": 12}}
    verdict = check_document(predictor_certificate(program, fitting, "at-most", 1e-6))
    assert verdict.holds
    assert "% of the prefixes of 40 symbols are deeper" in str(verdict.evidence)


def test_divergence_is_never_below_the_truth() -> None:
    law = parity_source(0.3).law(0)
    exact = tuple(Fraction(share, sum(parity_source(0.3).shares[0])) for share in parity_source(0.3).shares[0])
    rng = np.random.default_rng(0)
    for _ in range(200):
        low = rng.normal(size=3)
        high = low + rng.uniform(0, 0.2, size=3)
        z = low + rng.uniform(0, 1, size=3) * (high - low)
        logs = z - np.log(np.exp(z).sum())
        bounds = [Fraction(x) for x in low], [Fraction(x) for x in high]
        assert divergence(exact, *bounds) >= sum(q * (math.log(q) - s) for q, s in zip(law, logs, strict=True))


@pytest.mark.parametrize(("name", "n"), [("parity-next", 9), ("dyck-2-next", 7)])
def test_a_floor_lies_below_what_all_prefixes_add_up_to(name: str, n: int) -> None:
    task = make_task(name, length=n)
    assert isinstance(task, NextSymbol)
    met = 0
    for seed in range(4):
        for size in (0.01, 0.1, 0.2):
            model = soft_model(seed, n, 1 + seed % 2, 1, size, vocabulary=task.vocabulary, targets=task.targets, extent=n)
            floor = cross_entropy_floor(model, task)
            assert floor.nats <= cross_entropy(model, task)
            assert influence_bound(model, n).logit == pytest.approx(logit_influence(checked(model), n), rel=1e-6)
            if floor.excess > 0:
                verdict = check_document(floor_certificate(model, task, floor))
                assert verdict.holds, verdict.reason
                assert f"N = {n}, read at the last symbol: at least {at_least(floor.excess * (1 - 1e-6))} nats above" in verdict.claim
                met += 1
    assert met >= 6


def test_a_predictor_that_knows_the_state_breaks_the_premise_and_not_the_floor() -> None:
    """The built machine is optimal: it is no softmax attention, and no floor is claimed of it."""
    program = predictor(parity_source(0.5), 9)
    claim = {"task": "parity-next", "parameters": {"length": 9, "p": 0.5}}
    assert not check_document(predictor_certificate(Program(program.model, Positions()), claim, "at-least", 0.01)).holds
