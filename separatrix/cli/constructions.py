"""`separatrix constructions`: list the constructions, with parameters and citations; those of one paper with their sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.printing import first_line, listed_parameters
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.construction import Construction

WIDEST = 201  # bits of R_p


@click.command()
@click.option("--paper", help="Only those of this paper, with their sizes at two lengths beside what the paper says: wen2024, ...")
@reporting
def constructions(paper: str | None) -> Report:
    """List the constructions, with parameters and citations."""
    from separatrix.constructions import constructions as declarations

    every = sorted(declarations(), key=lambda declaration: declaration.name)
    if paper is not None:
        every = [declaration for declaration in every if declaration.cites.split(" ")[0] == paper]
        if not every:
            raise BadInput(f"--paper: expected a paper whose statements are built, such as wen2024, found {paper!r}")
    entries: list[dict[str, Any]] = [
        {
            "name": declaration.name,
            "task": declaration.task,
            "architecture": declaration.architecture.value,
            "parameters": [parameter.describe() for parameter in declaration.parameters.values()],
            "cites": declaration.cites,
            "says": first_line(declaration.build.__doc__),
            **({} if paper is None else measured(declaration)),
        }
        for declaration in every
    ]
    if paper is None:
        rows = [(entry["name"], entry["cites"], listed_parameters(entry["parameters"])) for entry in entries]
        return Report({"constructions": entries}, [Table(("construction", "cites", "parameters"), rows)])
    head = ("construction", "n", "layers", "heads", "width", "state bits", "least p", "chain", "the paper")
    rows_of_sizes = [
        (entry["name"], str(size["length"]), *(_cell(size.get(key)) for key in ("layers", "heads", "width", "state_bits", "least_p")),
         entry["chain"] or "-", entry["paper_says"])
        for entry in entries for size in entry["sizes"]
    ]  # fmt: skip
    return Report({"constructions": entries}, [Table(head, rows_of_sizes)])


def measured(declaration: Construction) -> dict[str, Any]:
    """Its sizes at its default length and at a quarter of it, the chain, and what the paper says."""
    lengths = sorted({max(declaration.computes.least_length, declaration.default_length // 4), declaration.default_length})
    sizes = []
    for length in lengths:
        task = declaration.task_at(length=length)
        found = declaration.sizes(task.parameters)
        sizes.append({"length": length, **(found or {}), "least_p": _least_p(declaration, dict(task.parameters))})
    return {"sizes": sizes, "chain": declaration.chain, "paper_says": declaration.paper_says}


def _least_p(declaration: Construction, parameters: dict[str, Any]) -> int | None:
    """The least p of an R_p, `nearest:p`, that holds the construction, by bisection; None if it takes no format or none holds it."""
    if "arithmetic" not in declaration.settings:
        return None
    low, high = 1, WIDEST // 2 + 1  # p = 2 F + 1
    while low < high:
        F = (low + high) // 2
        low, high = (low, F) if declaration.sizes(parameters, {}, f"nearest:{2 * F + 1}") is not None else (F + 1, high)
    return 2 * low + 1 if 2 * low + 1 <= WIDEST else None


def _cell(value: int | None) -> str:
    return "-" if value is None else str(value)
