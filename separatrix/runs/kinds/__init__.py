"""Kinds of trials: name -> place of the `Kind`. A user's own file is a kind only if the user allows it."""

from __future__ import annotations

from collections.abc import Collection

from separatrix.errors import BadInput
from separatrix.naming import find
from separatrix.runs.kinds.kind import Kind, Result

KINDS = {
    "no-op": "separatrix.runs.kinds.no_op:NO_OP",
    "recover": "separatrix.runs.kinds.recover:RECOVER",
    "train": "separatrix.runs.kinds.train:TRAIN",
}

__all__ = ["KINDS", "Kind", "Result", "find_kind"]


def find_kind(name: str, code: Collection[str] = ()) -> Kind:
    """The kind of this name."""
    if name not in KINDS and ":" in name and name not in code:
        raise BadInput(f"a trial needs to run the code {name}: pass --code {name} to allow it")
    kind = find(name, KINDS, "kind of trial")
    if not isinstance(kind, Kind):
        raise BadInput(f"{name} is not a kind of trial: expected a Kind, found {type(kind).__name__}")
    return kind
