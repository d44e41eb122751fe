"""Printing: one JSON document on stdout, or lines for a person; progress goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def emit(document: Any, lines: Iterable[str], as_json: bool) -> None:
    """The document as JSON, or the lines."""
    if as_json:
        print(json.dumps(document, ensure_ascii=False, allow_nan=False))
        return
    for line in lines:
        print(line)


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Columns under a header, each as wide as its longest cell."""
    cells = [list(map(str, header)), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def table_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Rows with the same fields as a table, without the fields that are None in all of them."""
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows)] if rows else []
    return table(columns, [["-" if row[name] is None else row[name] for name in columns] for row in rows])


def listed_parameters(parameters: Iterable[Mapping[str, Any]]) -> str:
    """Parameters with their defaults, as in length=8, symbols."""
    return ", ".join(p["name"] + (f"={p['default']}" if "default" in p else "") for p in parameters)


def first_line(text: str | None) -> str:
    """The first line of a docstring."""
    return (text or "").strip().split("\n")[0]


def progress(message: str) -> None:
    """One line of progress, rewritten in place on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{message}", end="", file=sys.stderr, flush=True)


def done(message: str) -> None:
    """The final line after a series of `progress` lines."""
    start = "\r\033[K" if sys.stderr.isatty() else ""
    print(f"{start}{message}", file=sys.stderr, flush=True)
