"""`BadInput`: the one exception that every room raises for input it cannot use."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class BadInput(ValueError):
    """One line: what was expected, what was found, and where. The command line turns it into exit code 2."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a line about an unknown name: the nearest one that exists, or nothing if none is near."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
