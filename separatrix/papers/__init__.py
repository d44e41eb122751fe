"""The four papers as data: one file per paper, every statement once, with its place, its status and what a second reading adds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from separatrix.papers.citations import cited_in_package, status_of
from separatrix.papers.reading import PAPERS, read
from separatrix.papers.statement import Entry, Paper, Statement

__all__ = ["CITATION", "PAPERS", "Entry", "Paper", "Statement", "paper", "statement", "statements"]

CITATION = """\
@software{separatrix,
  title  = {Separatrix: what a sequence model of a given size can and cannot do},
  author = {{The Separatrix authors}},
  year   = {2026}
}"""


@cache
def paper(name: str) -> Paper:
    """A paper, each statement with the code that cites it and the status that follows."""
    written, cited = read(name), cited_in_package()

    def with_code(s: Statement) -> Statement:
        code = cited.get(s.key, ())
        return replace(s, code=code, status=status_of(s, code))

    return replace(written, statements=tuple(map(with_code, written.statements)))


def statements(name: str | None = None) -> tuple[Statement, ...]:
    """Every statement of one paper, or of all four, in the order of the text."""
    return tuple(s for one in (PAPERS if name is None else (name,)) for s in paper(one).statements)


def statement(key: str) -> Statement:
    """The statement with this key, e.g. `bhattamishra2024 Theorem 1`."""
    by_key = {s.key: s for s in statements()}
    return by_key[key]
