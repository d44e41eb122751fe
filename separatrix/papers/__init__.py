"""The four papers as data: one file per paper, every statement with its place, status and errata."""

from __future__ import annotations

from importlib import import_module

from separatrix.papers.statement import Erratum, Statement

PAPERS = ("bhattamishra2024", "hahn2020", "wen2024", "yang2024")

__all__ = ["PAPERS", "Erratum", "Statement", "statement", "statements"]


def statements(paper: str | None = None) -> tuple[Statement, ...]:
    """Every statement of one paper, or of all four, in the order of the text."""
    names = PAPERS if paper is None else (paper,)
    return tuple(s for name in names for s in import_module(f"separatrix.papers.{name}").STATEMENTS)


def statement(key: str) -> Statement:
    """The statement with this key, e.g. `bhattamishra2024 Theorem 1`."""
    for found in statements():
        if found.key == key:
            return found
    raise KeyError(key)
