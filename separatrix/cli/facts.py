"""`separatrix facts`: the ledger: what is known of a task on an architecture, and the evidence for it."""

from __future__ import annotations

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, table

HEADER = ("task", "architecture", "mode", "lengths", "what", "quantity", "value", "strength", "evidence", "from")
SHOWN = 12  # characters of a digest


@click.command()
@click.argument("task", required=False, shell_complete=TASK_NAMES)
@click.option("--architecture", help="One architecture: recurrent, lstm, mamba2, hard-attention, window, ..")
@click.option("--mode", help="alone, chain of thought or retrieval.")
@json_option
def facts(task: str | None, architecture: str | None, mode: str | None, as_json: bool) -> None:
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
            fact.task, fact.architecture, fact.mode, fact.lengths, fact.what, fact.quantity or "-", _value(fact.value), fact.strength,
            fact.evidence.key[:SHOWN] if fact.evidence.kind in ("certificate", "row") else fact.evidence.key, "; ".join(fact.steps) or "-",
        )
        for fact in found
    ]  # fmt: skip
    lines = [f"{len(found):,} facts", *table(HEADER, [[str(cell) for cell in row] for row in rows])] if found else ["no facts"]
    emit({"facts": [fact.document() for fact in found]}, lines, as_json)


def _value(value: float | None) -> str:
    return "-" if value is None else f"{value:,}" if float(value).is_integer() else f"{value:.4g}"
