"""Printing: one JSON document on stdout, or lines for a person that fit the terminal.

A table is as wide as its cells. Where the terminal (or COLUMNS) is narrower, its widest columns are wrapped, and so are other long lines;
`--wide` prints everything as it is, and so does a pipe, whose reader may be a program. A terminal also gets colour (`colour.py`).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from separatrix.cli.colour import Heading, print_lines
from separatrix.cli.progress_lines import done, progress

__all__ = ["counted", "done", "emit", "first_line", "fitted", "listed_parameters", "percent", "progress", "rounded", "sized", "table"]

WIDE = "separatrix.wide"
LEAST = 40  # columns: below that nothing is wrapped any more
NARROW = 18  # least width of a wrapped column, unless all its words are shorter
NUMBER = re.compile(r"[<>~+-]? ?\d[\d,]*(\.\d+)?(e[+-]?\d+)?( ?(%|[kKMGT]?i?B|bytes?))?|-|unknown|")
WORD = re.compile(r"\S+?[-/=](?=[a-zA-Z])|\S+")  # what a cell is broken between: at spaces, and behind - / or = inside a name


def sized(amount: int) -> str:
    """Bytes in the largest unit of which there is one."""
    for power, unit in ((4, "TiB"), (3, "GiB"), (2, "MiB"), (1, "KiB")):
        if amount >= 1024**power:
            return f"{amount / 1024**power:,.2f} {unit}"
    return counted(amount, "byte")


def emit(document: Any, lines: Iterable[str], as_json: bool) -> None:
    """The document as JSON, or the lines, wrapped where they are wider than the terminal."""
    if as_json:
        print(json.dumps(document, ensure_ascii=False, allow_nan=False))
        return
    print_lines(fitted(lines))


def fitted(lines: Iterable[str]) -> Iterator[str]:
    """The lines, wrapped where they are wider than the terminal."""
    width = screen_width()
    for line in lines:
        yield from _wrapped_line(line, width) if width is not None else [line]


def screen_width() -> int | None:
    """Columns to print in: COLUMNS, or the terminal's; None where there is no terminal, or by --wide."""
    context = click.get_current_context(silent=True)
    if context is not None and context.meta.get(WIDE):
        return None
    chosen = os.environ.get("COLUMNS", "")
    if chosen.isdigit() and int(chosen) > 0:
        return max(LEAST, int(chosen))
    return max(LEAST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else None


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Columns under a header, each as wide as its longest cell, numbers to the right.

    Where the terminal is narrower, columns are wrapped; columns that still do not fit stand below, beside the first one again, and
    beside the number of the row where the first one has a name twice.
    """
    cells = [list(map(str, header)), *([rounded(cell) for cell in row] for row in rows)]
    screen, lines = screen_width(), list[str]()
    groups = _side_by_side(cells, screen, 1)
    if len(groups) > 1 and len({row[0] for row in cells}) < len(cells):
        cells = [["row" if r == 0 else str(r), *row] for r, row in enumerate(cells)]
        groups = _side_by_side(cells, screen, 2)
    for columns in groups:
        lines += ([""] if lines else []) + _block([[row[c] for c in columns] for row in cells], screen)
    return lines


def rounded(value: Any) -> str:
    """A cell for people: `12,480`, at most four significant digits of a fraction, yes or no, `-` for nothing."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not (value.is_integer() and abs(value) < 1e15):
        return f"{value:.4g}"
    return f"{int(value):,}" if isinstance(value, int | float) else str(value)


def percent(share: float | None) -> str:
    """`97.5 %`, or `-`."""
    return "-" if share is None else f"{100 * share:.1f} %"


def listed_parameters(parameters: Iterable[Mapping[str, Any]]) -> str:
    """Parameters with their defaults, as in length=8, symbols."""
    return ", ".join(p["name"] + (f"={p['default']}" if "default" in p else "") for p in parameters)


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 state`, `2 states`, `1,000 inputs`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def first_line(text: str | None) -> str:
    """The first line of a docstring."""
    return (text or "").strip().split("\n")[0]


def _block(cells: Sequence[Sequence[str]], screen: int | None) -> list[str]:
    """One table of a header and rows."""
    columns = range(len(cells[0]))
    right = [_numeric(cells, c) for c in columns]
    widths = [max(len(row[c]) for row in cells) for c in columns]
    if screen is not None:
        widths = _narrowed(widths, [_least(cells, c) for c in columns], screen)
    blocks = [_row_lines(row, widths, right) for row in cells]
    rule = "  ".join("-" * width for width in widths)
    return [*map(Heading, blocks[0]), Heading(rule), *(line for block in blocks[1:] for line in block)]


def _side_by_side(cells: Sequence[Sequence[str]], screen: int | None, first: int) -> list[list[int]]:
    """Columns in groups that fit the terminal when wrapped; so many first columns begin each of them."""
    every = list(range(len(cells[0])))
    if screen is None or not every:
        return [every]
    least = [_comfortable(cells, c) for c in every]
    groups = [every[:first]]
    for c in every[first:]:
        if sum(least[d] + 2 for d in groups[-1]) + least[c] > screen and len(groups[-1]) > first:
            groups.append(every[:first])
        groups[-1].append(c)
    return groups


def _numeric(cells: Sequence[Sequence[str]], c: int) -> bool:
    body = [row[c] for row in cells[1:]]
    return any(body) and all(NUMBER.fullmatch(cell) for cell in body)


def _least(cells: Sequence[Sequence[str]], c: int) -> int:
    """How narrow a column can be: a number is not broken, nor a word, unless it is very long."""
    if _numeric(cells, c):
        return max(len(text) for text in (*(row[c] for row in cells[1:]), *cells[0][c].split()))
    return min(NARROW, max((len(word) for row in cells for word in WORD.findall(row[c])), default=0))


def _comfortable(cells: Sequence[Sequence[str]], c: int) -> int:
    """How narrow a column is before another table is easier to read: a few words to a line."""
    return max(_least(cells, c), min(NARROW, max(len(row[c]) for row in cells)))


def _narrowed(widths: Sequence[int], least: Sequence[int], screen: int) -> list[int]:
    """The widths with the widest columns made narrower, one column of the terminal at a time, until the table fits."""
    narrowed = list(widths)
    over = sum(narrowed) + 2 * (len(narrowed) - 1) - screen
    while over > 0:
        widest = max((c for c in range(len(narrowed)) if narrowed[c] > least[c]), key=lambda c: narrowed[c], default=None)
        if widest is None:
            break
        narrowed[widest] -= 1
        over -= 1
    return narrowed


def _row_lines(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    """One row of a table, over several lines where a cell is wider than its column."""
    parts = [_pieces(cell, width) for cell, width in zip(row, widths, strict=True)]
    lines = []
    for i in range(max(map(len, parts), default=1)):
        shown = [part[i] if i < len(part) else "" for part in parts]
        padded = (cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in zip(shown, widths, right, strict=True))
        lines.append("  ".join(padded).rstrip())
    return lines


def _pieces(cell: str, width: int) -> list[str]:
    """A cell in lines of at most so many columns, broken between words, or inside one that is longer than a line."""
    if len(cell) <= width:
        return [cell]
    lines, end = [""], 0
    for found in WORD.finditer(cell):
        space = " " if found.start() > end and lines[-1] else ""
        word, end = found[0], found.end()
        if len(lines[-1] + space + word) <= width:
            lines[-1] += space + word
            continue
        broken = [word[i : i + width] for i in range(0, len(word), width)]
        lines += broken if lines[-1] else []
        lines = lines if lines[-1] else broken
    return lines


def _wrapped_line(line: str, width: int) -> list[str]:
    """A line in lines of at most so many columns; those after the first are indented a little more than it is."""
    if len(line) <= width:
        return [line]
    indent = min(len(line) - len(line.lstrip()), width // 2)
    deeper = " " * (indent + 4)
    return textwrap.wrap(line, width, initial_indent="", subsequent_indent=deeper, break_on_hyphens=False, drop_whitespace=True) or [line]
