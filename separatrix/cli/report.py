"""What a command answers, once: a document for programs, and tables and sentences for people. Every form is written here.

text       tables in columns, and the sentences around them
json       the document, on one line
markdown   tables between bars, and the sentences
latex      each table as a `tabular`; sentences as comments
csv        the tables alone, with an empty line between two
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from separatrix.cli.colour import print_lines
from separatrix.cli.options import wide_option
from separatrix.cli.printing import fitted, rounded, table
from separatrix.errors import BadInput


@dataclass(frozen=True)
class Table:
    """Cells under a header: numbers as they are, which every form but csv rounds and groups for people."""

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def cells(self) -> list[list[str]]:
        """Every cell as people read it."""
        return [[rounded(cell) for cell in row] for row in self.rows]

    def lines(self) -> list[str]:
        """The table in columns that fit the terminal."""
        return table(self.header, self.rows)

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]]) -> Table:
        """Rows with the same fields, without the fields that are None in all of them; names as words."""
        columns = [name for name in rows[0] if any(row[name] is not None for row in rows)] if rows else []
        return cls([name.replace("_", " ") for name in columns], [[row[name] for name in columns] for row in rows])


@dataclass(frozen=True)
class Report:
    """A document, and what a person reads instead: tables and sentences, in order."""

    document: Any
    parts: Sequence[Table | str]
    warning: str = ""  # a sentence that must also be seen where the form has no sentences; on stderr there
    code: int = 0  # exit code: 1 where a claim was refuted or a check disagreed
    data: Sequence[Table] = ()  # what csv has where the parts are sentences

    def text(self) -> Iterator[str]:
        """Tables and sentences as lines for a terminal."""
        for part in self.parts:
            yield from part.lines() if isinstance(part, Table) else [part]

    def json(self) -> Iterator[str]:
        """The document on one line."""
        yield json.dumps(self.document, ensure_ascii=False, allow_nan=False)

    def markdown(self) -> Iterator[str]:
        """Paragraphs and tables, with an empty line between any two."""
        for number, part in enumerate(part for part in self.parts if part != ""):
            if number:
                yield ""
            if isinstance(part, Table):
                yield _bars(part.header)
                yield _bars(["---"] * len(part.header))
                yield from map(_bars, part.cells())
            else:
                yield part

    def latex(self) -> Iterator[str]:
        """One `tabular` for each table."""
        from separatrix.cli.latex import tabular

        for part in self.parts:
            yield from tabular(part.header, part.cells()) if isinstance(part, Table) else [f"% {part}".rstrip()]

    def csv(self) -> Iterator[str]:
        """Rows of every table under its header."""
        tables = [part for part in self.parts if isinstance(part, Table)] or self.data
        if not tables:
            raise BadInput("--as csv: this answer has no table; expected text, markdown, latex or --json")
        for number, part in enumerate(tables):
            if number:
                yield ""
            written = io.StringIO()
            csv.writer(written, lineterminator="\n").writerows([part.header, *part.rows])
            yield from written.getvalue().splitlines()


FORMS: dict[str, Callable[[Report], Iterable[str]]] = {
    "text": Report.text, "json": Report.json, "markdown": Report.markdown, "latex": Report.latex, "csv": Report.csv,
}  # fmt: skip


def reporting(command: Callable[..., Report]) -> Callable[..., int]:
    """A command that returns its report gets `--json` and `--as`, and what it returns is printed."""

    @wide_option
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
    @click.option("--as", "form", type=click.Choice([form for form in FORMS if form != "json"]), help="Output format; default: text.")
    @wraps(command)
    def run(*args: Any, as_json: bool, form: str | None, **chosen: Any) -> int:
        if as_json and form is not None:
            raise BadInput(f"expected --json or --as {form}, found both")
        report = command(*args, **chosen)
        lines = FORMS["json" if as_json else form or "text"](report)
        if as_json or form not in (None, "text"):
            for line in lines:
                print(line)
        else:
            print_lines(fitted(lines))
        if report.warning and (as_json or form == "csv"):
            click.echo(report.warning, err=True)
        return report.code

    return run


def _bars(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
