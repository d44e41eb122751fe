"""Certificates of what a stack cannot see: two inputs that are equal on all that it sees of them, and need two answers.

`stack` lists the tokens that each layer sees, itself included: the window of attention, or the taps of a convolution. The output at a token
is a function of the tokens as far back as the sum of what each layer sees besides itself, and of their places; so no such model is right
on both inputs, whatever its width, its precision and its weights. It answers at a token of the input, without writing anything first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, string, whole, within
from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, counted, number
from separatrix.checker.specs import Spec, task_of

FIELDS: dict[str, Any] = {"claim": dict, "stack": list, "inputs": list, "position": int, "expected": list}
LAYERS, SEEN = 1 << 10, 1 << 30
LONGEST = 1 << 16  # tokens
WORK = 1 << 10  # for each token of an input


def judge(document: dict[str, Any], _beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless both inputs look the same from `position` and need different answers there."""
    task = task_of(document["claim"])
    if task.decoder not in ("position", "positions") or task.vectors:
        raise Refused(f"claim: {task.name} is answered after a chain; a stack is about an answer at a token of the input")
    if task.several_lengths:
        raise Refused(f"claim: a witness is about inputs of one length, found {task.title}")
    within(task.tokens, 1, LONGEST, "tokens")
    budget.allow(2 * (WORK + task.answering) * task.tokens, 200 * task.tokens)
    within(len(document["stack"]), 1, LAYERS, "stack")
    reach = sum(within(whole(seen, "stack"), 1, SEEN, "stack") - 1 for seen in document["stack"])
    if len(document["inputs"]) != 2:
        raise Refused(f"inputs: expected two, found {len(document['inputs'])}")
    inputs = [string(tokens, task.alphabets, "inputs") for tokens in document["inputs"]]
    position = within(document["position"], 0, task.tokens - 1, "position")
    first = max(0, position - reach)
    if inputs[0][first : position + 1] != inputs[1][first : position + 1]:
        raise Refused(f"inputs: they differ within the {reach + 1} tokens that the stack sees at position {position}")
    answers = [answer_at(task, tokens, position) for tokens in inputs]
    if len(document["expected"]) != 2:
        raise Refused(f"expected: expected two answers, found {len(document['expected'])}")
    for claimed, due in zip(document["expected"], answers, strict=True):
        require_equal(claimed, due, "expected")
    if answers[0] == answers[1]:
        raise Refused("expected: one answer is right for both inputs")
    layers = counted(len(document["stack"]), "layer")
    sentence = (
        f"{task.title}: no model of {layers} that sees {number(reach + 1)} tokens in all is right on both of two inputs, "
        "whatever its width, precision and weights"
    )
    text = f"they are equal on tokens {number(first)}..{number(position)}, where {answers[0]} and {answers[1]} are due"
    return Shown(sentence, "proven", ({"kind": "pair", "text": text},))


def answer_at(task: Spec, tokens: tuple[int, ...], position: int) -> int:
    """The answer that is due at a position of an input."""
    if task.truth(tokens) is None:
        raise Refused("inputs: one of them lies outside the promise")
    due = task.asked(arrays.integers(tokens))[1]
    if position not in due:
        raise Refused(f"position: nothing is due at {position}")
    return due[position]
