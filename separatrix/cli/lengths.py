"""What commands share: the length N beside `--set`, and files of certificates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.errors import BadInput
from separatrix.parameters import settings

LENGTH_HELP = "N; what it counts is up to the task, and `separatrix tasks` says it (MQAR: 2 x pairs)."


def with_length(chosen: tuple[str, ...], length: int | None) -> dict[str, Any]:
    """What `--set` and `--length` choose together; one of them says the length, not both."""
    parameters: dict[str, Any] = dict(settings(chosen))
    if length is None:
        return parameters
    if "length" in parameters:
        raise BadInput(f"--length {length} and --set length={parameters['length']} are both given: drop one of them")
    return {**parameters, "length": length}


def write(out: Path, document: dict[str, Any]) -> None:
    from separatrix.certificates.files import write_file
    from separatrix.checker import canonical

    write_file(out, (canonical(document) + "\n").encode())
