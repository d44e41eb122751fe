"""`separatrix communication`: what two parties must exchange to know a task's answer, over a partition of its tokens."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import LENGTH_HELP, set_option, with_length
from separatrix.cli.outputs import FIGURES, picture_kind, write_picture
from separatrix.cli.printing import counted
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.bounds.communication.exchange import CommunicationReport
    from separatrix.tasks import Task

SHOWN_PAIRS = 8
MOST_CELLS = 20_000  # of a matrix that is drawn


@click.command()
@click.argument("task", metavar="TASK|FUNCTION", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--alice", help="Alice's positions, counted from 0, as in 0,2,4; default: the hardest partition.")
@click.option("--figure", type=click.Path(path_type=Path, dir_okay=False), help=f"Draw the matrix: a file {FIGURES}.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the certificate of the fooling set.")
@click.option(
    "--error", type=float, metavar="E", help="Run a protocol with shared random bits that errs with probability at most E, below 1/2."
)
@set_option
@reporting
def communication(
    task: str, length: int, alice: str | None, figure: Path | None, out: Path | None, error: float | None, chosen: tuple[str, ...]
) -> Report:
    """What two parties must exchange to know the answer: exact ranks, a fooling set, and the hardest way to split the input.

    FUNCTION is file.py:name, a function of a tuple of N symbols; --set alphabet=01 and --set classes=2 say more about it.

    With --error, what one message needs if the parties share random bits and may err: index-lookup, intersects and equality, two symbols.
    """
    from separatrix.bounds.communication.exchange import communication_report
    from separatrix.certificates.files import write_document

    if error is not None:
        if any(option is not None for option in (alice, figure, out)):
            raise BadInput("--error runs the task's own split and writes nothing: expected no --alice, --figure or --out")
        return _with_coins(_subject(task, length, chosen), error)
    kind = None if figure is None else picture_kind(figure)
    report = communication_report(_subject(task, length, chosen), None if alice is None else positions(alice))
    if out is not None:
        write_document(out, report.certificate())
    parts = _parts(task, report)
    if figure is not None and kind is not None:
        asked = f"{task}, N = {length}: the answer to what Alice holds (rows) and what Bob holds (columns); the fooling set is ringed"
        write_picture(figure, kind, _drawing(report), f"Alice and Bob must exchange at least {counted(report.bits, 'bit')}", asked)
        parts.append(f"the figure is in {figure}")
    if out is not None:
        parts.append(f"wrote {out}; `separatrix check {out}` looks up every pair")
    return Report({"task": task, "length": length, **report.document()}, parts)


def _subject(name: str, length: int, chosen: tuple[str, ...]) -> Task:
    """A task by name, or the task that a function of the user's is."""
    from separatrix.naming import is_place, load
    from separatrix.tasks import make_task

    if is_place(name) and not isinstance(load(name), type):
        return make_task("function", **{**with_length(chosen, length), "function": name})
    return make_task(name, **with_length(chosen, length))


def _with_coins(task: Task, error: float) -> Report:
    """The protocol with coins, and what it got wrong."""
    from separatrix.bounds.communication.with_coins import with_coins

    ran = with_coins(task, error)
    shown = [
        ("bits that Alice holds", f"{ran.bits:,}"),
        ("one message needs", "no bound is known here" if ran.least is None else f"{ran.least:,} bits, whatever the protocol"),
        ("this protocol's message", f"{ran.sent:,.6g} bits in the mean"),
        ("wrong", f"{ran.wrong:,} of {ran.runs:,} runs on hard inputs: {ran.wrong / ran.runs:.4f}"),
    ]
    title = f"{task.name}, N = {task.length}, public coins, wrong with probability at most {error:g} on every input"
    return Report({"task": task.name, "length": task.length, **asdict(ran)}, [title, Table(("what", "value"), shown)])


def positions(text: str, expected: str = "positions") -> list[int]:
    """Alice's positions, as the command line has them."""
    parts = [part.strip() for part in text.split(",")]
    wrong = [part for part in parts if not (part.isascii() and part.isdigit())]
    if wrong:
        raise BadInput(f"--alice expects {expected} counted from 0, as in 0,2,4, found {wrong[0]!r}")
    return [int(part) for part in parts]


def _drawing(report: CommunicationReport) -> dict[str, Any]:
    """The matrix as squares, one colour for each answer; cells outside the promise are left out."""
    matrix, (rows, columns) = report.matrix, report.matrix.entries.shape
    if rows * columns > MOST_CELLS:
        raise BadInput(f"--figure: expected at most {MOST_CELLS:,} cells, found {rows:,} x {columns:,}; choose a smaller --length")
    cells = [
        {"row": i, "column": j, "answer": str(int(matrix.entries[i, j]))} for i in range(rows) for j in range(columns) if matrix.known[i, j]
    ]
    fooling = [dict(zip(("row", "column"), matrix.cell(pair), strict=True)) for pair in report.fooling.pairs]
    side = max(4, min(24, 480 // max(rows, columns)))
    axes = {
        axis: {"field": field, "type": "ordinal", "title": title, "axis": {"labels": False, "ticks": False}}
        for axis, field, title in (("x", "column", "Bob"), ("y", "row", "Alice"))
    }
    squares = {"mark": {"type": "rect"}, "encoding": {"color": {"field": "answer", "type": "nominal", "title": "answer"}}}
    rings = {"data": {"values": fooling}, "mark": {"type": "point", "shape": "circle", "color": "black", "size": side * 6}}
    return {"data": {"values": cells}, "width": side * columns, "height": side * rows, "encoding": axes, "layer": [squares, rings]}


def _parts(name: str, report: CommunicationReport) -> list[Table | str]:
    matrix, fooling, facts, searched = report.matrix, report.fooling, report.facts, report.searched
    rows, columns = matrix.entries.shape
    parts: list[Table | str] = [
        f"{name}, N = {report.task.length} ({report.task.length_means})",
        f"Alice holds the positions {', '.join(map(str, matrix.alice))}, Bob {', '.join(map(str, matrix.bob))}, counted from 0",
    ]
    if searched is not None:
        how = "of all" if searched.exhaustive else "by a local search among"
        parts.append(f"the hardest {how} {searched.examined} partitions by {searched.by.replace('-', ' ')}")
    size = len(fooling.pairs)
    largest = "none is larger" if fooling.optimal else f"none has more than {fooling.upper}"
    shown: list[tuple[str, str]] = [("matrix", f"{rows} x {columns}")]
    if facts is None:
        shown.append(("rank", f"not defined: {int((~matrix.known).sum()):,} inputs lie outside the promise"))
    else:
        shown += [("rank over the rationals", f"{report.rank}"), ("rank over GF(2)", f"{report.rank_gf2}")]
    shown.append(("fooling set", f"{size} inputs with the answer {fooling.value}; {largest}"))
    shown.append(("bits by the fooling set", f"{report.bits}"))
    if facts is not None:
        shown += [
            ("bits by ranks and fooling set", f"{facts.two_way_lower}, and {facts.two_way_upper} suffice"),
            ("bits if only Alice speaks", f"{facts.one_way}"),
            ("bits if only Bob speaks", f"{facts.one_way_back}"),
        ]
    parts.append(Table(("what", "value"), shown))
    parts += ["its inputs, as Alice | Bob:"] if fooling.pairs else []
    parts += [f"  {report.task.text(a)} | {report.task.text(b)}" for a, b in fooling.pairs[:SHOWN_PAIRS]]
    return [*parts, f"  and {size - SHOWN_PAIRS} more"] if size > SHOWN_PAIRS else parts
