"""One stored record: a JSON file with a result, the code that computed it, and its parameters.

A record stays valid as long as its code and its parameters stay the same; nothing else vouches for its content. Certificates are not
records: the checker judges them wherever they are shown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from separatrix.certificates.files import write_file
from separatrix.errors import BadInput

SCHEMA, VERSION = "separatrix/record", 1
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
    """The content of a record and whether it had to be computed; a record of different code or parameters is replaced."""
    head = {"schema": SCHEMA, "version": VERSION, "kind": kind, "asked": json.loads(json.dumps(parameters)), "code": code_digest()}
    try:
        stored = read_record(path, kind)
    except BadInput:
        stored = {}
    if stored and {key: stored.get(key) for key in head} == head:
        return stored["content"], False
    content = json.loads(json.dumps(compute(), allow_nan=False))
    write_file(path, json.dumps({**head, "content": content}, ensure_ascii=False, allow_nan=False).encode())
    return content, True


def read_record(path: Path, kind: str) -> Document:
    """The document of a record; refuses anything else in one line."""
    if not path.is_file():
        raise BadInput(f"no record at {str(path)!r}: `separatrix records --out {path.parent.parent}` writes it")
    if path.stat().st_size > LARGEST:
        raise BadInput(f"{str(path)!r} has {path.stat().st_size} bytes, a record has at most {LARGEST}")
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise BadInput(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{str(path)!r} is not a JSON document") from error
    if not isinstance(document, dict) or (document.get("schema"), document.get("version"), document.get("kind")) != (SCHEMA, VERSION, kind):
        raise BadInput(f"{str(path)!r} is not a record of kind {kind!r}, schema {SCHEMA} version {VERSION}")
    return document
