"""Everything the atlas shows, read once: certificates with their verdicts, and the records of tasks, languages, traces and studies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.atlas.reading.certificates import CertificateFile, RefusedFile, find_certificates
from separatrix.records.record import read_record
from separatrix.records.write import record_path
from separatrix.studies import Row, Study, studies


@dataclass(frozen=True)
class Records:
    """A folder of stored records; for a missing one the error says which command writes it."""

    folder: Path

    def content(self, kind: str, name: str) -> Any:
        """The content of a record."""
        return read_record(record_path(self.folder, kind, name), kind)["content"]


@dataclass(frozen=True)
class AnsweredStudy:
    """A study and the rows that answer it."""

    study: Study
    rows: list[Row]


@dataclass(frozen=True)
class Material:
    """Everything that the pages need; the papers are part of the package."""

    certificates: tuple[CertificateFile, ...]
    refused: tuple[RefusedFile, ...]
    studies: tuple[AnsweredStudy, ...]
    records: Records


def gather(certificates: Path, records: Path, report: Callable[[str], None] = lambda _: None, verdicts: Path | None = None) -> Material:
    """The certificates of one folder, judged or with a stored verdict, and the records of another."""
    stored = Records(records)
    answered = tuple(AnsweredStudy(study, study.rows(stored.content("rows", study.name))) for study in studies())
    return Material(*find_certificates(certificates, report, verdicts), answered, stored)
