"""Recurrent models as protocols: the state is all that crosses the cut, and its bits are counted."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from separatrix.bounds.protocols.collision import state_collision, tables_of
from separatrix.bounds.question import question_of_task
from separatrix.bounds.witnesses import certify_state_collision
from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.models import make_model
from separatrix.models.model import Model, State
from separatrix.refuters.recurrent_protocol import as_machine, decoded, encoded
from separatrix.tasks import make_task

WIDTH = 8


def model_of(name: str, vocabulary: int = 9, targets: int = 2) -> Model:
    model = make_model(name, vocabulary=vocabulary, targets=targets, width=WIDTH, layers=2)
    assert isinstance(model, Model)
    return model.eval()


def after(model: Model, tokens: list[int], state: State | None = None) -> tuple[State, Tensor]:
    """The state after these tokens, and the logits after the last of them."""
    state, logits = model.initial_state(1) if state is None else state, torch.zeros(1, 0)
    with torch.no_grad():
        for token in tokens:
            state, logits = model.step(state, torch.tensor([token]))
    return state, logits[0]


@pytest.mark.parametrize(("name", "numbers"), [("elman", WIDTH), ("gru", WIDTH), ("lstm", 2 * WIDTH)])
def test_bob_arrives_at_the_models_own_logits_from_the_message_alone(name: str, numbers: int) -> None:
    model = model_of(name)
    tokens = [1, 0, 8, 2, 7, 7, 3]
    direct = after(model, tokens)[1]
    with torch.no_grad():
        torch.testing.assert_close(direct, model(torch.tensor([tokens]), at=-1)[0])
    for cut in range(1, len(tokens)):
        message = encoded(after(model, tokens[:cut])[0])
        assert torch.equal(after(model, tokens[cut:], decoded(after(model, [0] * cut)[0], message))[1], direct)
        assert message.bits == 2 * 32 * numbers == model.state_bits(cut)
        assert str(message).endswith(f"my state after {cut} tokens ({message.bits} bits)")


def test_a_register_file_sends_one_bit_for_each_register() -> None:
    model, task = build("index-lookup/recurrent", length=11, symbols=2).model, make_task("index-lookup", length=11, symbols=2)
    batch = task.sample(0, 20)
    for row in range(20):
        tokens = list(batch.row(row))
        for cut in (1, 7, 11):
            message = encoded(after(model, tokens[:cut])[0])
            assert message.bits == 11
            logits = after(model, tokens[cut:], decoded(after(model, [0] * cut)[0], message))[1]
            assert int(logits.argmax()) == batch.answer(row)


def test_a_trained_models_tables_are_refuted_where_it_confuses_two_prefixes() -> None:
    """An Elman network whose recurrent weights are 0 forgets everything: two prefixes, one state."""
    model = model_of("elman", vocabulary=5)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "weight_hh" in name:
                parameter.zero_()
    question = question_of_task(make_task("index-lookup", length=3, symbols=2))
    step, output, initial = as_machine(model, 4)
    automaton = tables_of(step, output, initial, question.alphabets)
    collision = state_collision(automaton, question)
    assert collision is not None
    assert collision.prefixes[0][-1] == collision.prefixes[1][-1]
    assert check_document(certify_state_collision(question, automaton, collision.prefixes, collision.suffix)).holds
