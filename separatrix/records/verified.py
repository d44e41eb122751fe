"""Constructions that were verified here before: which certificate came of it, for this code and these settings.

Nothing is reused on the word of this note alone: the certificate must still have the bytes that were written, and the checker's verdict on
them comes from `verdicts.py`.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.checker import Verdict, canonical
from separatrix.records.keyed import read_keyed, write_keyed
from separatrix.records.record import code_digest
from separatrix.records.verdicts import bound_to, judge

if TYPE_CHECKING:
    from separatrix.certificates.certificate import Certificate

SCHEMA, VERSION = "separatrix/verified", 1


@dataclass(frozen=True)
class Verified:
    """A certificate in its file, the checker's verdict on it, and whether it was there already."""

    path: Path
    holds: bool  # the claim held when the model was run; else the certificate is that of the counterexample
    verdict: Verdict
    unproven: tuple[str, ...]
    reused: bool

    @property
    def document(self) -> dict[str, Any]:
        """The certificate as JSON."""
        found: dict[str, Any] = json.loads(self.path.read_bytes())
        return found


@cache
def code_version() -> str:
    """What can change a certificate: the sources of the package, and the libraries that its weights are computed with."""
    try:
        torch = version("torch")
    except PackageNotFoundError:
        torch = "none"
    return f"{code_digest()} torch {torch} numpy {np.__version__} python {platform.python_version()}"


def verified(name: str, settings: Mapping[str, Any], out: Path, file: Callable[[Certificate], str], fresh: bool = False) -> Verified:
    """The certificate of a construction under `out`: the one that is there if it is up to date, else made and judged now.

    `file` names a certificate. With `fresh` nothing is reused, neither the certificate nor a verdict.
    """
    asked = {"name": name, "settings": json.loads(canonical(dict(settings)))}
    place = out / "verified" / f"{hashlib.sha256(canonical(asked).encode()).hexdigest()[:32]}.json"
    head = {"schema": SCHEMA, "version": VERSION, "asked": asked, "code": code_version()}
    if not fresh and (found := _reused(place, head, out)) is not None:
        return found

    from separatrix.certificates.verify import verify
    from separatrix.constructions import build

    certificate = verify(build(name, **settings))
    path = out / "certificates" / f"{file(certificate)}.json"
    _remove_earlier(place, asked, out, path)
    certificate.write(path)
    verdict, _ = judge(path, None if fresh else out / "verdicts")
    if certificate.holds and verdict.holds:
        write_keyed(place, {**head, "file": path.name, "bytes": bound_to(path), "unproven": list(certificate.unproven)})
    return Verified(path, certificate.holds, verdict, certificate.unproven, False)


def _remove_earlier(place: Path, asked: dict[str, Any], out: Path, new: Path) -> None:
    """Delete the certificate that earlier code wrote here for the same settings, if nobody has touched it since; others stay."""
    note = read_keyed(place)
    if note is None or note.get("schema") != SCHEMA or note.get("asked") != asked:
        return
    old = out / "certificates" / Path(note["file"]).name
    if old != new and note["bytes"] is not None and bound_to(old) == note["bytes"]:
        old.unlink()


def _reused(place: Path, head: dict[str, Any], out: Path) -> Verified | None:
    """What the note at `place` says, if the note, the certificate and the verdict on it are all still good."""
    note = read_keyed(place)
    if note is None or {key: note.get(key) for key in head} != head:
        return None
    path = out / "certificates" / Path(note["file"]).name
    if bound_to(path) != note["bytes"]:
        return None
    verdict, _ = judge(path, out / "verdicts")
    return Verified(path, True, verdict, tuple(note["unproven"]), True) if verdict.holds else None
