"""Certificates of state collisions: two prefixes that lead a recurrent model to one state, and a suffix after which they need two answers.

The model consists of tables, one per token: [state][index of the token in its alphabet] -> next state, and an output for each last state.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, require_fields, string, whole, within
from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, number
from separatrix.checker.specs import Spec, function
from separatrix.checker.specs.counts import bits, in_bits
from separatrix.checker.specs.tables import LARGEST_ANSWER
from separatrix.checker.statements import Witness, check_lower

FIELDS: dict[str, Any] = {
    "claim": dict, "cites": str, "automaton": dict, "prefixes": list, "suffix": list, "state": int, "said": int, "expected": list,
    "state_bits": int
}  # fmt: skip
ENTRY = 1000  # work to read one entry of a table
HELD = 100  # bytes of it


@dataclass(frozen=True, eq=False)
class Tables:
    """A recurrent model with a clock; state 0 is the initial state."""

    transitions: list[arrays.Integers]
    outputs: list[int]


def judge(document: dict[str, Any], _beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless the model reaches one state from both prefixes and is wrong after one of them."""
    task = function(document["claim"])
    tables = read_tables(document["automaton"], task, budget)
    require_equal(document["state_bits"], max(map(bits, states_reached(tables))), "state_bits")
    prefixes, suffix, n = document["prefixes"], document["suffix"], task.tokens
    if len(prefixes) != 2 or len(suffix) > n or not all(isinstance(x, list) and len(x) == n - len(suffix) for x in prefixes):
        raise Refused(f"prefixes: expected two of them, {n} tokens each with the suffix")
    strings = [string([*prefix, *suffix], task.alphabets, "prefixes") for prefix in prefixes]
    expected = [task.truth(tokens) for tokens in strings]
    if None in expected:
        raise Refused("suffix: one of the two inputs lies outside the promise")
    if document["expected"] != expected or any(type(answer) is not int for answer in document["expected"]):
        raise Refused(f"expected: the certificate says {document['expected']!s:.80}, recomputation gives {expected}")
    cut = n - len(suffix)
    for tokens in strings:
        states = run(tables, tokens, task)
        require_equal(document["state"], states[cut], "state")
        require_equal(document["said"], tables.outputs[states[-1]], "said")
    if expected[0] == expected[1]:
        raise Refused("expected: one answer is right for both inputs")
    cited = check_lower(document["cites"], Witness("state-collision", task, document["state_bits"]))
    sentence = f"{task.title}: a recurrent model with {in_bits(document['state_bits'])} of state is wrong on one of two inputs"
    where = f"after {number(cut)} of {number(n)} tokens it is in one state for both"
    where += f": it says {document['said']}, due are {expected[0]} and {expected[1]}"
    evidence: list[dict[str, Any]] = [{"kind": "collision", "text": where}]
    return Shown(sentence, "proven", (*evidence, *cited))


def read_tables(automaton: Any, task: Spec, budget: Budget) -> Tables:
    """Tables [token][state][index in the alphabet], checked against each other."""
    require_fields(automaton, "automaton", transitions=list, outputs=list)
    transitions, outputs, alphabets = automaton["transitions"], automaton["outputs"], task.alphabets
    if len(transitions) != len(alphabets):
        raise Refused(f"automaton.transitions: expected {len(alphabets)} tables, found {len(transitions)}")
    widths = [len(table) if isinstance(table, list) else 0 for table in [*transitions, outputs]]
    if min(widths) < 1 or widths[0] != 1:
        raise Refused("automaton: expected one state before the first token, and some after each")
    entries = sum(width * len(alphabet) for width, alphabet in zip(widths, alphabets, strict=False)) + len(outputs)
    budget.allow(ENTRY * entries, HELD * entries)
    for t, table in enumerate(transitions):
        for row in table:
            if not isinstance(row, list) or len(row) != len(alphabets[t]):
                raise Refused(f"automaton.transitions: expected {len(alphabets[t])} next states after each state, at token {t}")
            if any(not 0 <= whole(state, "automaton.transitions") < widths[t + 1] for state in row):
                raise Refused(f"automaton.transitions: expected states 0..{widths[t + 1] - 1} after token {t}")
    for value in outputs:
        within(whole(value, "automaton.outputs"), -LARGEST_ANSWER, LARGEST_ANSWER, "automaton.outputs")
    return Tables([arrays.integers(table) for table in transitions], outputs)


def states_reached(tables: Tables) -> list[int]:
    """The number of reachable states after 0, 1, .. tokens."""
    reached = [arrays.zeros(1)]
    for table in tables.transitions:
        reached.append(arrays.unique(table[reached[-1]]))
    return [len(states) for states in reached]


def run(tables: Tables, tokens: tuple[int, ...], task: Spec) -> list[int]:
    """The states visited, from the initial one on."""
    states = [0]
    for table, token, alphabet in zip(tables.transitions, tokens, task.alphabets, strict=True):
        states.append(int(table[states[-1], token - alphabet.start]))
    return states
