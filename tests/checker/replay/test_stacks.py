"""The rule of stacks: what it proves is right on every word, and each of its hypotheses is needed."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.checker.budget import Budget
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.replay.proof import Proof, Unfit, Unproven
from separatrix.checker.specs import Spec, spec_of
from separatrix.checker.specs.forms.brackets import Brackets
from separatrix.checker.weights import parse_safetensors
from separatrix.constructions import build
from separatrix.models.saved import describe, filled
from separatrix.tasks import make_task
from tests.checker.replay.proved import proved
from tests.checker.specs.settings import both

N = 4
DYCK_2 = spec_of("dyck-2", {"length": N})
BUILT = build("dyck-2/recurrent", length=N)
TENSORS = {name: tensor.copy() for name, tensor in parse_safetensors(BUILT.program.weights()).items()}
WORDS = torch.tensor([[*word, 4] for word in itertools.product(range(4), repeat=N)])


def outcome(tensors: dict[str, Any], arithmetic: str | None = None, task: Spec = DYCK_2) -> Proof:
    document = describe(BUILT.model) | ({} if arithmetic is None else {"arithmetic": arithmetic})
    description = read_description(document)
    return proved("stacks", Model(description, tensors, numbers(description.arithmetic)), task, Budget())


def changed(name: str, index: tuple[int, ...], by: float) -> dict[str, Any]:
    tensor = TENSORS[name].copy()
    tensor[index] += by
    return {**TENSORS, name: tensor}


def test_the_form_says_what_the_task_says() -> None:
    task, form = make_task("dyck-2", length=6), Brackets(2, 6)
    for word in itertools.product(range(4), repeat=6):
        assert form.answers([*word, 4]) == {6: task.answer([*word, 4])}


def test_what_is_built_is_proven() -> None:
    assert outcome(TENSORS).margin == 1


RNN, FEED = "layers.0.mixer", "layers.0.feedforward"


@pytest.mark.parametrize(
    ("name", "index", "by", "why"),
    [
        (f"{RNN}.transition", (0, 0), 0.25, "room for whole digits only"),
        (f"{RNN}.drive", (0, 1), 0.25, "a ReLU turns on somewhere between two stacks"),
        (f"{RNN}.initial", (0,), 0.25, "rounds a number that depends on the stack"),
        (f"{RNN}.back", (0, 0), 0.25, "rounds a number that depends on the stack"),
        (f"{RNN}.back", (0, 3), 0.25, "closing bracket 0 does not undo what its partner did"),
        (f"{FEED}.outer", (0, 1), 4.0, "the right answer may trail"),
        ("readout.bias", (1,), 2.0, "the right answer may trail"),
    ],
)
def test_a_changed_weight_fails_a_hypothesis(name: str, index: tuple[int, ...], by: float, why: str) -> None:
    with pytest.raises(Unproven, match=why):
        outcome(changed(name, index, by))


def test_a_format_that_holds_fewer_or_rounds_otherwise_is_not_enough() -> None:
    with pytest.raises(Unproven, match="holds 2 open brackets, and 3 may have to be closed"):
        outcome(TENSORS, task=spec_of("dyck-2", {"length": 6}))
    with pytest.raises(Unproven, match="rounds a number that depends on the stack"):
        outcome(TENSORS, "fixed:8,2")
    with pytest.raises(Unproven, match="nearest:13 does not round down"):
        outcome(TENSORS, "nearest:13")
    with pytest.raises(Unproven, match="expected one number of state, in an exact format"):
        outcome(TENSORS, "float64")


def test_other_tasks_and_other_models_are_left_to_other_rules() -> None:
    with pytest.raises(Unfit, match="expected words of brackets"):
        proved(
            "stacks",
            Model(read_description(describe(BUILT.model)), TENSORS, numbers("fixed:10,4")),
            both("parity", {"length": 3})[1],
            Budget(),
        )
    soft = build("dyck-2/soft-attention", length=4)
    model = Model(read_description(describe(soft.model)), parse_safetensors(soft.program.weights()), numbers("float64"))
    with pytest.raises(Unfit, match="expected a recurrence through ReLUs"):
        proved("stacks", model, DYCK_2, Budget())


@pytest.mark.parametrize("count", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_what_is_proven_of_mutants_is_true_on_all_words(count: int) -> None:
    """A few weights moved by steps of the grid: the rule may refuse what is right, and never proves what is wrong."""
    rng, proven, wrong = np.random.default_rng(3), 0, 0
    due = torch.tensor([DYCK_2.truth(word) for word in WORDS.tolist()])
    for _ in range(count):
        tensors = {name: tensor.copy() for name, tensor in TENSORS.items()}
        for _ in range(int(rng.integers(1, 3))):
            name = str(rng.choice(sorted(tensors)))
            tensors[name].reshape(-1)[rng.integers(tensors[name].size)] += float(rng.choice([-1.0, -0.25, 0.25, 1.0]))
        try:
            outcome(tensors)
        except Unproven:
            model = filled(BUILT.model.config, {name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
            wrong += int((model(WORDS, at=-1).argmax(dim=-1) != due).any())
            continue
        proven += 1
        model = filled(BUILT.model.config, {name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
        with torch.no_grad():
            assert (model(WORDS, at=-1).argmax(dim=-1) == due).all()
    assert proven > count / 20
    assert wrong > count / 4


def test_a_residual_connection_is_not_covered() -> None:
    config = replace(BUILT.model.config, layers=tuple(replace(layer, residual=True) for layer in BUILT.model.config.layers))
    model = filled(config, {name: torch.from_numpy(tensor) for name, tensor in TENSORS.items()})
    with pytest.raises(Unproven, match="neither a residual connection nor a norm"):
        proved("stacks", Model(read_description(describe(model)), TENSORS, numbers("fixed:10,4")), DYCK_2, Budget())
