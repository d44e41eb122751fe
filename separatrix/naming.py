"""Looking things up by name: kebab-case names in tables, or `file.py:Name` and `package.module:Name` for a user's own code.

Code runs only if the user names it. Code that a stored file refers to is loaded inside `only(code)`, where `code` lists what the user
has allowed: places, or whole files. A stored file identifies code by file name and SHA-256 of its content, so the user's copy may lie in
any folder.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput, did_you_mean

_named: ContextVar[frozenset[str] | None] = ContextVar("_named", default=None)  # None: the caller is the user, who may name anything


def find(name: str, table: Mapping[str, str], kind: str) -> Any:
    """The object called `name`: an entry of `table` (name -> "module:attribute"), or the user's own at `file.py:Name`."""
    if name in table:
        return _attribute(importlib.import_module(table[name].split(":")[0]), table[name].split(":")[1], name)
    if ":" in name:
        return load(name)
    hint = did_you_mean(name, table)  # first, because there may be many names
    raise BadInput(f"unknown {kind} {name!r}{hint or ':'} expected one of {', '.join(sorted(table)) or '(none yet)'} or file.py:Name")


def load(place: str) -> Any:
    """The object at `path/to/file.py:Name` or `package.module:Name`. This runs the user's code."""
    where, _, attribute = place.rpartition(":")
    if not where or not attribute:
        raise BadInput(f"expected file.py:Name or package.module:Name, found {place!r}")
    named = _named.get()
    if named is not None and not {place, where} & named:
        raise _not_named(place)
    if where.endswith(".py"):
        return _attribute(_module_of_file(Path(where)), attribute, place)
    try:
        module = importlib.import_module(where)
    except ImportError as error:
        raise BadInput(f"cannot import {where!r} of {place!r}: {error}") from error
    return _attribute(module, attribute, place)


@contextmanager
def only(code: Collection[str]) -> Iterator[None]:
    """Within this context only code listed in `code` is loaded: places, or whole files."""
    token = _named.set(frozenset(code))
    try:
        yield
    finally:
        _named.reset(token)


def named_place(place: str, sha256: str, code: Collection[str]) -> str:
    """Where the user's copy of this code is: the same place, or the same name in a file with the same content."""
    where, _, attribute = place.rpartition(":")
    for entry in code:
        file = entry if entry.endswith(".py") else entry.rpartition(":")[0]
        here = f"{file}:{attribute}"
        if entry not in (file, here) or (not sha256 and here != place):
            continue
        if not sha256 or content_hash(here) == sha256:
            return here
        if Path(file).name == Path(where).name:
            raise BadInput(
                f"{file} is not the code that was used: its SHA-256 begins with {content_hash(here)[:12]}, expected {sha256[:12]}"
            )
    raise _not_named(place)


def content_hash(place: str) -> str:
    """The SHA-256 of the source file of a place."""
    where = place.rpartition(":")[0]
    try:
        spec = None if where.endswith(".py") else importlib.util.find_spec(where)
        path = Path(where) if where.endswith(".py") else Path(spec.origin if spec and spec.origin else where)
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (ImportError, ValueError, OSError) as error:
        raise BadInput(f"cannot read the source of {place!r}: {_one_line(error)}") from error


def is_place(name: str) -> bool:
    """Whether `name` is the place of a user's own code: `file.py:Name`, or `package.module:Name` with an existing module."""
    where, _, attribute = name.rpartition(":")
    if not attribute.isidentifier():
        return False
    if where.endswith(".py"):
        return True
    try:
        return all(part.isidentifier() for part in where.split(".")) and importlib.util.find_spec(where) is not None
    except (ImportError, ValueError):
        return False


def short_place(place: str) -> str:
    """A place without the folders of its file, which differ between machines."""
    where, _, attribute = place.rpartition(":")
    return f"{Path(where).name}:{attribute}" if where.endswith(".py") else place


def _not_named(place: str) -> BadInput:
    return BadInput(f"this file needs to run the code {place}: pass --code {place} to allow it")


def _module_of_file(path: Path) -> Any:
    if not path.is_file():
        raise BadInput(f"no such file: {str(path)!r}")
    name = f"separatrix_user_{path.stem}_{abs(hash(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"{str(path)!r} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look up their module while the class is created
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise BadInput(f"{str(path)!r} fails when it is loaded: {type(error).__name__}: {_one_line(error)}") from error
    return module


def _attribute(module: Any, attribute: str, place: str) -> Any:
    try:
        return getattr(module, attribute)
    except AttributeError as error:
        raise BadInput(f"{place!r}: no {attribute!r} in {place.rpartition(':')[0] or module.__name__}") from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
