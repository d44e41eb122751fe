"""Inputs that a small model must confuse, found by running it as a protocol: equal messages, but different answers needed.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 4; bhattamishra2024 Fact 4]

A recurrent model that reaches one state from two prefixes gives the same answer after every suffix. A one-layer Transformer that sends
the same bits on two inputs also sends them on both crossed inputs, and gives all four the same answer. With fewer bits than the task
needs such inputs must exist; this module finds them in any model, and each is a witness that can be certified.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.communication.dialogues import Transcript
from separatrix.bounds.communication.matrix import Pair, positions_of
from separatrix.bounds.protocols.protocol import OneLayerModel, run_protocol
from separatrix.bounds.question import Document, Question, Tokens
from separatrix.bounds.states.answers import Alphabets, string_at
from separatrix.bounds.states.automaton import LayeredAutomaton
from separatrix.bounds.witnesses import crossed_inputs, sealed_witness
from separatrix.checker.weights import EMBEDDED
from separatrix.errors import BadInput

MOST_ENTRIES = 1 << 21  # entries of the tables of one model


@dataclass(frozen=True)
class TranscriptCollision:
    """Two inputs with one transcript, the two crossed inputs, and the right answers of all four."""

    x: Tokens
    y: Tokens
    crossed: tuple[Tokens, Tokens]
    transcript: Transcript
    expected: tuple[Hashable, ...]  # of x, y and both crossed inputs; None outside the promise
    tried: int  # inputs on which the protocol ran

    @property
    def wrong(self) -> tuple[Tokens, ...]:
        """The inputs among the four that the model gets wrong; at least one."""
        four = zip((self.x, self.y, *self.crossed), self.expected, strict=True)
        return tuple(tokens for tokens, right in four if right is not None and right != self.transcript.answer)


@dataclass(frozen=True)
class StateCollision:
    """Two prefixes with one state, and a suffix after which they need different answers."""

    prefixes: tuple[Tokens, Tokens]
    suffix: Tokens
    state: int
    predicted: Hashable
    expected: tuple[Hashable, Hashable]


def fooling_inputs(pairs: Iterable[Pair], alice: Sequence[int]) -> list[Tokens]:
    """The inputs of a fooling set, from the pairs of Alice's and Bob's tokens."""
    inputs = []
    for a, b in pairs:
        alice_tokens = dict(zip(sorted(alice), a, strict=True))
        rest = iter(b)
        inputs.append(tuple(alice_tokens[i] if i in alice_tokens else next(rest) for i in range(len(a) + len(b))))
    return inputs


def transcript_collision(
    model: OneLayerModel, question: Question, alice: Iterable[int], inputs: Iterable[Tokens]
) -> TranscriptCollision | None:
    """The first two inputs that share a transcript although they and their crossed inputs need two answers; None if no two do.

    [bhattamishra2024 Theorem 4]

    On a fooling set with more inputs than the model has transcripts the result cannot be None.
    """
    positions = positions_of(alice, len(question.alphabets))
    by_transcript: dict[tuple[str, ...], list[Tokens]] = {}
    for tried, y in enumerate(inputs, start=1):
        transcript = run_protocol(model, y, positions).transcript
        earlier = by_transcript.setdefault(tuple(message.bits for message in transcript.messages), [])
        for x in earlier:
            crossed = crossed_inputs(x, y, positions)
            expected = tuple(question.answer(tokens) for tokens in (x, y, *crossed))
            if len({answer for answer in expected if answer is not None}) > 1:
                return TranscriptCollision(x, y, crossed, transcript, expected, tried)
        earlier.append(y)
    return None


def tables_of(
    step: Callable[[int, Any, Any], Hashable], output: Callable[[Any], Hashable], initial: Hashable, alphabets: Alphabets
) -> LayeredAutomaton:
    """Any recurrent model with few states as tables: step(t, state, token) is the state after token number t, counted from 0."""
    layer: dict[Hashable, int] = {initial: 0}
    transitions: list[NDArray[np.int64]] = []
    entries = 0
    for t, symbols in enumerate(alphabets):
        entries += len(layer) * len(symbols)
        if entries > MOST_ENTRIES:
            raise BadInput(f"the model's tables have more than {MOST_ENTRIES:,} entries after {t + 1} tokens: expected fewer states")
        following: dict[Hashable, int] = {}
        rows = [[following.setdefault(step(t, state, symbol), len(following)) for symbol in symbols] for state in layer]
        transitions.append(np.array(rows, dtype=np.int64))
        layer = following
    return LayeredAutomaton(alphabets, tuple(transitions), tuple(output(state) for state in layer))


def state_collision(automaton: LayeredAutomaton, question: Question) -> StateCollision | None:
    """Two shortest prefixes that the model confuses, and the first suffix that separates them; None if there are none.

    [bhattamishra2024 Theorem 2]

    For a model with fewer states than the profile has classes after some token the result cannot be None.
    """
    if automaton.alphabets != question.alphabets:
        raise BadInput("the model and the task must read the same tokens at every place")
    table = question.table()
    states = np.zeros(1, dtype=np.int64)  # of every prefix of t tokens, in row-major order
    for t in range(len(table.sizes) + 1):
        clash = _first_clash(table.codes.reshape(len(states), -1), states)
        if clash is not None:
            *pair, column = clash
            prefixes = (string_at(pair[0], table.alphabets[:t]), string_at(pair[1], table.alphabets[:t]))
            suffix = string_at(column, table.alphabets[t:])
            expected = (question.answer(prefixes[0] + suffix), question.answer(prefixes[1] + suffix))
            return StateCollision(prefixes, suffix, int(states[pair[0]]), automaton.run(prefixes[0] + suffix), expected)
        if t < len(table.sizes):
            states = automaton.transitions[t][states].ravel()
            if int(states.min()) < 0:
                raise BadInput(f"the model has no state after {t + 1} tokens of some string: expected tables without holes")
    return None


def _first_clash(rows: NDArray[np.integer[Any]], states: NDArray[np.int64]) -> tuple[int, int, int] | None:
    """Two rows of one state that differ where both are known, and the column; the known entries of a state are collected row by row."""
    known: dict[int, NDArray[np.integer[Any]]] = {}
    giver: dict[int, NDArray[np.int64]] = {}  # the row that each entry came from
    for row, state in enumerate(states.tolist()):
        codes = rows[row]
        if state not in known:
            known[state], giver[state] = codes.copy(), np.full(len(codes), row)
            continue
        clash = (codes >= 0) & (known[state] >= 0) & (codes != known[state])
        if clash.any():
            column = int(clash.argmax())
            return int(giver[state][column]), row, column
        fresh = (codes >= 0) & (known[state] < 0)
        known[state][fresh], giver[state][fresh] = codes[fresh], row
    return None


def certify_transcript_collision(
    question: Question, model: OneLayerModel, alice: Iterable[int], x: Tokens, y: Tokens, cites: str = "bhattamishra2024 Theorem 4"
) -> Document:
    """Two inputs on which a one-layer model sends the same bits although they and their crossed inputs need two answers.

    [bhattamishra2024 Theorem 4]
    """
    if len(model.weights) > EMBEDDED:
        raise BadInput(f"a witness embeds its weights: expected at most {EMBEDDED} bytes, found {len(model.weights)}")
    positions = positions_of(alice, len(question.alphabets))
    crossed = crossed_inputs(x, y, positions)
    transcript = run_protocol(model, x, positions).transcript
    return sealed_witness(
        "transcript-collision",
        question,
        {
            "cites": cites,
            "program": {"model": json.loads(json.dumps(model.model)), "decoder": {"kind": "position"}},  # tuples as lists
            "weights": {"base64": base64.b64encode(model.weights).decode(), "sha256": hashlib.sha256(model.weights).hexdigest()},
            "alice": list(positions),
            "x": list(x),
            "y": list(y),
            "crossed": [list(tokens) for tokens in crossed],
            "transcript": [message.bits for message in transcript.messages],
            "bits": transcript.bits,
            "said": transcript.answer,
            "expected": [question.answer(tokens) for tokens in (x, y, *crossed)],
        },
    )
