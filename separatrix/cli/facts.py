"""`separatrix facts`: the ledger: what is known of a task on an architecture, and the evidence for it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.printing import counted
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.architectures import Architecture

HEADER = ("task", "architecture", "mode", "lengths", "with", "what", "quantity", "value", "strength", "evidence", "from")
SHOWN = 12  # characters of a digest


@click.command()
@click.argument("task", required=False, shell_complete=TASK_NAMES)
@click.option("--architecture", help="One architecture: recurrent, lstm, mamba2, hard-attention, window, ..")
@click.option("--mode", help="alone, chain of thought or retrieval.")
@click.option(
    "--cells", is_flag=True, help="Count the cells of the map by kind, and ask the question of each open one, instead of listing facts."
)
@reporting
def facts(task: str | None, architecture: str | None, mode: str | None, cells: bool) -> Report:
    """What is known, with its evidence: impossible, built, learned or cited.

    Bounds are at the size at which a task's page has them; each certificate and each row of a study has its own length.
    """
    from separatrix.ledger.ledger import all_facts, facts_of, named_architecture, named_mode
    from separatrix.ledger.subject import subject_words
    from separatrix.tasks import task_class

    if cells and mode is not None:
        raise BadInput("--cells counts what is done without a chain of thought or retrieval: leave --mode out")
    kind = None if architecture is None else named_architecture(architecture)
    way = None if mode is None else named_mode(mode)
    if cells:
        return _cells(None if task is None else task_class(task).name, kind)
    every = all_facts() if task is None else facts_of(task_class(task).name)
    found = [fact for fact in every if kind in (None, fact.architecture) and way in (None, fact.mode)]
    rows = [
        (
            fact.task, fact.architecture, fact.mode, fact.lengths, subject_words(fact) or None, fact.what, fact.quantity, fact.value,
            fact.strength,
            fact.evidence.key[:SHOWN] if fact.evidence.kind in ("certificate", "row") else fact.evidence.key, "; ".join(fact.steps) or None,
        )
        for fact in found
    ]  # fmt: skip
    parts: list[Table | str] = (
        [counted(len(found), "fact"), Table(HEADER, rows) if task is None else Table(HEADER[1:], [row[1:] for row in rows])]
        if found
        else ["no facts"]
    )
    return Report({"facts": [fact.document() for fact in found]}, parts)


def _cells(task: str | None, architecture: Architecture | None) -> Report:
    """How many cells there are of each kind, in the mode alone, and what is asked by the open ones."""
    from separatrix.ledger.cells import grid, open_question, shown_kind

    rows = {name: row for name, row in grid().items() if task in (None, name)}
    met = [cell for row in rows.values() for cell in row.values() if architecture in (None, cell.architecture)]
    kinds = Counter(map(shown_kind, met))
    left = [(cell.task, cell.architecture, open_question(rows[cell.task], cell.architecture)) for cell in met if cell.kind == "open"]
    document = {
        "cells": len(met),
        "kinds": dict(kinds),
        "open": [{"task": name, "architecture": one, "question": question} for name, one, question in left],
    }
    share = Table(("kind", "cells", "share"), [(kind, count, f"{100 * count / len(met):.1f} %") for kind, count in kinds.most_common()])
    asked = [Table(("task", "architecture", "question"), left)] if left else []
    return Report(document, [f"{counted(len(met), 'cell')} without a chain of thought or retrieval", share, *asked])
