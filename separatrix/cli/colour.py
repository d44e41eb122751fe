"""Colour on a terminal: headings of tables, and cells that begin with a verdict. `rich` is imported only there.

A pipe, a file, `NO_COLOR` and `TERM=dumb` get plain text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

GOOD = r"built|proven|exhaustive|held|holds|learned"
BAD = r"provably not|impossible|refuted|REFUTED|FAILS|failed|disagrees"
OPEN = r"open|tested|untested|not decided|not run|cited"
CELL = r"(?:^|(?<=  )|(?<=: )){}(?=$|[ ,;:(])"  # a verdict begins a line, a cell, or what follows a colon
STYLES = {CELL.format(f"(?:{GOOD})"): "green", CELL.format(f"(?:{BAD})"): "red", CELL.format(f"(?:{OPEN})"): "yellow"}


class Heading(str):
    """A line above the rows of a table."""

    __slots__ = ()


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as they are, with colour where somebody looks."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        for line in lines:
            print(line)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    for line in lines:
        text = Text(line, style="bold" if isinstance(line, Heading) else "")
        for pattern, style in () if isinstance(line, Heading) else STYLES.items():
            text.highlight_regex(pattern, style)
        console.print(text)
