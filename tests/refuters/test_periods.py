from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
import torch

import separatrix as sx
from separatrix.bounds.languages.verdict_rules import BARRIER
from separatrix.certificates.simulation import simulate
from separatrix.checker import check_document
from separatrix.models.model import Model
from separatrix.refuters.attack import attack
from separatrix.refuters.periods import stands_still
from separatrix.tasks import Task, make_task
from separatrix.tasks.languages.gallery import named_language
from separatrix.tasks.languages.periods import period
from separatrix.tasks.regular import read_language
from separatrix.training.budget import Budget
from separatrix.training.loop import train


@pytest.mark.parametrize("language", ["(abab)*"])
def test_a_model_inside_the_barrier_fails_on_a_word_that_is_found(language: str) -> None:
    automaton = read_language(language)
    witness = period(automaton)
    assert witness is not None
    model = sx.model("selective-rnn", vocabulary=3, targets=2, width=4, layers=1, gates="positive")
    found = stands_still(model, automaton, witness)
    assert found is not None
    with torch.no_grad():
        said = model(torch.tensor([found.word]))[0, -1].argmax()
    assert bool(said) != automaton.accepts(found.word)


def test_weights_that_track_the_language_never_stand_still() -> None:
    built = sx.build("regular/rank-one", length=5, language="@parity")
    automaton = named_language("parity")
    witness = period(automaton)
    assert witness is not None
    assert simulate(built.model, automaton, None).holds
    assert stands_still(built.model, automaton, witness, longest=60) is None


def test_weights_for_a_star_free_language_fail_on_one_that_counts() -> None:
    """Mamba that says whether there was a 1: it stands still after a few blocks, and is wrong on one of two words."""
    built = sx.build("regular/mamba", length=5, language=".*1.*", alphabet="01")
    automaton = named_language("parity")
    witness = period(automaton)
    assert witness is not None
    found = stands_still(built.model, automaton, witness, end=2)
    assert found is not None
    assert found.blocks < 10
    assert len(found.word) < 12


@pytest.mark.parametrize(("model", "language"), [("mamba-1-8", "@mod-3"), ("mamba2-1-8", "(aa)*"), ("mamba-2-8", "@s3")])
def test_an_attack_on_a_language_that_counts_looks_there_first(model: str, language: str) -> None:
    task = make_task("regular", length=4, language=language)
    result = attack(sx.model(model, vocabulary=task.vocabulary, targets=2, length=5), model, task)
    assert result.found is not None
    assert result.tried["periods"].startswith("it does not count ")
    assert result.tried["evaluations"] == 1  # nothing else was tried
    assert result.task.length >= 4
    assert result.found.document["kind"] == "counterexample", result.found.why_not
    verdict = check_document(result.found.document)
    assert verdict.holds, verdict.reason


def test_parity_is_such_a_language_and_weights_that_count_are_left_to_the_other_searches() -> None:
    result = attack(sx.model("mamba-1-8", vocabulary=3, targets=2), "mamba-1-8", make_task("parity", length=6))
    assert result.found is not None
    assert result.tried["periods"].startswith("it does not count ")
    built = sx.build("regular/rank-one", length=6, language="@parity")
    spared = attack(built.program, "built", built.task, evaluations=200)
    assert spared.found is None
    assert spared.tried["periods"] == "it counts up to 2,000 symbols of '1'"


def test_a_star_free_language_has_no_such_word() -> None:
    task = make_task("regular", length=4, language="(ab)*")
    assert "periods" not in attack(sx.model("mamba-1-8", vocabulary=3, targets=2), "mamba-1-8", task).tried


TRAINED: dict[str, dict[str, Any]] = {
    "mamba": {},
    "mamba2": {},
    "linear-attention": {},
    "selective-rnn": {"gates": "positive"},
}


def small_model(name: str, task: Task) -> Model:
    """Two layers of width 16, without positions."""
    fresh = sx.model(name, vocabulary=task.vocabulary, targets=2, width=16, layers=2, **TRAINED[name])
    bare = Model(replace(fresh.config, embedding=replace(fresh.config.embedding, places=()), length=0))
    bare.load_state_dict({key: value for key, value in fresh.state_dict().items() if key in bare.state_dict()})
    return bare


@pytest.mark.parametrize("language", ["@parity", "@mod-3"])
@pytest.mark.parametrize("name", TRAINED)
def test_a_trained_model_of_every_architecture_inside_has_a_failing_word_with_a_certificate(name: str, language: str) -> None:
    """Trained on words of five symbols, Mamba is right on all of these; the witness of the period leads to a longer one."""
    torch.manual_seed(0)
    task = make_task("regular", length=5, language=language)
    model, budget = small_model(name, task), Budget(steps=120, batch=64, rate=1e-2, clip=1.0, validate_every=120, validation=32, test=32)
    for _ in train(model, task, budget, 0):
        pass
    learned = sum(right_on(model, task, word) for word in product((0, 1), repeat=5))
    assert learned == 32 or "mamba" not in name
    result = attack(model, name, task)
    assert result.found is not None
    assert result.tried["periods"].startswith("it does not count ")
    assert result.found.document["kind"] == "counterexample", result.found.why_not
    verdict = check_document(result.found.document)
    assert verdict.holds, verdict.reason
    assert "wrong on an input of" in verdict.claim


def right_on(model: Model, task: Task, word: tuple[int, ...]) -> bool:
    with torch.no_grad():
        said = int(model(torch.tensor([[*word, 2]]))[0, -1].argmax())
    return bool(said) == task.member(word)  # type: ignore[attr-defined]


def test_every_architecture_inside_the_barrier_is_trained_here() -> None:
    assert {*BARRIER} == {f"{name}-positive" if name == "selective-rnn" else name for name in TRAINED}
