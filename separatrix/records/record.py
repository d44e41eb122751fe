"""One stored record: a JSON file with a result, the code that computed it, and its parameters.

A record stays valid as long as its code and its parameters stay the same, and only where it was computed: it carries a keyed hash
(`keyed.py`), so that a file in somebody else's folder is never shown. Certificates are not records: the checker judges them wherever they
are shown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput
from separatrix.records.keyed import read_keyed, write_keyed

SCHEMA, VERSION = "separatrix/record", 2
SOURCES = (".py", ".toml", ".json", ".jsonl")
LARGEST = 1 << 26  # bytes of the largest record that is read
Document = dict[str, Any]


@cache
def code_digest() -> str:
    """The SHA-256 of everything in the package that can change the content of a record: sources, and the data that lie beside them."""
    package = Path(str(files("separatrix")))
    rooms = {path.relative_to(package).parts[0] for path in package.iterdir()}
    return package_digest(tuple(sorted(rooms - {"atlas", "cli"})))  # these only display


@cache
def package_digest(rooms: tuple[str, ...]) -> str:
    """The SHA-256 over the files of some rooms, or single files, of the package."""
    package = Path(str(files("separatrix")))
    total = hashlib.sha256()
    for room in rooms:
        whole = (package / room).rglob("*") if (package / room).is_dir() else [package / room]
        for path in sorted(path for path in whole if path.is_file() and path.suffix in SOURCES):
            total.update(path.relative_to(package).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def stored_or_computed(path: Path, kind: str, parameters: Document, compute: Callable[[], Any]) -> tuple[Any, bool]:
    """The content of a record and whether it had to be computed; a record of different code or parameters, or of somebody else, is
    replaced."""
    head = {**_head(path, kind), "asked": json.loads(json.dumps(parameters))}
    stored = read_keyed(path, LARGEST)
    if stored is not None and {key: stored.get(key) for key in head} == head:
        return stored["content"], False
    content = json.loads(json.dumps(compute(), allow_nan=False))
    if not write_keyed(path, {**head, "content": content}):
        raise BadInput("records are signed with a key, and there is no place to keep it: set XDG_CACHE_HOME to a folder of your own")
    return content, True


def read_record(path: Path, kind: str) -> Document:
    """The document of a record that was computed here, by this code; refuses anything else in one line."""
    again = f"`separatrix records --out {path.parent.parent}` computes it"
    if not path.is_file():
        raise BadInput(f"no record at {str(path)!r}: {again}")
    if path.stat().st_size > LARGEST:
        raise BadInput(f"{str(path)!r} has {path.stat().st_size} bytes, a record has at most {LARGEST}")
    document = read_keyed(path, LARGEST)
    if document is None:
        raise BadInput(f"{str(path)!r} was not written here, or was edited since: {again} again")
    if {key: document.get(key) for key in _head(path, kind)} != _head(path, kind):
        raise BadInput(f"{str(path)!r} is not a record of kind {kind!r}, of this name and this code: {again} again")
    return document


def _head(path: Path, kind: str) -> Document:
    """What a record is bound to: its kind, its place, and the code that computes it."""
    return {"schema": SCHEMA, "version": VERSION, "kind": kind, "place": f"{path.parent.name}/{path.name}", "code": code_digest()}
