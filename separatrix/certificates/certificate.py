"""`Certificate`: a tested claim as one sealed JSON document."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from separatrix.certificates.files import write_file
from separatrix.checker import canonical


@dataclass(frozen=True)
class Certificate:
    """A sealed document that `separatrix check` judges on its own.

    If the claim failed, the document is that of the counterexample, provided that the checker knows the task.
    """

    document: dict[str, Any]
    holds: bool
    counterexample: dict[str, Any] | None = None  # the first wrong case, if any
    beside: tuple[tuple[str, bytes], ...] = ()  # larger weights: name and bytes of a file beside the certificate
    more: tuple[dict[str, Any], ...] = field(default=())  # additional cases that were run and are not sealed: family, cases, errors
    unproven: tuple[str, ...] = ()  # where it is not proven: for each rule that speaks of the task, the hypothesis that failed

    @property
    def strength(self) -> str:
        """How strongly the claim is shown; empty where it failed, though the document then proves that the weights are wrong."""
        return str(self.document["strength"]) if self.holds else ""

    def to_json(self) -> str:
        """The canonical JSON text, which the digest is of."""
        return canonical(self.document)

    def write(self, path: Path) -> None:
        """Write the certificate to a file, with larger weights beside it."""
        for name, content in self.beside:
            write_file(path.parent / name, content)
        write_file(path, (self.to_json() + "\n").encode())
