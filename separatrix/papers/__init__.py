"""The four papers as data: one file per paper, every statement with its place, status and errata."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module

from separatrix.papers.citations import cited_in_package, status_of
from separatrix.papers.commands import COMMANDS
from separatrix.papers.statement import Erratum, Statement

PAPERS = ("bhattamishra2024", "hahn2020", "wen2024", "yang2024")

__all__ = ["PAPERS", "Erratum", "Statement", "statement", "statements"]


def statements(paper: str | None = None) -> tuple[Statement, ...]:
    """Every statement of one paper, or of all four, in the order of the text."""
    names = PAPERS if paper is None else (paper,)
    return tuple(s for name in names for s in _of_paper(name))


@cache
def _of_paper(name: str) -> tuple[Statement, ...]:
    """The statements of a paper, each with the code that cites it and the status that follows."""
    cited = cited_in_package()
    written: tuple[Statement, ...] = import_module(f"separatrix.papers.{name}").STATEMENTS
    found = []
    for s in written:
        code = cited.get(s.key, ())
        status = status_of(code)
        shown = COMMANDS.get(s.key, {})
        errata = tuple(replace(e, command=e.command or shown.get(i, "")) for i, e in enumerate(s.errata))
        found.append(replace(s, code=code, status=s.status if status == "stated" else status, errata=errata))
    return tuple(found)


def statement(key: str) -> Statement:
    """The statement with this key, e.g. `bhattamishra2024 Theorem 1`."""
    for found in statements():
        if found.key == key:
            return found
    raise KeyError(key)
