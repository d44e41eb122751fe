"""The certificates of a folder, each with the checker's verdict: no document is believed on its own word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.checker import Verdict
from separatrix.checker.files import DOCUMENT, read_regular
from separatrix.checker.seal import read
from separatrix.errors import BadInput
from separatrix.records.verdicts import judge


@dataclass(frozen=True)
class CertificateFile:
    """A certificate that the checker accepts: its bytes, its document and the verdict."""

    file: str
    content: bytes
    document: dict[str, Any]
    verdict: Verdict
    weights: tuple[tuple[str, bytes], ...] = ()  # a larger file of weights beside it: name and bytes
    reused: bool = False  # the verdict was reached before, by the same checker on the same bytes

    def part(self, name: str) -> dict[str, Any]:
        """A part of the document that is itself a dictionary; empty if there is none."""
        value = self.document.get(name)
        return value if isinstance(value, dict) else {}

    @property
    def place(self) -> str:
        """Its path inside the atlas, packed."""
        return f"certificates/{self.file}.gz"

    @property
    def cites(self) -> str:
        """The statement that is certified; empty for a document without one."""
        return str(self.document.get("cites", ""))

    @property
    def subject(self) -> str:
        """The construction, or else the kind of certificate."""
        return str(self.document.get("construction") or self.document.get("kind", "certificate"))

    @property
    def digest(self) -> str:
        """The SHA-256 that it states."""
        return str(self.document.get("digest", ""))

    @property
    def task(self) -> str:
        """The task it is about; empty for a document without one."""
        return str(self.part("claim").get("task", ""))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings, N first: parameters of the task, and the arithmetic."""
        parameters, model = self.part("claim").get("parameters"), self.part("program").get("model")
        recorded = {**(parameters if isinstance(parameters, dict) else {})}
        if isinstance(model, dict):
            recorded["arithmetic"] = model.get("arithmetic")
        return {"length": recorded.pop("length", None), **recorded}

    @property
    def length(self) -> int | None:
        """The paper's N, if there is one."""
        length = self.settings["length"]
        return length if isinstance(length, int) else None


@dataclass(frozen=True)
class RefusedFile:
    """A file that is not a certificate, or one that the checker refuses, and why."""

    file: str
    reason: str


def find_certificates(
    folder: Path, report: Callable[[str], None] = lambda _: None, verdicts: Path | None = None
) -> tuple[tuple[CertificateFile, ...], tuple[RefusedFile, ...]]:
    """Every `*.json` of a folder, in order of length: those that the checker accepts, and the others with its reason.

    In the folder `verdicts` lie verdicts that were reached here before; without it the checker runs on every file.
    """
    if not folder.is_dir():
        raise BadInput(f"no folder of certificates at {str(folder)!r}: `separatrix verify --all --out build/` writes build/certificates")
    files, paths = [], sorted(folder.glob("*.json"))
    for number, path in enumerate(paths, 1):
        report(f"checking certificate {number} of {len(paths)}: {path.name}")
        files.append(read_certificate(path, verdicts))
    accepted = sorted((one for one in files if isinstance(one, CertificateFile)), key=_order)
    return tuple(accepted), tuple(one for one in files if isinstance(one, RefusedFile))


def read_certificate(path: Path, verdicts: Path | None = None) -> CertificateFile | RefusedFile:
    """One file: a certificate that the checker accepts, or the reason why not."""
    verdict, reused = judge(path, verdicts)
    if not verdict.holds:
        return RefusedFile(path.name, verdict.reason)
    content = read_regular(path, DOCUMENT, path.name)
    document = read(content.decode())
    return CertificateFile(path.name, content, document, verdict, weights_beside(path, document), reused)


def weights_beside(path: Path, document: dict[str, Any]) -> tuple[tuple[str, bytes], ...]:
    """The file of weights that a document refers to, if it is in the same folder."""
    weights = document.get("weights")
    name = weights.get("file") if isinstance(weights, dict) else None
    if not isinstance(name, str) or Path(name).name != name or not (path.parent / name).is_file():
        return ()
    return ((name, (path.parent / name).read_bytes()),)


def _order(one: CertificateFile) -> tuple[int, str]:
    return one.length or 0, one.file
