"""`separatrix facts`: the ledger: what is known of a task on an architecture, and the evidence for it."""

from __future__ import annotations

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.printing import counted
from separatrix.cli.report import Report, Table, reporting

HEADER = ("task", "architecture", "mode", "lengths", "what", "quantity", "value", "strength", "evidence", "from")
SHOWN = 12  # characters of a digest


@click.command()
@click.argument("task", required=False, shell_complete=TASK_NAMES)
@click.option("--architecture", help="One architecture: recurrent, lstm, mamba2, hard-attention, window, ..")
@click.option("--mode", help="alone, chain of thought or retrieval.")
@reporting
def facts(task: str | None, architecture: str | None, mode: str | None) -> Report:
    """What is known, with its evidence: impossible, built, learned or cited.

    Bounds are at the size at which a task's page has them; each certificate and each row of a study has its own length.
    """
    from separatrix.ledger.ledger import all_facts, facts_of, named_architecture, named_mode
    from separatrix.tasks import task_class

    kind = None if architecture is None else named_architecture(architecture)
    way = None if mode is None else named_mode(mode)
    every = all_facts() if task is None else facts_of(task_class(task).name)
    found = [fact for fact in every if kind in (None, fact.architecture) and way in (None, fact.mode)]
    rows = [
        (
            fact.task, fact.architecture, fact.mode, fact.lengths, fact.what, fact.quantity, fact.value, fact.strength,
            fact.evidence.key[:SHOWN] if fact.evidence.kind in ("certificate", "row") else fact.evidence.key, "; ".join(fact.steps) or None,
        )
        for fact in found
    ]  # fmt: skip
    parts: list[Table | str] = [counted(len(found), "fact"), Table(HEADER, rows)] if found else ["no facts"]
    return Report({"facts": [fact.document() for fact in found]}, parts)
