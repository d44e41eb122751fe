"""Certificates as they lie in a folder. They are read, and their seals are looked at; `separatrix check` judges them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.checker import Refused, Unreadable, digest
from separatrix.checker.seal import read
from separatrix.errors import BadInput

SCHEMA = "separatrix/certificate"


@dataclass(frozen=True)
class Found:
    """A certificate file, word for word, and what its document says."""

    file: str
    content: bytes
    document: dict[str, Any]
    intact: bool  # whether the digest fits the content
    weights: tuple[tuple[str, bytes], ...] = ()  # a larger file of weights beside it: name and bytes

    def part(self, name: str) -> dict[str, Any]:
        """A part of the document that is itself a dictionary; empty where there is none."""
        value = self.document.get(name)
        return value if isinstance(value, dict) else {}

    @property
    def cites(self) -> str:
        """The statement that is certified; empty for a document without one."""
        return str(self.part("statement").get("cites", ""))

    @property
    def subject(self) -> str:
        """What was built, or else what kind of certificate this is."""
        return str(self.part("statement").get("construction") or self.document.get("kind", "certificate"))

    @property
    def digest(self) -> str:
        """The SHA-256 that it states."""
        return str(self.document.get("digest", ""))

    @property
    def task(self) -> str:
        """The task it is about; empty for a document without one."""
        return str(self.part("statement").get("task", ""))

    @property
    def settings(self) -> dict[str, Any]:
        """What was chosen, N first: parameters of the task and of the construction, and the arithmetic."""
        recorded = {**self.part("task_parameters"), **self.part("parameters"), "arithmetic": self.document.get("arithmetic")}
        return {"length": recorded.pop("length", None), **recorded}

    @property
    def length(self) -> int | None:
        """The paper's N, where there is one."""
        length = self.settings["length"]
        return length if isinstance(length, int) else None

    @property
    def holds(self) -> bool:
        """Whether the document says that the claim holds and nobody edited it."""
        return self.intact and self.document.get("holds") is True


@dataclass(frozen=True)
class Unread:
    """A file that is no certificate, and why."""

    file: str
    reason: str


def find_certificates(folder: Path) -> tuple[tuple[Found, ...], tuple[Unread, ...]]:
    """Every `*.json` of a folder, sorted so that lengths count up: certificates, and files that are none."""
    if not folder.is_dir():
        raise BadInput(f"no folder of certificates at {str(folder)!r}: `separatrix verify --all --out build/` writes build/certificates")
    seen = [read_certificate(path) for path in sorted(folder.glob("*.json"))]
    found = sorted((one for one in seen if isinstance(one, Found)), key=_order)
    return tuple(found), tuple(one for one in seen if isinstance(one, Unread))


def read_certificate(path: Path) -> Found | Unread:
    """One file: a document of the schema, or the reason why it is not."""
    try:
        content = path.read_bytes()
        document = read(content.decode())
    except OSError as error:
        return Unread(path.name, str(error.strerror or error))
    except UnicodeDecodeError:
        return Unread(path.name, "not UTF-8 text")
    except (Unreadable, Refused) as error:
        return Unread(path.name, str(error))
    if document.get("schema") != SCHEMA:
        return Unread(path.name, f"unknown schema {document.get('schema')!r}: expected {SCHEMA!r}")
    return Found(path.name, content, document, document.get("digest") == digest(document), _beside(path, document))


def _beside(path: Path, document: dict[str, Any]) -> tuple[tuple[str, bytes], ...]:
    weights = document.get("weights")
    name = weights.get("file") if isinstance(weights, dict) else None
    if not isinstance(name, str) or Path(name).name != name or not (path.parent / name).is_file():
        return ()
    return ((name, (path.parent / name).read_bytes()),)


def _order(one: Found) -> tuple[int, str]:
    return one.length or 0, one.file
