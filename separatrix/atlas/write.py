"""Writes the atlas: all of it or nothing, and never over a folder with other content."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from separatrix.atlas import search
from separatrix.atlas.page import Page
from separatrix.atlas.pages.arguments import argument_pages
from separatrix.atlas.pages.cards import cards
from separatrix.atlas.pages.docs import docs_pages
from separatrix.atlas.pages.errata import errata_pages
from separatrix.atlas.pages.front import front_page
from separatrix.atlas.pages.hierarchy import hierarchy_page
from separatrix.atlas.pages.languages import language_page
from separatrix.atlas.pages.map import architecture_pages
from separatrix.atlas.pages.papers import paper_pages
from separatrix.atlas.pages.playground import playground_page
from separatrix.atlas.pages.published import published_page
from separatrix.atlas.pages.state_tracking import state_tracking_page
from separatrix.atlas.pages.studies import study_pages
from separatrix.atlas.pages.tasks import task_pages
from separatrix.atlas.pages.theorems import theorem_pages
from separatrix.atlas.reading.cells import cells
from separatrix.atlas.reading.material import Material, gather
from separatrix.atlas.render import render
from separatrix.errors import BadInput

MARK = ".separatrix-atlas"  # a file in every atlas: this folder may be replaced


@dataclass(frozen=True)
class Written:
    """The front page, how many certificates it stands on: judged now, with a stored verdict, and refused; and the bytes of all files."""

    page: Path
    judged: int
    reused: int
    refused: int
    size: int


def write_atlas(
    out: Path, certificates: Path, records: Path, report: Callable[[str], None] = lambda _: None, verdicts: Path | None = None
) -> Written:
    """The atlas of a folder of certificates and a folder of records."""
    need_replaceable(out)
    material = gather(certificates, records, report, verdicts)
    every = pages(material)
    files = {**render(every), search.PATH: search.search_list(every, material)}
    replace_folder(out, files)
    reused = sum(one.reused for one in material.certificates)
    return Written(out / "index.html", len(material.certificates) - reused, reused, len(material.refused), sum(map(len, files.values())))


def need_replaceable(out: Path) -> None:
    """Refuse a folder with anything but an older atlas."""
    if not out.exists():
        return
    if not out.is_dir():
        raise BadInput(f"cannot write the atlas: {str(out)!r} is not a folder")
    try:
        entries = os.listdir(out)
    except OSError as error:
        raise BadInput(f"cannot write the atlas to {str(out)!r}: {error.strerror or error}") from error
    if entries and MARK not in entries:
        raise BadInput(f"{str(out)!r} holds other files: expected a new folder, an empty one, or an older atlas")


def replace_folder(out: Path, files: Mapping[str, bytes]) -> None:
    """Write everything beside `out`, then replace what was there."""
    target = out.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    except FileExistsError as error:
        raise BadInput(f"cannot write the atlas to {str(out)!r}: {error.filename!r} is not a folder") from error
    except OSError as error:
        raise BadInput(f"cannot write the atlas to {str(out)!r}: {error.strerror or error}") from error
    draft, old = work / "new", work / "old"
    try:
        for name, content in {MARK: b"", **files}.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        _exchange(draft, target, old)
    except OSError as error:
        raise BadInput(f"cannot write the atlas to {str(out)!r}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _exchange(draft: Path, target: Path, old: Path) -> None:
    """Two renames; if the second fails for any reason, an interrupt included, the first is undone."""
    if not target.exists():
        os.rename(draft, target)
        return
    try:
        os.rename(target, old)
        os.rename(draft, target)
    finally:
        if not target.exists():
            os.rename(old, target)


def pages(material: Material) -> list[Page]:
    """Every page of the atlas."""
    certified, known = cards(material), cells(material)
    built = theorem_pages(certified, material)
    return [
        front_page(material, certified, known, built),
        playground_page(built),
        *architecture_pages(known, certified, material.records),
        published_page(),
        state_tracking_page(),
        hierarchy_page(certified, known),
        *argument_pages(certified, material.records),
        *built,
        *task_pages(certified, material.records, known),
        language_page(material.records),
        *study_pages(material.studies),
        *paper_pages(material.certificates),
        *errata_pages(),
        *docs_pages(material.studies),
    ]
