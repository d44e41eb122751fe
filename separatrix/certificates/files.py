"""Atomic writes: a file or a folder appears whole, by one rename."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from separatrix.checker.seal import canonical
from separatrix.errors import BadInput


def write_file(path: Path, content: bytes) -> None:
    """Write the whole file or no file, even if the process is killed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise BadInput(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        os.replace(name, path)
    except OSError as error:
        raise BadInput(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    finally:
        Path(name).unlink(missing_ok=True)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder with these files: a new one is prepared beside its place and moved there in one step."""
    if folder.exists():
        for name, content in files.items():
            write_file(folder / name, content)
        return
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise BadInput(f"cannot write {str(folder)!r}: {error.strerror or error}") from error
    try:
        for name, content in files.items():
            write_file(draft / name, content)
        draft.chmod(0o755)
        os.replace(draft, folder)
    except OSError as error:
        raise BadInput(f"cannot write {str(folder)!r}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_document(path: Path, document: dict[str, Any]) -> None:
    """A sealed document as one line of canonical JSON."""
    write_file(path, (canonical(document) + "\n").encode())
