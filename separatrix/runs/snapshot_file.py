"""A snapshot as one safetensors file: weights, optimiser moments, and, in the header, the progress of the run and its rows."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save

from separatrix.certificates.files import write_file
from separatrix.errors import BadInput
from separatrix.training.snapshots import Progress, Snapshot

SCHEMA, VERSION = "separatrix/snapshot", 1
WEIGHTS, MOMENTS = "model.", "optimiser."


@dataclass(frozen=True)
class Stored:
    """A snapshot, and the files that belong to it."""

    snapshot: Snapshot
    rows_bytes: int  # size of the file of rows when it was taken
    spec: str  # digest of what is being run


def write_snapshot(path: Path, stored: Stored) -> None:
    """Replace the previous snapshot, whole or not at all."""
    snapshot = stored.snapshot
    tensors = {f"{WEIGHTS}{name}": tensor.contiguous() for name, tensor in snapshot.weights.items()}
    tensors |= {f"{MOMENTS}{name}": tensor.contiguous() for name, tensor in snapshot.moments.items()}
    about = {"progress": asdict(snapshot.progress), "rows_bytes": stored.rows_bytes, "spec": stored.spec}
    header = {"schema": SCHEMA, "version": str(VERSION), "about": json.dumps(about, sort_keys=True, allow_nan=False)}
    write_file(path, save(tensors, metadata=header))


def read_snapshot(path: Path) -> Stored:
    """Read the last snapshot."""
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise BadInput(f"cannot read {str(path)!r}: not a regular file")
        content = path.read_bytes()
        tensors, about = load(content), _about(content)
        progress = Progress(**about["progress"])
        weights = {name.removeprefix(WEIGHTS): tensor for name, tensor in tensors.items() if name.startswith(WEIGHTS)}
        moments = {name.removeprefix(MOMENTS): tensor for name, tensor in tensors.items() if name.startswith(MOMENTS)}
        return Stored(Snapshot(progress, weights, moments), int(about["rows_bytes"]), str(about["spec"]))
    except OSError as error:
        raise BadInput(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{str(path)!r} is not a snapshot: {' '.join(str(error).split())[:200]}") from error


def _about(content: bytes) -> dict[str, Any]:
    """The metadata of the header; safetensors reads it only from files, not from bytes."""
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])["__metadata__"]
    if (header.get("schema"), header.get("version")) != (SCHEMA, str(VERSION)):
        raise ValueError(f"expected schema {SCHEMA} version {VERSION}, found {header.get('schema')} version {header.get('version')}")
    about: dict[str, Any] = json.loads(header["about"])
    return about
