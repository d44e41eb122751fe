"""Inputs that a real model must confuse: two prefixes with one state, or four inputs with one transcript, each as a certificate.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 4]

A search over all inputs of one length: where it finds nothing there is nothing to find, and the report says how much it looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from separatrix.bounds.communication.matrix import matrix_of_table, positions_of
from separatrix.bounds.limits import require_answers
from separatrix.bounds.protocols.collision import (
    certify_transcript_collision,
    fooling_inputs,
    state_collision,
    tables_of,
    transcript_collision,
)
from separatrix.bounds.protocols.protocol import one_layer_model
from separatrix.bounds.question import Document, Question, question_for
from separatrix.bounds.witnesses import certify_state_collision
from separatrix.errors import BadInput
from separatrix.models.model import Model
from separatrix.models.saved import describe, weights_bytes
from separatrix.refuters.recurrent_protocol import as_machine
from separatrix.tasks import Task

MOST_STRINGS = 1 << 14  # of a task; the model may read as many prefixes, one token at a time


@dataclass(frozen=True)
class CollisionSearch:
    """The certificate of a collision, or None, and what was looked at."""

    certificate: Document | None
    tried: dict[str, int]

    def document(self) -> Document:
        """The result as JSON: the certificate itself, or that there is none."""
        return {"found": False, "tried": self.tried} if self.certificate is None else self.certificate


def colliding_prefixes(model: Model, task: Task) -> CollisionSearch:
    """Two prefixes after which the model is in one state although a suffix needs two answers, over all inputs of the task.

    [bhattamishra2024 Theorem 2]

    A model with fewer states than the task's profile has classes cannot escape. One that remembers enough may still answer wrongly:
    `tried` says on how many inputs.
    """
    question = _question(model, task)
    machine, output, initial = as_machine(model, len(question.alphabets))

    def step(t: int, state: bytes, token: int) -> bytes:
        return machine(t, state, _token(question, t, token))

    automaton = tables_of(step, output, initial, question.alphabets)
    collision = state_collision(automaton, question)
    strings = [string for string in product(*question.alphabets) if question.answer(string) is not None]
    wrong = sum(automaton.run(string) != question.answer(string) for string in strings)
    tried = {"inputs": len(strings), "states": max(len(table) for table in automaton.transitions), "wrong answers": wrong}
    if collision is None or not collision.suffix:  # two whole inputs with one answer are a mistake, and no collision of states
        return CollisionSearch(None, tried)
    return CollisionSearch(certify_state_collision(question, automaton, collision.prefixes, collision.suffix), tried)


def colliding_transcripts(model: Model, task: Task, alice: Iterable[int]) -> CollisionSearch:
    """Two inputs on which a one-layer model in fixed point sends the same bits although they, or those crossed from them, need two answers.

    [bhattamishra2024 Theorem 4]

    The inputs tried are those of a largest fooling set over the partition.
    """
    question = _question(model, task)
    positions = positions_of(alice, len(question.alphabets))
    exact = one_layer_model(describe(model), weights_bytes(model))
    if question.symbols != question.alphabets:
        raise BadInput(f"{task.name}: transcripts are compared on a task that the checker knows by its name, at inputs of one length")
    fooling = matrix_of_table(question.table(), positions).fooling_set()
    inputs = fooling_inputs(fooling.pairs, positions)
    collision = transcript_collision(exact, question, positions, inputs)
    tried = {"fooling inputs": len(inputs)}
    if collision is None:
        return CollisionSearch(None, tried)
    return CollisionSearch(certify_transcript_collision(question, exact, positions, collision.x, collision.y), tried)


def _question(model: Model, task: Task) -> Question:
    """The task as a certificate names it; refuses a task or a model that no search can serve."""
    require_answers(task, MOST_STRINGS, "a search for collisions")
    where = f"{task.name} at length {task.length}"
    largest = max(max(alphabet) for alphabet in task.alphabets())
    vocabulary = model.config.embedding.vocabulary
    if largest >= vocabulary:
        raise BadInput(f"{where} has tokens up to {largest}, and the model reads 0..{vocabulary - 1}")
    tokens = len(task.alphabets())
    if 0 < model.config.length < tokens:
        raise BadInput(f"{where} has {tokens} tokens, and the model reads at most {model.config.length}")
    return question_for(task)


def _token(question: Question, t: int, token: int) -> Any:
    """The id that the model reads; a certificate by table names it by its place in the alphabet of its position."""
    return question.symbols[t][question.alphabets[t].index(token)]
