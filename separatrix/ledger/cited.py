"""What hard attention cannot do, and what other papers say: facts that rest on a statement and not on anything that was replayed here.

[hahn2020 Corollary 2] [hahn2020 Footnote 2]

A language is hard for hard attention if it is not quasi-aperiodic, which is decided on its syntactic monoid; the statement about all models
is the paper's. `separatrix collide MODEL TASK --restrict` refutes one given model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from separatrix.architectures import Architecture, Mode
from separatrix.ledger.fact import Evidence, Fact, Lengths, What
from separatrix.tasks import Task, is_a

if TYPE_CHECKING:
    from separatrix.tasks.regular import Regular
    from separatrix.tasks.state_based_recall import StateBasedRecall

COROLLARY = "hahn2020 Corollary 2"
FIXED = "Fixed numbers of layers and heads, all lengths; hard attention means one token for each head."


def cited_facts(task: Task) -> Iterator[Fact]:
    """What is cited about a task."""
    if is_a(task, "parity"):
        yield hard(task, COROLLARY, "PARITY, by restriction: some bits are fixed, after which the output depends on few of the others")
    elif is_a(task, "dyck-1") or is_a(task, "dyck-2"):
        yield hard(task, COROLLARY, "2DYCK, whose proof already defeats one type of brackets")
    elif is_a(task, "state-based-recall"):
        if cast("StateBasedRecall", task).registers >= 4:
            yield hard(task, COROLLARY, "it contains PARITY: swaps of the first two registers count, among swaps of the last two")
    elif is_a(task, "regular"):
        from separatrix.bounds.languages.language import hard_attention
        from separatrix.bounds.languages.monoid import syntactic_monoid

        found = hard_attention(syntactic_monoid(cast("Regular", task).automaton))
        if found.impossible:
            yield hard(task, found.cites, found.why)


def hard(task: Task, key: str, why: str) -> Fact:
    """No hard-attention Transformer does it at all lengths."""
    parameters = {name: value for name, value in task.parameters.items() if name != "length"}
    return Fact(
        task.name, parameters, Architecture.HARD_ATTENTION, Mode.ALONE, "any", Lengths("all"), What.IMPOSSIBLE, "", None, "cited",
        Evidence("statement", key), more={"formula": why, "cites": key, "caveat": FIXED, "tight": False, "deterministic_only": False},
    )  # fmt: skip
