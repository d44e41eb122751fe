"""Register files: as many bits as the profile says, and right."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

from separatrix.bounds.limits import task_profile
from separatrix.bounds.protocols.collision import tables_of
from separatrix.bounds.question import question_of_task
from separatrix.bounds.witnesses import certify_profile, certify_state_machine
from separatrix.certificates.verify import verify
from separatrix.checker import check_document, check_text
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.mixers.register_file import RegisterFile
from separatrix.models.model import Model
from separatrix.models.saved import describe, restore, weights_bytes
from separatrix.refuters.recurrent_protocol import as_machine
from separatrix.tasks import Task

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("index-lookup/recurrent", {"length": 1, "symbols": 2}),
    ("index-lookup/recurrent", {"length": 7, "symbols": 2}),
    ("index-lookup/recurrent", {"length": 4, "symbols": 4}),
    ("equality/recurrent", {"length": 2}),
    ("equality/recurrent", {"length": 10}),
    ("equality/recurrent", {"length": 6, "symbols": 4}),
    ("intersects/recurrent", {"length": 2}),
    ("intersects/recurrent", {"length": 10}),
    ("associative-recall/recurrent", {"length": 1, "symbols": 1}),
    ("associative-recall/recurrent", {"length": 3, "symbols": 3}),  # 4 bits, one more than there are pairs
    ("associative-recall/recurrent", {"length": 4, "symbols": 4}),
    ("associative-recall/recurrent", {"length": 3, "symbols": 3, "labels": 4}),
]
UNEVEN: list[tuple[str, dict[str, Any]]] = [
    ("index-lookup/recurrent", {"length": 4, "symbols": 3}),
    ("equality/recurrent", {"length": 4, "symbols": 5}),
]


def both(name: str, chosen: dict[str, Any]) -> tuple[Model, Task]:
    built = build(name, **chosen)
    assert isinstance(registers(built.model), RegisterFile)
    return built.model, built.task


def registers(model: Model) -> RegisterFile:
    """The only mixer of the model."""
    (layer,) = model.each_layer()
    assert isinstance(layer.mixer, RegisterFile)
    return layer.mixer


@pytest.mark.parametrize(("name", "chosen"), SMALL + UNEVEN)
def test_every_input_is_answered(name: str, chosen: dict[str, Any]) -> None:
    model, task = both(name, chosen)
    inputs = list(task.inputs())
    with torch.no_grad():
        predicted = model(torch.tensor(inputs), at=-1).argmax(dim=1).tolist()
    assert predicted == [task.answer(tokens) for tokens in inputs]


@pytest.mark.parametrize(("name", "chosen"), SMALL)
def test_the_state_has_exactly_the_bits_of_the_profile(name: str, chosen: dict[str, Any]) -> None:
    """Lower bound = built, where |S| is a power of 2."""
    model, task = both(name, chosen)
    assert model.state_bits(task.length) == task_profile(task).bits


def test_recall_over_more_keys_has_a_table_of_all_of_them() -> None:
    """Six pairs over twelve keys: eleven labels and four bits of a key. The promise leaves a gap: 8 bits are proven to be needed."""
    built = build("associative-recall/recurrent", length=6)
    assert built.sizes()["width"] == 15
    assert task_profile(built.task).bits <= 15
    assert verify(built, cases=50).holds
    with pytest.raises(BadInput, match=r"^associative-recall/recurrent, N = 200: \d+ gates are above 16777216$"):
        build("associative-recall/recurrent", length=200)


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
            predicted = model(torch.from_numpy(batch.tokens), at=-1).argmax(dim=1).tolist()
        assert predicted == [batch.answer(row) for row in range(40)], kind
    assert model.state_bits(1) == task_profile(task).bits


@pytest.mark.parametrize(("name", "chosen"), [SMALL[1], SMALL[4], SMALL[7], SMALL[9]])
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


@pytest.mark.parametrize(("name", "chosen"), [SMALL[2], SMALL[5], SMALL[7], SMALL[10]])
def test_verified_builds_are_accepted_by_the_checker(name: str, chosen: dict[str, Any]) -> None:
    """Width times precision are the bits of state, and the certificate says that nothing else crosses a cut."""
    built = build(name, **chosen)
    certificate = verify(built, cases=10)
    assert certificate.holds, certificate.counterexample
    bits = task_profile(built.task).bits
    assert built.sizes()["state_bits"] == certificate.document["sizes"]["state_bits"] == bits
    verdict = check_text(certificate.to_json())
    assert verdict.holds, verdict.reason


def test_a_saved_register_file_is_restored() -> None:
    model, task = both("index-lookup/recurrent", {"length": 5, "symbols": 3})
    again = restore(json.loads(json.dumps(describe(model))), weights_bytes(model))
    tokens = torch.from_numpy(task.sample(0, 9).tokens)
    assert torch.equal(again(tokens), model(tokens))


def test_what_needs_attention_says_so() -> None:
    built = build("equality/recurrent", length=4)
    with pytest.raises(BadInput, match=r"^equality/recurrent is a recurrent model: expected a construction with attention$"):
        built.heads()


def test_a_trace_shows_the_registers_after_every_token() -> None:
    """Equality at N = 4 on 0 1 | 0 0: the first half is stored, then h_0 says whether all agreed so far."""
    trace = build("equality/recurrent", length=4).trace([0, 1, 0, 0])
    assert trace.inside[0]["registers"].tolist() == [[0, 0], [0, 1], [1, 1], [0, 1]]
    assert trace.attention[0].shape == (0, 1, 4)


def test_without_a_proof_each_layer_says_what_it_did() -> None:
    *layers, answer = build("equality/recurrent", length=4).explain([0, 1, 0, 0])
    assert [(step.title, step.values) for step in layers] == [("layer 1", {"registers at the end": [0.0, 1.0]})]
    assert answer.values == {"says": 0}


def test_one_register_less_is_wrong() -> None:
    """Negative control: the last symbol shares the register of the one before."""
    model, task = both("index-lookup/recurrent", {"length": 5, "symbols": 2})
    mixer = registers(model)
    mixer.write[4, 0] = 3
    assert mixer.number_read is not None
    mixer.number_read[4, 0] = 3
    inputs = list(task.inputs())
    with torch.no_grad():
        predicted = model(torch.tensor(inputs), at=-1).argmax(dim=1).tolist()
    assert predicted != [task.answer(tokens) for tokens in inputs]


def test_parallel_is_recurrent_and_bad_tokens_are_refused() -> None:
    model, task = both("equality/recurrent", {"length": 4})
    tokens = torch.tensor([[0, 1, 0, 1]])
    assert torch.equal(model(tokens)[:, -1], model(tokens, at=-1))
    with pytest.raises(BadInput, match=r"^token 2 lies outside the vocabulary 0\.\.1$"):
        model(torch.tensor([[0, 2]]))
    with pytest.raises(BadInput, match=r"^register-file: there are weights for 4 tokens, found one more$"):
        model(torch.tensor([[0, 1, 0, 1, 1]]))
    with pytest.raises(BadInput, match=r"length N must be even"):
        both("equality/recurrent", {"length": 5})
    assert task.length == 4
