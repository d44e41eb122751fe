"""Register files: as many bits as the profile says, and right."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from separatrix.bounds.collision import tables_of
from separatrix.bounds.task_profile import task_profile
from separatrix.bounds.witnesses import certify_profile, certify_state_machine, question_of_task
from separatrix.certificates.recurrent_protocol import as_machine
from separatrix.checker import check_document
from separatrix.constructions.bhattamishra2024.registers import REGISTERS
from separatrix.errors import BadInput
from separatrix.models.register_file import RegisterFile
from separatrix.tasks import Task, make_task

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("index-lookup/recurrent", {"length": 1, "symbols": 2}),
    ("index-lookup/recurrent", {"length": 7, "symbols": 2}),
    ("index-lookup/recurrent", {"length": 4, "symbols": 4}),
    ("equality/recurrent", {"length": 2}),
    ("equality/recurrent", {"length": 10}),
    ("equality/recurrent", {"length": 6, "symbols": 4}),
    ("intersects/recurrent", {"length": 2}),
    ("intersects/recurrent", {"length": 10}),
]
UNEVEN: list[tuple[str, dict[str, Any]]] = [
    ("index-lookup/recurrent", {"length": 4, "symbols": 3}),
    ("equality/recurrent", {"length": 4, "symbols": 5}),
]


def both(name: str, chosen: dict[str, Any]) -> tuple[RegisterFile, Task]:
    return REGISTERS[name](**chosen), make_task(name.removesuffix("/recurrent"), **chosen)  # type: ignore[operator]


@pytest.mark.parametrize(("name", "chosen"), SMALL + UNEVEN)
def test_every_input_is_answered(name: str, chosen: dict[str, Any]) -> None:
    model, task = both(name, chosen)
    inputs = list(task.inputs())
    with torch.no_grad():
        said = model(torch.tensor(inputs), at=-1).argmax(dim=1).tolist()
    assert said == [task.answer(tokens) for tokens in inputs]


@pytest.mark.parametrize(("name", "chosen"), SMALL)
def test_the_state_has_exactly_the_bits_of_the_profile(name: str, chosen: dict[str, Any]) -> None:
    """Lower bound = built, where |S| is a power of 2."""
    model, task = both(name, chosen)
    assert model.state_bits(task.length) == task_profile(task).bits


@pytest.mark.parametrize(("name", "chosen"), UNEVEN)
def test_other_alphabets_cost_whole_bits(name: str, chosen: dict[str, Any]) -> None:
    """Index lookup at N = 4 over 3 symbols: 8 registers, ceil(4 log2 3) = 7 needed; equality at N = 4 over 5: 6, and 5 needed."""
    model, task = both(name, chosen)
    assert model.state_bits(task.length) == task_profile(task).bits + 1


@pytest.mark.parametrize(("name", "chosen"), [("index-lookup/recurrent", {"length": 60, "symbols": 64}),
                                              ("equality/recurrent", {"length": 100, "symbols": 64}),
                                              ("intersects/recurrent", {"length": 200})])  # fmt: skip
def test_long_inputs(name: str, chosen: dict[str, Any]) -> None:
    model, task = both(name, chosen)
    for kind in task.case_kinds:
        batch = task.cases(kind, 0, 40)
        with torch.no_grad():
            said = model(torch.from_numpy(batch.tokens), at=-1).argmax(dim=1).tolist()
        assert said == [batch.answer(row) for row in range(40)], kind
    assert model.state_bits(1) == task_profile(task).bits


@pytest.mark.parametrize(("name", "chosen"), [SMALL[1], SMALL[4], SMALL[7]])
def test_needed_and_enough_are_both_certified(name: str, chosen: dict[str, Any]) -> None:
    """The profile from below, the model's own tables from above, and one number."""
    model, task = both(name, chosen)
    question = question_of_task(task)
    step, output, initial = as_machine(model, len(question.alphabets))
    enough = certify_state_machine(question, tables_of(step, output, initial, question.alphabets))
    needed = certify_profile(question)
    for document in (enough, needed):
        verdict = check_document(document)
        assert verdict.holds, verdict.reason
    assert enough["state_bits"] == needed["bits"]


def test_one_register_less_is_wrong() -> None:
    """Negative control: the last symbol shares the register of the one before."""
    model, task = both("index-lookup/recurrent", {"length": 5, "symbols": 2})
    model.write[4, 0] = 3
    model.number_read[4, 0] = 3
    inputs = list(task.inputs())
    with torch.no_grad():
        said = model(torch.tensor(inputs), at=-1).argmax(dim=1).tolist()
    assert said != [task.answer(tokens) for tokens in inputs]


def test_parallel_is_recurrent_and_bad_tokens_are_refused() -> None:
    model, task = both("equality/recurrent", {"length": 4})
    tokens = torch.tensor([[0, 1, 0, 1]])
    assert torch.equal(model(tokens)[:, -1], model(tokens, at=-1))
    with pytest.raises(BadInput, match=r"^tokens must lie in 0\.\.1$"):
        model(torch.tensor([[0, 2]]))
    with pytest.raises(BadInput, match=r"^this register file has weights for 4 tokens, found one more$"):
        model(torch.tensor([[0, 1, 0, 1, 1]]))
    with pytest.raises(BadInput, match=r"length N must be even"):
        both("equality/recurrent", {"length": 5})
    assert task.length == 4
