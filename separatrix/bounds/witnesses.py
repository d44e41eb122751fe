"""What this room proves, as sealed documents that `separatrix check` judges on its own.

A witness is about a function of strings of one length: a task by name, or any function as the table of its answers. Whoever has a
fooling set, a collision or a counterexample of their own certifies it with the same calls.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from separatrix.bounds.communication.matrix import Pair, positions_of
from separatrix.bounds.protocols.protocol import OneLayerModel, run_protocol
from separatrix.bounds.states.answers import Answer, AnswerTable, alphabets_of, tabulate
from separatrix.bounds.states.automaton import LayeredAutomaton
from separatrix.bounds.states.profile import ceil_log2, profile_of_table
from separatrix.checker import sealed
from separatrix.checker.construction import rounded_down
from separatrix.checker.forward import Forward
from separatrix.checker.numbers import numbers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import EMBEDDED, parse_safetensors
from separatrix.errors import BadInput
from separatrix.tasks import Task

Document = dict[str, Any]
Tokens = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Question:
    """A function of token strings under the name and parameters that a certificate gives it."""

    task: str
    parameters: Mapping[str, Any]
    alphabets: tuple[Tokens, ...]
    answer: Answer

    def table(self) -> AnswerTable:
        """Every answer."""
        return tabulate(self.answer, self.alphabets)


def question_of_task(task: Task) -> Question:
    """A task by its name; the answer is read at the last token."""
    if not task.alphabets():
        raise BadInput(f"{task.name} does not say which tokens may stand where: certify it as a table")
    return Question(task.name, task.parameters, tuple(tuple(alphabet) for alphabet in task.alphabets()), task.answer)


def question_of_function(answer: Answer, alphabet: str | Iterable[Any], length: int) -> Question:
    """Any function with whole-number or true/false answers, as a table over the places of its symbols in their alphabets."""
    alphabets = alphabets_of(alphabet, length)
    table = tabulate(answer, alphabets)
    if not all(isinstance(value, int | np.integer | np.bool_) for value in table.values):
        raise BadInput(f"a certified function has whole numbers or truth values as answers, found {table.values!r:.80}")
    values = [int(value) for value in table.values]  # type: ignore[call-overload]
    answers = [None if code < 0 else values[code] for code in table.codes.tolist()]
    sizes = tuple(len(symbols) for symbols in alphabets)

    def looked_up(tokens: tuple[Any, ...]) -> int | None:
        return answers[int(np.ravel_multi_index(tokens, sizes))]

    return Question("table", {"sizes": list(sizes), "answers": answers}, tuple(tuple(range(size)) for size in sizes), looked_up)


def certify_fooling_set(question: Question, alice: Iterable[int], pairs: Sequence[Pair], value: int) -> Document:
    """A fooling set: any protocol for the function over this partition exchanges at least `bits` bits.

    [bhattamishra2024 Definition 1; bhattamishra2024 Fact 4]
    """
    positions = positions_of(alice, len(question.alphabets))
    rectangles = len(pairs) + (len(pairs) > 1)  # where two pairs fool, a crossed input has another answer
    return _sealed(
        "fooling-set",
        "bhattamishra2024 Fact 4",
        question,
        {
            "alice": list(positions),
            "value": int(value),
            "pairs": [[[int(s) for s in half] for half in pair] for pair in pairs],
            "size": len(pairs),
            "rectangles": rectangles,
            "bits": ceil_log2(rectangles),
        },
    )


def certify_profile(question: Question) -> Document:
    """The states that any recurrent model needs after each token; where every string is valid, they are also enough.

    [bhattamishra2024 Theorem 2]
    """
    table = question.table()
    profile = profile_of_table(table.codes, table.sizes)
    total = bool((table.codes >= 0).all())
    found = {"classes": list(profile.classes), "bits": profile.bits, "total": total}
    return _sealed("state-profile", "bhattamishra2024 Theorem 2", question, found)


def certify_counterexample(question: Question, config: Mapping[str, Any], weights: bytes, tokens: Sequence[int]) -> Document:
    """An input on which a Transformer, read at the last token, is wrong."""
    try:
        forward = Forward(dict(config), parse_safetensors(weights), numbers(str(config.get("arithmetic"))))
        logits = forward.logits(np.array(tokens, dtype=np.int64), [len(tokens) - 1])[0]
    except Refused as error:
        raise BadInput(str(error)) from error
    expected, said = question.answer(tuple(tokens)), int(logits.argmax())
    if not isinstance(expected, int) or not 0 <= expected < len(logits) or said == expected:
        raise BadInput(f"a counterexample is an input on which the model is wrong: it says {said}, the answer is {expected}")
    gap, scale = logits[said] - logits[expected], forward.numbers.scale
    return _sealed(
        "counterexample",
        "",
        question,
        {
            **_model(config, weights),
            "tokens": [int(token) for token in tokens],
            "said": said,
            "expected": expected,
            "margin": rounded_down(float(gap), forward.numbers.bits) if scale is None else int(gap) / scale,
        },
    )


def certify_transcript_collision(question: Question, model: OneLayerModel, alice: Iterable[int], x: Tokens, y: Tokens) -> Document:
    """Two inputs on which a one-layer model sends the same bits, though they and the inputs crossed from them need two answers.

    [bhattamishra2024 Theorem 4]
    """
    positions = positions_of(alice, len(question.alphabets))
    crossed = crossed_inputs(x, y, positions)
    transcript = run_protocol(model, x, positions).transcript
    return _sealed(
        "transcript-collision",
        "bhattamishra2024 Theorem 4",
        question,
        {
            **_model(model.config, model.weights),
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


def certify_state_collision(question: Question, automaton: LayeredAutomaton, prefixes: tuple[Tokens, Tokens], suffix: Tokens) -> Document:
    """Two prefixes after which a recurrent model is in one state, though the suffix needs two answers.

    [bhattamishra2024 Theorem 2]
    """
    strings = [(*prefix, *suffix) for prefix in prefixes]
    return _sealed(
        "state-collision",
        "bhattamishra2024 Theorem 2",
        question,
        {
            "automaton": {"transitions": [table.tolist() for table in automaton.transitions], "outputs": list(automaton.outputs)},
            "prefixes": [list(prefix) for prefix in prefixes],
            "suffix": list(suffix),
            "state": automaton.states(strings[0])[len(prefixes[0])],
            "said": automaton.run(strings[0]),
            "expected": [question.answer(tokens) for tokens in strings],
            "state_bits": automaton.bits,
        },
    )


def certify_state_machine(question: Question, automaton: LayeredAutomaton) -> Document:
    """A recurrent model, as tables, that answers every string: so many bits of state suffice.

    [bhattamishra2024 Theorem 2]
    """
    if automaton.alphabets != question.alphabets:
        raise BadInput("the model and the task must read the same tokens at every place")
    filled = [np.maximum(table, 0).tolist() for table in automaton.transitions]  # -1 is where no string of the promise goes
    tables = {"transitions": filled, "outputs": list(automaton.outputs)}
    strings = int((question.table().codes >= 0).sum())
    found = {"automaton": tables, "strings": strings, "state_bits": automaton.bits}
    return _sealed("state-machine", "bhattamishra2024 Theorem 2", question, found)


def crossed_inputs(x: Tokens, y: Tokens, alice: Sequence[int]) -> tuple[Tokens, Tokens]:
    """Alice's tokens of x with Bob's of y, and the other way round."""
    held = set(alice)
    mixed = tuple(a if i in held else b for i, (a, b) in enumerate(zip(x, y, strict=True)))
    return mixed, tuple(b if i in held else a for i, (a, b) in enumerate(zip(x, y, strict=True)))


def _model(config: Mapping[str, Any], weights: bytes) -> Document:
    if len(weights) > EMBEDDED:
        raise BadInput(f"a witness embeds its weights: expected at most {EMBEDDED} bytes, found {len(weights)}")
    plain = json.loads(json.dumps(config))  # tuples as lists, as JSON has them
    stored = {"base64": base64.b64encode(weights).decode(), "sha256": hashlib.sha256(weights).hexdigest()}
    return {"arithmetic": plain["arithmetic"], "model": {"class": "transformer", "config": plain}, "weights": stored}


def _sealed(kind: str, cites: str, question: Question, fields: Document) -> Document:
    statement = {"cites": cites, "task": question.task}
    head = {"schema": "separatrix/certificate", "version": 1, "kind": kind, "statement": statement}
    return sealed({**head, "task_parameters": dict(question.parameters), **fields, "holds": True})
