"""The version of the code behind a trial's rows: a hash over the sources of the rooms it runs through, and over a user's own files."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from separatrix.errors import BadInput

LEARNING = ("arithmetic", "models", "tasks", "training")  # the rooms that determine the result of a training run
PACKAGE = Path(__file__).parents[1]


@cache
def code_version(rooms: tuple[str, ...], places: tuple[str, ...] = ()) -> str:
    """One SHA-256 over all the sources, computed once per process; comments count too, since no rule could tell what does not matter."""
    whole = hashlib.sha256()
    for room in sorted(rooms):
        for path in sorted((PACKAGE / room).rglob("*.py"), key=lambda path: path.relative_to(PACKAGE).as_posix()):
            _add(whole, path.relative_to(PACKAGE).as_posix(), path)
    for place in sorted(set(places)):
        path = _file_of(place)
        _add(whole, f"{path.name}:{place.rpartition(':')[2]}", path)  # the folder may differ between machines
    return whole.hexdigest()


def _add(whole: hashlib._Hash, name: str, path: Path) -> None:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    whole.update(f"{name}\n{hashlib.sha256(content).hexdigest()}\n".encode())


def _file_of(place: str) -> Path:
    """The source of `file.py:Name` or `package.module:Name`."""
    where = place.rpartition(":")[0]
    if where.endswith(".py"):
        if not Path(where).is_file():
            raise BadInput(f"no such file: {where!r}")
        return Path(where)
    try:
        spec = find_spec(where)
    except (ImportError, ValueError) as error:
        raise BadInput(f"cannot import {where!r} of {place!r}: {error}") from error
    if spec is None or spec.origin is None:
        raise BadInput(f"cannot import {where!r} of {place!r}: there is no such module")
    return Path(spec.origin)
