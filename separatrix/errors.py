"""`BadInput`: the one exception that every room raises for input it cannot use."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class BadInput(ValueError):
    """One line: what was expected, what was found, and where. The command line turns it into exit code 2."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a line about an unknown name: the nearest one that exists, or nothing if none is near.

    The family of `family/member` names all its members.
    """
    names = list(known)
    near = [one for one in names if one.startswith(f"{name}/")] or difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
