"""Everything the atlas shows, read once: certificates, and the studies with their rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from separatrix.atlas.found import Found, Unread, find_certificates
from separatrix.studies import Row, Study, studies


@dataclass(frozen=True)
class Answered:
    """A study and the rows that answer it."""

    study: Study
    rows: list[Row]


@dataclass(frozen=True)
class Material:
    """What the pages are made from; the papers are data of the package and need no reading."""

    certificates: tuple[Found, ...]
    unread: tuple[Unread, ...]
    studies: tuple[Answered, ...]


def gather(folder: Path) -> Material:
    """The certificates of a folder and the rows of every study."""
    certificates, unread = find_certificates(folder)
    return Material(certificates, unread, tuple(Answered(study, study.rows()) for study in studies()))
