"""Shared by the commands about bounds: the --length option, and writing certificates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

LENGTH_HELP = "N; `separatrix tasks` says what it counts for each task (MQAR: 2 x pairs)."


def write(out: Path, document: dict[str, Any]) -> None:
    from separatrix.certificates.files import write_file
    from separatrix.checker import canonical

    write_file(out, (canonical(document) + "\n").encode())
