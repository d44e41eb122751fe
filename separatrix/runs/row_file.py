"""An append-only file of rows, one JSON document per line; when `append` returns, the row is on the disk."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput


@dataclass(frozen=True)
class RowFile:
    """An open file of rows that no other process writes to."""

    path: Path
    handle: int

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return os.fstat(self.handle).st_size

    def append(self, row: Mapping[str, Any]) -> None:
        """Write one row through to the disk. If that fails, the file stays unchanged."""
        line = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n").encode()
        before = self.size
        try:
            while line:  # an almost full disk writes a part, and gives the reason at the next attempt
                line = line[os.write(self.handle, line) :]
            os.fsync(self.handle)
        except OSError as error:
            os.ftruncate(self.handle, before)
            raise BadInput(f"cannot write {str(self.path)!r}: {error.strerror or error}") from error

    def cut(self, size: int) -> None:
        """Drop what was written after the first `size` bytes."""
        if self.size < size:
            raise BadInput(f"{str(self.path)!r} has {self.size} bytes, but its snapshot was taken after {size}: rows are missing")
        os.ftruncate(self.handle, size)
        os.fsync(self.handle)


@contextmanager
def open_rows(path: Path) -> Iterator[RowFile]:
    """The file at `path`, created if missing; refuses a file that another process is writing to."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError as error:
        raise BadInput(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the system releases it however the process dies
        except BlockingIOError as error:
            raise BadInput(f"another process is writing to {str(path)!r}") from error
        yield RowFile(path, handle)
    finally:
        os.close(handle)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file; an incomplete last line is ignored."""
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {str(path)!r}: {error}") from error
    whole, _, _ = text.rpartition("\n")
    rows = []
    for number, line in enumerate(whole.split("\n") if whole else [], 1):
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise BadInput(f"{str(path)!r}: line {number} is not JSON") from error
    return rows
