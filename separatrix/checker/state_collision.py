"""Certificates of state collisions: two prefixes that lead a recurrent model to one state, and a suffix that needs two answers.

The model is given as tables, one per token: [state][place of the token in its alphabet] -> next state, and an output for each last state.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.fields import exactly, same, within
from separatrix.checker.functions import LARGEST, Function, alike, bits, function, string, whole
from separatrix.checker.seal import Refused

CITES = "bhattamishra2024 Theorem 2"


def check_state_collision(document: dict[str, Any], beside: Path | None) -> None:  # noqa: ARG001
    """Refuse the certificate unless the model reaches one state by both prefixes and is wrong after one of them."""
    exactly(
        document, "certificate", schema=str, version=int, kind=str, statement=dict, task_parameters=dict, automaton=dict, prefixes=list,
        suffix=list, state=int, said=int, expected=list, state_bits=int, holds=bool, digest=str,
    )  # fmt: skip
    asked = function(document["statement"], document["task_parameters"], CITES)
    automaton = exactly(document["automaton"], "automaton", transitions=list, outputs=list)
    widths = check_tables(automaton["transitions"], automaton["outputs"], asked)
    same(document["state_bits"], max(bits(width) for width in widths), "state_bits")
    prefixes, suffix, n = document["prefixes"], document["suffix"], len(asked.alphabets)
    if len(prefixes) != 2 or len(suffix) > n or not all(isinstance(x, list) and len(x) == n - len(suffix) for x in prefixes):
        raise Refused(f"prefixes: expected two of them, {n} tokens each with the suffix")
    strings = [string([*prefix, *suffix], asked.alphabets, "prefixes") for prefix in prefixes]
    expected = [asked.answer(tokens) for tokens in strings]
    if None in expected:
        raise Refused("suffix: one of the two inputs lies outside the promise")
    alike(document["expected"], expected, "expected")
    passed = [run(automaton["transitions"], tokens, asked) for tokens in strings]
    cut = n - len(suffix)
    for states in passed:
        same(document["state"], states[cut], "state")
        same(document["said"], automaton["outputs"][states[-1]], "said")
    if expected[0] == expected[1]:
        raise Refused("expected: one answer is right for both inputs")
    same(document["holds"], True, "holds")


def check_tables(transitions: list[Any], outputs: list[Any], asked: Function) -> list[int]:
    """The number of states after each token, of tables [token][state][place in the alphabet] that fit together; state 0 is the first."""
    if len(transitions) != len(asked.alphabets):
        raise Refused(f"automaton.transitions: expected {len(asked.alphabets)} tables, found {len(transitions)}")
    widths = [len(table) if isinstance(table, list) else 0 for table in [*transitions, outputs]]
    if min(widths) < 1 or widths[0] != 1:
        raise Refused("automaton: expected one state before the first token, and some after each")
    within(sum(width * len(alphabet) for width, alphabet in zip(widths, asked.alphabets, strict=False)), 1, LARGEST, "automaton")
    for t, table in enumerate(transitions):
        for row in table:
            if not isinstance(row, list) or len(row) != len(asked.alphabets[t]):
                raise Refused(f"automaton.transitions: expected {len(asked.alphabets[t])} next states after each state, at token {t}")
            for state in row:
                within(whole(state, "automaton.transitions"), 0, widths[t + 1] - 1, "automaton.transitions")
    for value in outputs:
        whole(value, "automaton.outputs")
    return widths


def run(transitions: list[Any], tokens: tuple[int, ...], asked: Function) -> list[int]:
    """The states passed, from the first on."""
    states = [0]
    for table, token, alphabet in zip(transitions, tokens, asked.alphabets, strict=True):
        states.append(table[states[-1]][token - alphabet.start])
    return states
