"""Small recurrent models on prompts that hold more bits than their state: one message for two strings, one chain of thought, one wrong."""

from __future__ import annotations

import pytest

from separatrix.bounds.communication.prompts import REDUCTIONS
from separatrix.certificates.program import Program
from separatrix.checker import check_document
from separatrix.models import make_model
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.model import Model
from separatrix.refuters.attack import _by_message, attack
from separatrix.refuters.failures import failure_document
from separatrix.refuters.leads import Subject
from separatrix.refuters.messages import equal_messages
from separatrix.refuters.search import Account
from separatrix.tasks import Task, make_task

TASKS = {
    "index": {"length": 40},
    "recall-next": {"length": 80},
    "c-gram": {"length": 120},
    "counting": {"length": 41},
    "is-tree": {"length": 43, "thought": "tour"},
}


def recurrent(task: Task, name: str = "elman", width: int = 1) -> Model:
    """A recurrent model in float32: 32 bits for each unit."""
    model = make_model(name, vocabulary=task.vocabulary, targets=task.targets, width=width, layers=1)
    assert isinstance(model, Model)
    return model.eval()


@pytest.mark.parametrize("name", TASKS)
def test_a_model_with_fewer_bits_than_a_prompt_holds_has_one_message_for_two(name: str) -> None:
    task = make_task(name, **TASKS[name])
    model, reduction = recurrent(task), REDUCTIONS[name]
    assert model.state_bits(task.token_count) < reduction.bits(task) == 40
    found = equal_messages(model, task)
    assert found is not None
    answers = [task.answer(prompt) for prompt in found.prompts]
    assert None not in answers
    assert answers[0] != answers[1]
    assert [reduction.bit(task, task.target_text(answer)) for answer in answers] == [a[found.place - 1] for a in found.strings]  # type: ignore[arg-type]


def test_its_chain_of_thought_is_the_same_on_both_prompts() -> None:
    task = make_task("is-tree", **TASKS["is-tree"])
    model = recurrent(task)
    found = equal_messages(model, task)
    assert found is not None
    decoder = Greedy(task.stop, 200)  # type: ignore[arg-type]
    first, second = decoder.chains(model, found.prompts)
    assert first.tokens == second.tokens
    assert found.prompts[0] != found.prompts[1]
    assert found.prompts[0][-4:] == found.prompts[1][-4:]  # Bob's part


def test_it_is_refuted_with_its_chain_and_the_checker_agrees() -> None:
    """The counterexample is about the whole chain, which is longer than the prompt."""
    task = make_task("is-tree", **TASKS["is-tree"])
    subject = Subject(recurrent(task), task, Greedy(task.stop, task.chain_limit))  # type: ignore[arg-type]
    tried: dict[str, object] = {}
    failure = _by_message(subject, Account(1 << 16), 0, tried)
    assert failure is not None
    assert tried == {"strings with one message": 2}
    document = failure_document(subject, "small", failure)
    assert document.document["kind"] == "counterexample", document.why_not
    verdict = check_document(document.document)
    assert verdict.holds, verdict.reason
    assert "by a tour: wrong on an input" in verdict.claim


def test_an_attack_on_a_program_that_writes_ends_in_a_certificate() -> None:
    task = make_task("is-tree", **TASKS["is-tree"])
    result = attack(Program(recurrent(task), Greedy(task.stop, task.chain_limit)), "small", task, evaluations=500)  # type: ignore[arg-type]
    assert result.found is not None
    assert result.found.document["kind"] == "counterexample", result.found.why_not


def test_a_state_with_room_for_every_bit_is_not_accused() -> None:
    task = make_task("counting", length=12)
    assert equal_messages(recurrent(task, "lstm", 16), task, most=1 << 12) is None


def test_a_prompt_without_a_bit_is_left_alone() -> None:
    task = make_task("is-tree", length=3, thought="tour")
    assert equal_messages(recurrent(task), task) is None
