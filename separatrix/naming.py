"""Names of things: kebab-case in tables, or `file.py:Name` and `package.module:Name` for what a user brings."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput


def find(name: str, table: Mapping[str, str], kind: str) -> Any:
    """The object called `name`: an entry of `table` (name -> "module:attribute"), or one that the user points to."""
    if name in table:
        return _attribute(importlib.import_module(table[name].split(":")[0]), table[name].split(":")[1], name)
    if ":" in name:
        return load(name)
    near = difflib.get_close_matches(name, table, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise BadInput(f"unknown {kind} {name!r}: expected one of {', '.join(sorted(table)) or '(none yet)'} or file.py:Name{hint}")


def load(place: str) -> Any:
    """The object at `path/to/file.py:Name` or `package.module:Name`. This runs the code that the user names."""
    where, _, attribute = place.rpartition(":")
    if not where or not attribute:
        raise BadInput(f"expected file.py:Name or package.module:Name, found {place!r}")
    if where.endswith(".py"):
        return _attribute(_module_of_file(Path(where)), attribute, place)
    try:
        module = importlib.import_module(where)
    except ImportError as error:
        raise BadInput(f"cannot import {where!r} of {place!r}: {error}") from error
    return _attribute(module, attribute, place)


def _module_of_file(path: Path) -> Any:
    if not path.is_file():
        raise BadInput(f"no such file: {str(path)!r}")
    name = f"separatrix_user_{path.stem}_{abs(hash(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"{str(path)!r} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while the class is made
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
        raise BadInput(f"{place!r}: no {attribute!r} in {module.__name__}") from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
