"""One page for each study: question, prediction, figure, and the rows behind it."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict

from separatrix.atlas.drawing import draw
from separatrix.atlas.page import Page, Section, slug, study_path
from separatrix.atlas.reading.material import AnsweredStudy
from separatrix.atlas.typography import number, title
from separatrix.studies.panel import left_out
from separatrix.studies.study import DURING

STATUS = "status"
ORDER = ("held", "failed", "untested")
SETUP = (
    "task",
    "model",
    "series",
    "kind",
    "length",
    "width",
    "layers",
    "heads",
    "symbols",
    "seed",
    "steps",
    "seeds",
)  # columns that say what was run
MOST_VALUES = 12  # of a column that are listed one by one
EVIDENCE = {
    "trained": "trained models; the results are shipped",
    "computed": "computed, without training",
    "trained when it is asked": "models trained within seconds, when the pages are made",
}

ARGUMENT_PAGES = (
    ("state-tracking.html", "Can Mamba track state?", "every regular language with at most four states, decided"),
    ("hierarchy.html", "Which class contains which", "what a chain of thought, retrieval and attention add"),
    ("restriction.html", "A restriction, layer by layer", "why hard attention fails at PARITY"),
    ("dialogues.html", "Models as dialogues", "why one layer of attention must be wide"),
    ("collision.html", "Two prefixes, one state", "why a recurrent model must be large"),
)


def study_pages(answered: tuple[AnsweredStudy, ...]) -> list[Page]:
    """A page that lists all studies, and the page of each."""
    rows = [(s.question, study_path(s.name), EVIDENCE[s.evidence], s.answer(one.rows)) for one in answered for s in (one.study,)]
    rows.sort(key=lambda row: ORDER.index(row[3].verdict))
    lead = "Each study asks one question and answers it with numbers: the papers' prediction held, failed, or is untested at our budget."
    listed = Section("studies", f"{len(rows)} studies", "studies.html", {"rows": rows})
    arguments = Section("arguments", "Arguments, drawn", "more.html", {"pages": ARGUMENT_PAGES})
    return [Page("studies.html", "Findings", "All studies", "Studies", lead, (listed, arguments)), *(study_page(one) for one in answered)]


def study_page(answered: AnsweredStudy) -> Page:
    """The page of one study."""
    section = study_section(answered)
    return Page(study_path(answered.study.name), answered.study.question, section.short, "Studies", "", (section,))


def study_section(answered: AnsweredStudy) -> Section:
    """A study as a section, for its own page and for the front page."""
    study, all_rows = answered.study, answered.rows
    rows = [row for row in all_rows if row.get(STATUS) != DURING]  # the others are in the figure, and in the file
    every = list(dict.fromkeys(column for row in rows for column in row))  # rows of different panels may have different columns
    columns = [column for column in every if any(row.get(column) is not None for row in rows)]
    columns.sort(key=lambda column: column != STATUS)  # what has not been run says so first
    answer, figure = study.answer(all_rows), study.figure(all_rows)
    file = f"rows/{slug(study.name)}.json.gz"
    content = {
        "study": study,
        "answer": answer,
        "panels": draw(figure),
        "left_out": left_out(figure),
        "columns": columns,
        "silent": [column.replace("_", " ") for column in every if column not in columns],
        "numeric": {column for column in columns if all(isinstance(row.get(column), int | float | None) for row in rows)},
        "rows": [[row.get(column) for column in columns] for row in rows],
        "setup": setup(answered),
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
    return Section(slug(study.name), "Answer", "study.html", content, {file: gzip.compress(document.encode(), mtime=0)}, short, quiet=True)


def setup(answered: AnsweredStudy) -> list[tuple[str, str]]:
    """What was run, from the rows: the evidence, and the values of each column that describes a run."""
    study, rows = answered.study, [row for row in answered.rows if row.get(STATUS) != DURING]
    found = [("evidence", EVIDENCE[study.evidence]), ("rows", str(len(rows)))]
    for column in SETUP:
        values = list(dict.fromkeys(row[column] for row in rows if row.get(column) is not None))
        if not values or len(values) == len(rows) > MOST_VALUES:
            continue
        if all(isinstance(value, int) for value in values):
            values.sort()
        few = (
            values if len(values) <= MOST_VALUES else [values[0], "..", values[-1]] if isinstance(values[0], int) else values[:MOST_VALUES]
        )
        more = "" if len(few) != MOST_VALUES or len(values) == len(few) else f" and {len(values) - len(few)} more"
        found.append(("N" if column == "length" else column, ", ".join(number(value) for value in few) + more))
    return found
