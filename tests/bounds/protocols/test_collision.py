"""Small models refuted: inputs that they must confuse, found and certified."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from separatrix.bounds.communication.dyck_split import split_words
from separatrix.bounds.protocols.collision import (
    certify_transcript_collision,
    fooling_inputs,
    state_collision,
    tables_of,
    transcript_collision,
)
from separatrix.bounds.protocols.protocol import run_protocol
from separatrix.bounds.question import question_of_function, question_of_task
from separatrix.bounds.states.automaton import layered_automaton
from separatrix.bounds.witnesses import certify_state_collision
from separatrix.checker import check_document
from separatrix.errors import BadInput
from separatrix.tasks import make_task
from tests.bounds.small_models import place, random_model

BRACKETS = {"(": 0, "[": 1, ")": 2, "]": 3}


def dyck_inputs(N: int) -> list[tuple[int, ...]]:
    pairs = [tuple(tuple(BRACKETS[b] for b in half) for half in pair) for pair in split_words(N)]
    return fooling_inputs(pairs, range(0, N, 2))  # type: ignore[arg-type]


def test_the_fooling_inputs_of_dyck_are_all_its_words() -> None:
    task = make_task("dyck", length=6)
    assert sorted(dyck_inputs(6)) == [x for x in product(range(4), repeat=6) if task.answer(x) == 1]


@pytest.mark.parametrize("seed", range(8))
def test_a_model_of_five_bits_confuses_words_of_dyck(seed: int) -> None:
    """Four inputs, one transcript, one answer, and at least one of them wrong; the crossed inputs are run to see it."""
    question = question_of_task(make_task("dyck", length=8))
    model = random_model(np.random.default_rng(seed), 5, 1, 1.5, targets_two=True, embedding={"plain": 4, "places": [place("sign", 2, 3)]})
    collision = transcript_collision(model, question, range(0, 8, 2), dyck_inputs(8))
    assert collision is not None
    assert collision.tried <= 128
    for tokens in (collision.x, collision.y, *collision.crossed):
        again = run_protocol(model, tokens, range(0, 8, 2)).transcript
        assert again == collision.transcript
        assert model.says(tokens) == collision.transcript.answer
    assert collision.expected[:2] == (1, 1)
    assert 0 in collision.expected[2:]
    assert collision.wrong
    for tokens in collision.wrong:
        assert model.says(tokens) != question.answer(tokens)
    verdict = check_document(certify_transcript_collision(question, model, range(0, 8, 2), collision.x, collision.y))
    assert verdict.holds, verdict.reason


@pytest.mark.parametrize("attention", ["softmax", "uniform", "hard"])
@pytest.mark.parametrize(("p", "f"), [(4, 0), (6, 3), (40, 2)])
def test_collisions_of_every_attention_are_accepted_by_the_checker(attention: str, p: int, f: int) -> None:
    question = question_of_task(make_task("equality", length=12))
    pairs = [(half, half) for half in product(range(2), repeat=6)]
    inputs, certified = fooling_inputs(pairs, range(6)), 0
    for seed in range(6):
        model = random_model(
            np.random.default_rng(seed), p, f, 1.0, targets_two=True, layer={"attention": attention}, embedding={"plain": 2}
        )
        collision = transcript_collision(model, question, range(6), inputs)
        if collision is not None:
            verdict = check_document(certify_transcript_collision(question, model, range(6), collision.x, collision.y))
            assert verdict.holds, verdict.reason
            certified += 1
    assert certified >= 2


def test_with_more_inputs_than_transcripts_there_is_always_a_collision() -> None:
    """One head of width 1 at fixed:2,0 sends 1 + 4 + 2 * 4 + 2 + 1 bits, of which uniform attention sends 1 + 2 + 1: 16 transcripts."""
    question = question_of_task(make_task("equality", length=10))
    pairs = [(half, half) for half in product(range(2), repeat=5)]
    for seed in range(12):
        layer = {"attention": "uniform", "heads": 1, "value_width": 1}
        model = random_model(np.random.default_rng(seed), 2, 0, 1.0, targets_two=True, layer=layer, embedding={"plain": 2, "places": []})
        assert transcript_collision(model, question, range(5), fooling_inputs(pairs, range(5))) is not None


def six_bits(kind: str) -> Any:
    """Recurrent models with 64 states that read bits and then an index."""

    def shift_register(t: int, state: int, token: int) -> int:
        return (2 * state + token) % 64 if t < 7 else (state >> min(5, 8 - token)) & 1

    def scrambled(t: int, state: int, token: int) -> int:
        return (state * 37 + 11 * token + 5 * t * state * state + 3) % 64

    return {"shift": shift_register, "scrambled": scrambled}[kind]


@pytest.mark.parametrize("kind", ["shift", "scrambled"])
def test_a_six_bit_recurrent_model_is_refuted_on_index_lookup_at_seven(kind: str) -> None:
    question = question_of_task(make_task("index-lookup", length=7, symbols=2))
    automaton = tables_of(six_bits(kind), lambda state: state % 2, 0, question.alphabets)
    assert automaton.bits <= 6
    collision = state_collision(automaton, question)
    assert collision is not None
    x, y = ((*prefix, *collision.suffix) for prefix in collision.prefixes)
    assert automaton.run(x) == automaton.run(y) == collision.predicted
    assert (question.answer(x), question.answer(y)) == collision.expected
    assert collision.expected[0] != collision.expected[1]
    verdict = check_document(certify_state_collision(question, automaton, collision.prefixes, collision.suffix))
    assert verdict.holds, verdict.reason


def test_seven_bits_are_not_refuted() -> None:
    question = question_of_task(make_task("index-lookup", length=7, symbols=2))
    automaton = layered_automaton(question.answer, question.alphabets, 8)
    assert automaton.bits == 7
    assert state_collision(automaton, question) is None


def test_a_promise_leaves_room_and_only_real_clashes_count() -> None:
    """Two strings of one state, one of them outside the promise, are no collision."""
    question = question_of_function(lambda x: x[1] if x[0] else None, [0, 1], 2)
    forgetful = tables_of(lambda *step: step[2], lambda s: s, 0, question.alphabets)
    assert state_collision(forgetful, question) is None
    constant = tables_of(lambda *_: 0, lambda s: s, 0, question.alphabets)
    collision = state_collision(constant, question)
    assert collision is not None
    assert collision.prefixes == ((1, 0), (1, 1))


def test_models_that_do_not_fit_are_refused_in_one_line() -> None:
    question = question_of_task(make_task("equality", length=4))
    other = tables_of(lambda *_: 0, lambda *_: 0, 0, ((0, 1),) * 3)
    with pytest.raises(BadInput, match=r"^the model and the task must read the same tokens at every place$"):
        state_collision(other, question)
    with pytest.raises(BadInput, match=r"^the model's tables have more than 2,097,152 entries after \d+ tokens: expected fewer states$"):
        tables_of(lambda *step: 1000 * step[1] + step[2], lambda *_: 0, 1, (range(1000),) * 3)
