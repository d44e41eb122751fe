"""Colour on a terminal only, and the same words as without."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from contextlib import redirect_stdout

import pytest

from separatrix.cli import main
from separatrix.cli.colour import Heading, print_lines
from separatrix.cli.printing import table

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
LINES = [
    *table(("model", "verdict"), [("mamba", "impossible at all lengths"), ("lstm", "built, proven"), ("tf", "open: a wide open door")]),
    "held: yes",
]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLORTERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return Terminal()


def test_verdicts_that_begin_a_cell_are_coloured_and_headings_are_bold(terminal: Terminal) -> None:
    with redirect_stdout(terminal):
        print_lines(LINES)
    bold, red, green, yellow = (f"\x1b[{code}m" for code in (1, 31, 32, 33))
    shown = terminal.getvalue()
    for painted in (f"{bold}model", f"{red}impossible\x1b", f"{green}built\x1b", f"{yellow}open\x1b", f"{green}held\x1b"):
        assert painted in shown
    assert shown.count(yellow) == 1  # the open door is prose
    assert ESCAPE.sub("", shown).splitlines() == LINES


def test_a_line_is_never_wrapped_or_marked_up_by_the_painter(terminal: Terminal) -> None:
    long = "[bold]" + "word " * 60 + "[/bold] :smile:"
    with redirect_stdout(terminal):
        print_lines([long, Heading("[1, 2]")])
    assert ESCAPE.sub("", terminal.getvalue()).splitlines() == [long, "[1, 2]"]


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_asks_for_no_colour_gets_none(name: str, value: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with redirect_stdout(terminal):
        print_lines(LINES)
    assert terminal.getvalue().splitlines() == LINES


def test_json_and_other_forms_have_no_colour_on_a_terminal(terminal: Terminal) -> None:
    with redirect_stdout(terminal):
        for form in ("--json", "--as=markdown", "--as=csv", "--as=latex"):
            assert main(["decide", "(aa)*", form]) == 0
    assert terminal.getvalue()
    assert not ESCAPE.search(terminal.getvalue())
    with redirect_stdout(terminal):
        assert main(["decide", "(aa)*"]) == 0
    assert ESCAPE.search(terminal.getvalue())


def test_rich_is_not_imported_where_nobody_looks() -> None:
    asked = "import sys; from separatrix.cli import main; main(['tasks']); sys.exit('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, check=False).returncode == 0
