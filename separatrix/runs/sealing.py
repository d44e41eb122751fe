"""Checksums of what a store holds, so that a changed byte is seen."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from separatrix.checker.seal import canonical

SEALED = ("ended", "outcome", "reason", "log", "seconds", "machine")  # of an attempt


def row_checksum(trial: str, number: int, text: str) -> str:
    """Of one row, at its place."""
    return hashlib.sha256(f"{trial}\n{number}\n{text}".encode()).hexdigest()


def rows_digest(checksums: Sequence[str]) -> str:
    """Of all rows of a trial: a row that is lost, doubled or moved changes it."""
    return hashlib.sha256("\n".join(checksums).encode()).hexdigest()


def attempt_checksum(trial: str, number: int, ended: Mapping[str, Any]) -> str:
    """Of how an attempt ended."""
    return hashlib.sha256(canonical([trial, number, *(ended[name] for name in SEALED)]).encode()).hexdigest()
