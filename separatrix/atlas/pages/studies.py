"""One page for each study: question, prediction, figure, and the rows behind it."""

from __future__ import annotations

import json
from dataclasses import asdict

from separatrix.atlas.drawing import draw
from separatrix.atlas.page import Page, Section, slug, study_path
from separatrix.atlas.reading.material import AnsweredStudy
from separatrix.atlas.typography import title
from separatrix.studies.study import DURING

STATUS = "status"
FEW = 30  # up to this many rows the table starts open


def study_pages(answered: tuple[AnsweredStudy, ...]) -> list[Page]:
    """A page that lists all studies, and the page of each."""
    rows = [(s.question, study_path(s.name), s.prediction, s.evidence, s.answer(one.rows)) for one in answered for s in (one.study,)]
    lead = "Each study asks one question, says what the papers predict, and whether its rows bear that out."
    listed = Section("studies", f"{len(rows)} studies", "studies.html", {"rows": rows})
    return [Page("studies.html", "Studies", "All studies", "Studies", lead, (listed,)), *(study_page(one) for one in answered)]


def study_page(answered: AnsweredStudy) -> Page:
    """The page of one study."""
    section = study_section(answered)
    return Page(study_path(answered.study.name), section.short, section.short, "Studies", "", (section,))


def study_section(answered: AnsweredStudy) -> Section:
    """A study as a section, for its own page and for the front page."""
    study, all_rows = answered.study, answered.rows
    rows = [row for row in all_rows if row.get(STATUS) != DURING]  # the others are in the figure, and in the file
    every = list(dict.fromkeys(column for row in rows for column in row))  # rows of different panels may have different columns
    columns = [column for column in every if any(row.get(column) is not None for row in rows)]
    columns.sort(key=lambda column: column != STATUS)  # what has not been run says so first
    answer = study.answer(all_rows)
    file = f"rows/{slug(study.name)}.json"
    content = {
        "study": study,
        "answer": answer,
        "panels": draw(study.figure(all_rows)),
        "columns": columns,
        "silent": [column.replace("_", " ") for column in every if column not in columns],
        "numeric": {column for column in columns if all(isinstance(row.get(column), int | float | None) for row in rows)},
        "rows": [[row.get(column) for column in columns] for row in rows],
        "open": len(rows) <= FEW,
        "during": len(all_rows) - len(rows),
        "file": file,
        "page": study_path(study.name),
    }
    said = [{column: value for column, value in row.items() if value is not None} for row in all_rows]
    document = json.dumps(
        {"study": study.name, "cites": study.cites, "answer": asdict(answer), "rows": said},
        ensure_ascii=False,
        separators=(",", ":"),
    )
    short = title(study.name)
    return Section(slug(study.name), study.question, "study.html", content, {file: document.encode()}, short)
