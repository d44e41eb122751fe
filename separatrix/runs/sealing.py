"""Checksums over the content of a store, so that a changed byte is detected."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from separatrix.checker.seal import canonical

SEALED = ("ended", "outcome", "reason", "log", "seconds", "machine")  # of an attempt


def row_checksum(trial: str, number: int, text: str) -> str:
    """The checksum of one row, including its position."""
    return hashlib.sha256(f"{trial}\n{number}\n{text}".encode()).hexdigest()


def rows_digest(checksums: Sequence[str]) -> str:
    """The digest of all rows of a trial: a lost, repeated or moved row changes it."""
    return hashlib.sha256("\n".join(checksums).encode()).hexdigest()


def attempt_checksum(trial: str, number: int, ended: Mapping[str, Any]) -> str:
    """The checksum of an attempt's outcome."""
    return hashlib.sha256(canonical([trial, number, *(ended[name] for name in SEALED)]).encode()).hexdigest()
