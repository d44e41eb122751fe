"""Lies about periods: words that do not count, cycles that are not closed, sizes that are not those of the stack."""

from __future__ import annotations

from functools import partial

from tests.checker.kinds.witnesses import fresh
from tests.laws.liars.lie import Lie, at, changed

PERIOD, STACK = partial(fresh, "period"), partial(fresh, "period_of_a_stack")

LIES = (
    changed(PERIOD, "a word that ends in one state counts", "p: expected 2 blocks to lead back", u=[1]),
    changed(PERIOD, "it counts modulo 3", "p: expected 3 blocks to lead back", p=3, answers=[1, 0, 1]),
    changed(PERIOD, "it counts modulo 4", "lead back to the state after x, and no fewer", p=4, answers=[1, 0, 1, 0]),
    changed(PERIOD, "one block is a period", "p: expected 2..65536, found 1", p=1, answers=[1]),
    changed(PERIOD, "odd numbers are members", "answers[0]: the certificate says 0, recomputation gives 1", answers=[0, 1]),
    changed(PERIOD, "one answer is a period", "answers: expected 2 items, found 1", answers=[1]),
    changed(PERIOD, "the end does not matter", "answers: all are equal", y=[0], answers=[0, 0]),
    changed(PERIOD, "the empty word counts", "u: expected at least one symbol", u=[]),
    changed(PERIOD, "there is a third letter", "x: expected 0..1, found 2", x=[2]),
    changed(PERIOD, "letters are texts", "y: expected a whole number, found str", y=["b"]),
    changed(PERIOD, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    changed(PERIOD, "any stack fails soon", "blocks: the certificate says 5", blocks=5, longest=8),
    changed(STACK, "the stack fails sooner", "blocks: the certificate says 12, recomputation gives 13", blocks=12, longest=15),
    changed(STACK, "the word is shorter", "longest: the certificate says 15, recomputation gives 16", longest=15),
    at(STACK, "one window is enough", "stack.windows: expected one for each of 3 layers, found 1", "stack", "windows", value=[1]),
    at(STACK, "a window of nothing", "stack.windows: expected 1..65536, found 0", "stack", "windows", value=[1, 4, 0]),
    at(STACK, "no layer at all", "stack.layers: expected 1..65536, found 0", "stack", "layers", value=0),
    at(STACK, "a format has fewer numbers", "recomputation gives 25", "stack", "numbers", value="fixed:3,0"),
    at(STACK, "a format that nobody knows", "the checker does not know the arithmetic 'int8'", "stack", "numbers", value="int8"),
    at(PERIOD, "a star-free language counts", "p: expected 2 blocks to lead back", "claim", "parameters", "language", value="ba*b"),
    at(PERIOD, "another task is the language", "claim.task: the certificate says 'parity'", "claim", "task", value="parity"),
    Lie(
        "the stack does not matter",
        lambda: {**STACK(), "stack": None, "blocks": None, "longest": None},
        STACK,
        shows="an automaton's language: no stack of monotone coordinates, of any width and depth and in any finite number format, "
        "recognises it at all lengths: it counts 'a' modulo 2",
        without=("fail on",),
    ),
)  # fmt: skip
