"""Reading the data files: one TOML file per paper, prose wrapped at will."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from separatrix.papers.statement import Entry, Paper, Statement

PAPERS = ("bhattamishra2024", "hahn2020", "wen2024", "yang2024")
FOLDER = Path(__file__).parent


@cache
def read(name: str) -> Paper:
    """The file of a paper as it stands, before the code is searched for citations."""
    table = _flowing(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))
    written = tuple(_statement(fields) for fields in table.pop("statement"))
    return Paper(name=name, statements=written, **table)


def _statement(fields: dict[str, Any]) -> Statement:
    entries = tuple(Entry(**entry) for entry in fields.pop("entry", ()))
    return Statement(**fields, entries=entries)


def _flowing(value: Any) -> Any:
    """Every text on one line, every list a tuple."""
    match value:
        case str():
            return " ".join(value.split())
        case list():
            return tuple(map(_flowing, value))
        case dict():
            return {key: _flowing(one) for key, one in value.items()}
    return value
