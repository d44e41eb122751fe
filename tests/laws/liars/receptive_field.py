"""Lies about what a stack cannot see: inputs that differ in sight, answers that are not due, layers that see more than they say."""

from __future__ import annotations

from tests.checker.kinds.witnesses import receptive_field as honest
from tests.laws.liars.lie import Document, at, changed, made

BITS = [0, 1, 1, 0, 1, 0, 0, 1]


def both(document: Document) -> Document:
    """One input twice."""
    x = document["inputs"][0]
    return {**document, "inputs": [x, x], "expected": [document["expected"][0]] * 2}


def two_changes(document: Document) -> Document:
    """Two bits out of sight differ, after which one answer is right for both."""
    return {**document, "inputs": [[*BITS, 2], [1, 0, *BITS[2:], 2]], "expected": [1, 1]}


LIES = (
    at(honest, "a bit in sight may differ", "they differ within the 5 tokens", "inputs", 1, 5, value=1),
    changed(honest, "a deep stack sees no more than a shallow one", "they differ within the 17 tokens", stack=[3] * 8),
    changed(honest, "a layer sees less than itself", "stack: expected 1..", stack=[3, 0]),
    changed(honest, "a stack of no layers", "stack: expected 1..1024, found 0", stack=[]),
    changed(honest, "half a token more", "stack: expected a whole number", stack=[3, 2.5]),
    made(honest, "an input differs from itself", "expected: one answer is right for both inputs", both),
    made(honest, "what differs needs two answers", "expected: one answer is right for both", two_changes),
    changed(honest, "the answers are the other way round", "expected: the certificate says 0", expected=[0, 1]),
    changed(honest, "three answers are due", "expected: expected two answers, found 3", expected=[1, 0, 1]),
    changed(honest, "an answer is due in the middle", "position: nothing is due at 4", position=4, stack=[1]),
    changed(honest, "it is read beyond the end", "position: expected 0..8, found 9", position=9),
    changed(honest, "one input is a pair", "inputs: expected two, found 1", inputs=[[*BITS, 2]]),
    changed(honest, "a word needs no end", "inputs: token 1 is not one of 2..2", inputs=[[*BITS, 1], [1, *BITS[1:], 1]]),
    at(honest, "it is about longer words", "inputs: expected 13 tokens", "claim", "parameters", "length", value=12),
    changed(honest, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
)
