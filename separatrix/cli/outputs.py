"""Files to write, tried before minutes of work rather than after."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput

KINDS = ("svg", "png", "pdf")
FIGURES = "that ends in .svg, .png or .pdf"


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


def picture_kind(path: Path) -> str:
    """The format that a figure's name asks for; refused before anything is computed where it cannot be written."""
    kind = path.suffix.removeprefix(".").lower()
    if kind not in KINDS:
        raise BadInput(f"--figure expects a file {FIGURES}, found {str(path)!r}")
    try_file(path)
    return kind


def write_picture(path: Path, kind: str, drawing: dict[str, Any], finding: str, measured: str) -> None:
    """A figure as a file that stands alone, with what was found above it."""
    from separatrix.atlas.drawing import picture
    from separatrix.certificates.files import write_file
    from separatrix.studies.panel import standing_alone

    write_file(path, picture(standing_alone(drawing, finding, measured), kind))
