"""Verdicts of the checker, reached once: each is bound to the bytes it was reached on, and to the checker that reached it.

A stored verdict is reused only for a file with the same bytes, weights beside it included, by the same checker under the same NumPy and
Python, and only if it was stored here (`keyed.py`). Refusals are not stored: a refused file is judged every time. `separatrix check`
reads no stored verdict.
"""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from separatrix.checker import Verdict, check_file
from separatrix.checker.files import DOCUMENT, read_regular
from separatrix.checker.seal import Unreadable
from separatrix.records.keyed import read_keyed, write_keyed
from separatrix.records.record import package_digest

SCHEMA, VERSION = "separatrix/verdict", 1
WEIGHTS = 1 << 33  # bytes of a file of weights that is hashed
PIECE = 1 << 20


@cache
def checker_version() -> str:
    """The checker as it runs here: its sources, NumPy and Python."""
    return f"{package_digest(('checker',))} numpy {np.__version__} python {platform.python_version()}"


def judge(path: Path, verdicts: Path | None) -> tuple[Verdict, bool]:
    """The verdict on a certificate, and whether it is a stored one; without a folder of verdicts the checker runs."""
    bytes_of = None if verdicts is None else bound_to(path)
    if verdicts is None or bytes_of is None:
        return check_file(path), False
    place = place_of(bytes_of, verdicts)
    head = {"schema": SCHEMA, "version": VERSION, "checker": checker_version(), "bytes": bytes_of}
    stored = read_keyed(place)
    if stored is not None and {name: stored.get(name) for name in head} == head:
        return _verdict(stored["verdict"]), True
    verdict = check_file(path)
    if verdict.holds and bound_to(path) == bytes_of:  # the file did not change while it was judged
        write_keyed(place, {**head, "verdict": asdict(verdict)})
    return verdict, False


def place_of(bytes_of: dict[str, str], verdicts: Path) -> Path:
    """Where the verdict on these bytes is stored."""
    return verdicts / f"{hashlib.sha256(json.dumps(bytes_of).encode()).hexdigest()[:32]}.json"


def bound_to(path: Path) -> dict[str, str] | None:
    """The SHA-256 of a certificate's bytes and of the weights beside it; None for a file that cannot be read as one."""
    try:
        raw = read_regular(path, DOCUMENT, path.name)
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    found = {"document": hashlib.sha256(raw).hexdigest()}
    weights = document.get("weights") if isinstance(document, dict) else None
    name = weights.get("file") if isinstance(weights, dict) else None
    if name is None:
        return found
    try:
        return {**found, "weights": _file_hash(path.parent / name)}
    except (OSError, TypeError, ValueError):
        return None


def _file_hash(path: Path) -> str:
    if not path.is_file() or path.stat().st_size > WEIGHTS:
        raise Unreadable(f"no file of weights at {str(path)!r}")
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            whole.update(piece)
    return whole.hexdigest()


def _verdict(stored: dict[str, Any]) -> Verdict:
    return Verdict(**{**stored, "evidence": tuple(stored["evidence"])})
