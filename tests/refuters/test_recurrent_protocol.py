"""Recurrent models as protocols: the state is all that crosses the cut, and its bits are counted."""

from __future__ import annotations

import pytest
import torch

from separatrix.bounds.limits import task_profile
from separatrix.bounds.protocols.collision import state_collision, tables_of
from separatrix.bounds.question import question_of_task
from separatrix.bounds.witnesses import certify_state_collision
from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.model import Model
from separatrix.refuters.recurrent_protocol import as_machine, messages_against, run_recurrent_protocol
from separatrix.tasks import make_task

WIDTH = 8


def model_of(name: str, vocabulary: int = 9, targets: int = 2) -> Model:
    model = make_model(name, vocabulary=vocabulary, targets=targets, width=WIDTH, layers=2)
    assert isinstance(model, Model)
    return model.eval()


@pytest.mark.parametrize(("name", "numbers"), [("elman", WIDTH), ("gru", WIDTH), ("lstm", 2 * WIDTH)])
def test_bob_arrives_at_the_models_own_logits_from_the_message_alone(name: str, numbers: int) -> None:
    model = model_of(name)
    tokens = [1, 0, 8, 2, 7, 7, 3]
    with torch.no_grad():
        state, direct = model.initial_state(1), torch.zeros(0)
        for token in tokens:
            state, logits = model.step(state, torch.tensor([token]))
            direct = logits[0]
        whole = model(torch.tensor([tokens]), at=-1)[0]
    for cut in range(1, len(tokens)):
        run = run_recurrent_protocol(model, tokens, cut)
        assert torch.equal(run.logits, direct)
        torch.testing.assert_close(run.logits, whole)
        assert run.message.bits == 2 * 32 * numbers == model.state_bits(cut)
        assert str(run.message).endswith(f"my state after {cut} tokens ({run.message.bits} bits)")


def test_a_register_file_sends_one_bit_for_each_register() -> None:
    model, task = build("index-lookup/recurrent", length=11, symbols=2).model, make_task("index-lookup", length=11, symbols=2)
    batch = task.sample(0, 20)
    for row in range(20):
        for cut in (1, 7, 11):
            run = run_recurrent_protocol(model, batch.row(row), cut)
            assert run.message.bits == 11
            assert run.answer == batch.answer(row)


def test_bits_sent_beside_bits_needed() -> None:
    """Equality at N = 6 needs 1, 2, 3, 3, 2 bits: the register file sends 3 everywhere, and an LSTM of width 8 and two layers 1024."""
    needed = task_profile(make_task("equality", length=6)).bits_at
    rows = messages_against(build("equality/recurrent", length=6).model, needed)
    assert [(row.tokens, row.sent, row.needed) for row in rows] == [(1, 3, 1), (2, 3, 2), (3, 3, 3), (4, 3, 3), (5, 3, 2)]
    assert not any(row.refuted for row in rows)
    assert {row.sent for row in messages_against(model_of("lstm"), needed)} == {1024}
    needed = task_profile(make_task("index-lookup", length=4, symbols=2)).bits_at
    assert [row.refuted for row in messages_against(build("equality/recurrent", length=6).model, needed)] == [False, False, False, True]


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


def test_bad_input_is_one_clear_line() -> None:
    model = model_of("gru")
    for cut in (0, 3, -1):
        with pytest.raises(BadInput, match=rf"^the cut must leave tokens on both sides, 1\.\.2, found {cut}$"):
            run_recurrent_protocol(model, [1, 2, 3], cut)
    with torch.no_grad():
        next(model.parameters()).fill_(float("nan"))
    with pytest.raises(BadInput, match=r"^the model's outputs are not finite numbers$"):
        run_recurrent_protocol(model, [1, 2, 3], 1)


def test_a_model_that_looks_ahead_is_reported_as_not_causal() -> None:
    model = make_model("transformer", vocabulary=6, targets=2, width=8, causal=False, deviation=0.5)
    assert isinstance(model, Model)
    with pytest.raises(BadInput, match=r"the model looks ahead: its outputs at the first 3 tokens change .* not causal$"):
        run_recurrent_protocol(model, [0, 1, 2, 3, 4], cut=3)
