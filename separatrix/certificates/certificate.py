"""A claim that was put to the test, as one sealed JSON document."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.certificates.files import write_file
from separatrix.checker import canonical


@dataclass(frozen=True)
class Certificate:
    """A sealed document that `separatrix check` judges on its own."""

    document: dict[str, Any]
    beside: tuple[tuple[str, bytes], ...] = ()  # larger weights: name and bytes of a file beside the certificate

    @property
    def holds(self) -> bool:
        """Whether the claim survived."""
        return bool(self.document["holds"])

    @property
    def counterexample(self) -> dict[str, Any] | None:
        """The first case that went wrong, if any did."""
        found: dict[str, Any] | None = self.document["result"]["counterexample"]
        return found

    def to_json(self) -> str:
        """The canonical text."""
        return canonical(self.document)

    def write(self, path: Path) -> None:
        """The certificate as a file, and its larger weights beside it."""
        for name, content in self.beside:
            write_file(path.parent / name, content)
        write_file(path, (self.to_json() + "\n").encode())
