"""Files to write, tried before minutes of work rather than after."""

from __future__ import annotations

import os
from pathlib import Path

from separatrix.errors import BadInput


def try_file(path: Path) -> None:
    """Refuse a file that could not be written; leaves nothing behind."""
    if path.is_dir():
        raise BadInput(f"cannot write {str(path)!r}: it is a folder")
    _need_folder(path.parent, path)


def try_folder(path: Path) -> None:
    """Refuse a folder in which nothing could be written; leaves nothing behind."""
    if path.exists() and not path.is_dir():
        raise BadInput(f"cannot write into {str(path)!r}: it is a file")
    _need_folder(path, path)


def _need_folder(folder: Path, wanted: Path) -> None:
    """The nearest folder that exists must let us write, since the rest is made in it."""
    nearest = next((each for each in (folder, *folder.parents) if each.exists()), Path())
    probe = nearest / f".separatrix-{os.getpid()}"
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BadInput(f"cannot write {str(wanted)!r}: {error.strerror or error}") from error
