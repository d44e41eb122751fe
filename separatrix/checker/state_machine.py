"""Certificates of recurrent models that are right: the model as tables, run on every string at once.

Together with a state profile this says that so many bits are needed, and that they suffice.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from separatrix.checker.fields import exactly, same
from separatrix.checker.functions import LARGEST, bits, function
from separatrix.checker.seal import Refused
from separatrix.checker.state_collision import check_tables

CITES = "bhattamishra2024 Theorem 2"


def check_state_machine(document: dict[str, Any], beside: Path | None) -> None:  # noqa: ARG001
    """Refuse the certificate unless its tables answer every string of the promise."""
    exactly(
        document, "certificate", schema=str, version=int, kind=str, statement=dict, task_parameters=dict, automaton=dict, strings=int,
        state_bits=int, holds=bool, digest=str,
    )  # fmt: skip
    asked = function(document["statement"], document["task_parameters"], CITES)
    automaton = exactly(document["automaton"], "automaton", transitions=list, outputs=list)
    widths = check_tables(automaton["transitions"], automaton["outputs"], asked)
    same(document["state_bits"], max(bits(width) for width in widths), "state_bits")
    if math.prod(len(alphabet) for alphabet in asked.alphabets) > LARGEST:
        raise Refused(f"task_parameters: more than the {LARGEST} strings that are tried")
    level: list[tuple[tuple[int, ...], int]] = [((), 0)]  # every prefix, and the state that it leads to
    for table, alphabet in zip(automaton["transitions"], asked.alphabets, strict=True):
        level = [((*prefix, token), table[state][token - alphabet.start]) for prefix, state in level for token in alphabet]
    strings = 0
    for tokens, state in level:
        answer = asked.answer(tokens)
        if answer is None:
            continue
        strings += 1
        if automaton["outputs"][state] != answer:
            raise Refused(f"automaton: {list(tokens)} is answered with {automaton['outputs'][state]}, the answer is {answer}")
    same(document["strings"], strings, "strings")
    same(document["holds"], True, "holds")
