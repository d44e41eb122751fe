"""Reads untrusted files: regular ones only, up to a size limit, without blocking."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from separatrix.checker.budget import OverBudget
from separatrix.checker.seal import Unreadable

DOCUMENT = 1 << 24  # bytes of a certificate


def read_regular(path: Path, cap: int, what: str) -> bytes:
    """The bytes of a regular file; refuses a pipe, a device, a folder or a larger file."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # opening a pipe must not block
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Unreadable(f"cannot read {what}: {reason}") from error
    try:
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable(f"cannot read {what}: not a regular file")
            if status.st_size > cap:
                raise OverBudget(f"{what} has {status.st_size} bytes, at most {cap} are read")
            return file.read(cap + 1)[:cap]
    except OSError as error:
        raise Unreadable(f"cannot read {what}: {error.strerror or error}") from error
