"""`separatrix facts`: the ledger: what is known of a task on an architecture, and the evidence for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.printing import counted, percent, rounded
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.architectures import Architecture
    from separatrix.ledger.fact import Fact

KINDS = ("impossible", "built", "learned", "cited")  # what a fact says begins with one of these
HEADER = ("task", "architecture", "size", "lengths", "with", "strength", "evidence", "follows")
SHOWN = 12  # characters of a digest


@click.command()
@click.argument("task", required=False, shell_complete=TASK_NAMES)
@click.option("--architecture", help="One architecture: recurrent, lstm, mamba2, hard-attention, window, ..")
@click.option("--mode", help="alone, chain of thought or retrieval.")
@click.option("--cells", is_flag=True, help="Instead: count the cells of the map by kind, and list the open questions.")
@click.option("--all", "every", is_flag=True, help="Include facts that follow from others.")
@reporting
def facts(task: str | None, architecture: str | None, mode: str | None, cells: bool, every: bool) -> Report:
    """Everything known about a task, with its evidence: impossible, built, learned or cited.

    Each bound, certificate and trained model has its own length N.
    """
    from separatrix.ledger.ledger import all_facts, facts_of, named_architecture, named_mode
    from separatrix.tasks import task_class

    if cells and mode is not None:
        raise BadInput("--cells counts what is done without a chain of thought or retrieval: leave --mode out")
    kind = None if architecture is None else named_architecture(architecture)
    way = None if mode is None else named_mode(mode)
    if cells:
        return _cells(None if task is None else task_class(task).name, kind)
    known = all_facts() if task is None else facts_of(task_class(task).name)
    found = [fact for fact in known if kind in (None, fact.architecture) and way in (None, fact.mode)]
    return Report({"facts": [fact.document() for fact in found]}, [*_parts(found, named=task is None, every=every)])


def _parts(found: Sequence[Fact], *, named: bool, every: bool) -> Iterator[Table | str]:
    """A table for each kind of fact; what follows from another fact is counted, or shown where `every` asks for it."""
    if not found:
        yield "no facts"
        return
    shown = [fact for fact in found if every or not fact.steps]
    yield counted(len(found), "fact")
    for kind in KINDS:
        some = [fact for fact in shown if str(fact.what).split()[0] == kind]
        if some:
            rows = [_row(fact) for fact in some]
            used = [column for column in range(0 if named else 1, len(HEADER)) if any(row[column] not in (None, "") for row in rows)]
            yield f"{kind}:"
            yield Table([HEADER[column] for column in used], [[row[column] for column in used] for row in rows])
    if len(shown) < len(found):
        more = counted(len(found) - len(shown), "fact")
        yield f"{more} more follow from these, where one architecture contains another or one task is a case of another: --all"


def _row(fact: Fact) -> tuple[str | None, ...]:
    """One fact, by HEADER."""
    from separatrix.ledger.subject import subject_words

    short = fact.evidence.kind in ("certificate", "row")
    evidence = fact.evidence.key[:SHOWN] if short else fact.evidence.key
    model = str(fact.architecture) if fact.mode == "alone" else f"{fact.architecture}, {fact.mode}"
    return (
        fact.task, model, _size(fact), str(fact.lengths), subject_words(fact) or None, fact.strength, evidence, "; ".join(fact.steps),
    )  # fmt: skip


def _size(fact: Fact) -> str:
    """`at least 6,000 bits of state`, `width: 9`, `52.3 % right`; for what no size can do, that."""
    if fact.value is None:
        return "at any size" if fact.what == "impossible" else ""
    least = "at least " if "below" in str(fact.what) else ""
    if fact.quantity == "state bits":
        return f"{least}{counted(int(fact.value), 'bit')} of state"
    return f"{percent(fact.value)} right" if fact.quantity == "accuracy" else f"{fact.quantity}: {least}{rounded(fact.value)}"


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
