"""Reads untrusted files: regular ones only, up to a size limit, without blocking; a document may be packed with gzip."""

from __future__ import annotations

import os
import stat
import zlib
from pathlib import Path

from separatrix.checker.budget import OverBudget
from separatrix.checker.seal import Unreadable

DOCUMENT = 1 << 24  # bytes of a certificate
PACKED = b"\x1f\x8b"  # how a gzip file begins; no JSON document does


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


def read_packed(path: Path, cap: int, what: str) -> bytes:
    """The bytes of a regular file, unpacked if it is one gzip member; refuses what unpacks to more than the limit, without unpacking it."""
    raw = read_regular(path, cap, what)
    if not raw.startswith(PACKED):
        return raw
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        content = unpacker.decompress(raw, cap + 1)
    except zlib.error as error:
        raise Unreadable(f"cannot read {what}: a damaged gzip file") from error
    if len(content) > cap:
        raise OverBudget(f"{what} unpacks to more than {cap} bytes, at most {cap} are read")
    if not unpacker.eof or unpacker.unused_data:
        raise Unreadable(f"cannot read {what}: a gzip file that is cut short, or goes on after its end")
    return content
