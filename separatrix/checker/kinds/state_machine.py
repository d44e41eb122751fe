"""Certificates of recurrent models that are right: the model as tables, run on every string at once.

Together with a state profile this shows that its bits are necessary and sufficient. States that no string of the promise visits are
not counted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal
from separatrix.checker.kinds.state_collision import Tables, read_tables
from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, number
from separatrix.checker.specs import Spec, function
from separatrix.checker.specs.answers import all_answers
from separatrix.checker.specs.counts import bits, in_bits

FIELDS: dict[str, Any] = {"claim": dict, "automaton": dict, "strings": int, "state_bits": int}


def judge(document: dict[str, Any], _beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless its tables answer every string of the promise."""
    task = function(document["claim"])
    tables = read_tables(document["automaton"], task, budget)
    answers = all_answers(task, budget)
    if len({*answers} - {None}) < 2:
        raise Refused("claim: every input has the same answer, so nothing is shown")
    strings = sum(answer is not None for answer in answers)
    require_equal(document["strings"], strings, "strings")
    passed = states_passed(task, tables, answers)
    require_equal(document["state_bits"], max(map(bits, passed)), "state_bits")
    sentence = f"{task.title}: a recurrent model with {in_bits(document['state_bits'])} of state is right on all {number(strings)} inputs"
    most = f"at most {number(max(passed))} states after a token, {number(sum(passed))} in all"
    return Shown(sentence, "proven", ({"kind": "machine", "text": most, "states": passed},))


def states_passed(task: Spec, tables: Tables, answers: list[int | None]) -> list[int]:
    """How many states the strings of the promise visit after 0, 1, .. tokens; refused if one gets a wrong answer."""
    levels = [arrays.zeros(1)]  # the state that each prefix leads to, prefixes in the order of the answers
    for table in tables.transitions:
        levels.append(table[levels[-1]].reshape(-1))
    for place, (state, answer) in enumerate(zip(levels[-1].tolist(), answers, strict=True)):
        if answer is not None and tables.outputs[state] != answer:
            raise Refused(f"automaton: {_string(place, task)} is answered with {tables.outputs[state]}, the answer is {answer}")
    valid = arrays.array([answer is not None for answer in answers])
    passed = [len(arrays.unique(levels[-1][valid]))]
    for level, alphabet in zip(reversed(levels[:-1]), reversed(task.alphabets), strict=True):
        valid = arrays.asarray(valid.reshape(-1, len(alphabet)).any(axis=1))
        passed.append(len(arrays.unique(level[valid])))
    return passed[::-1]


def _string(place: int, task: Spec) -> list[int]:
    """The string with a given number, in the order of the answers."""
    tokens = []
    for alphabet in reversed(task.alphabets):
        place, symbol = divmod(place, len(alphabet))
        tokens.append(alphabet[symbol])
    return tokens[::-1]
