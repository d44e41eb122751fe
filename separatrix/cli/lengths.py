"""What commands about bounds share: lengths, and files of certificates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

LENGTH_HELP = "N; what it counts is up to the task, and `separatrix tasks` says it (MQAR: 2 x pairs)."


def write(out: Path, document: dict[str, Any]) -> None:
    from separatrix.certificates.files import write_file
    from separatrix.checker import canonical

    write_file(out, (canonical(document) + "\n").encode())
