"""The front page: a question that the ledger answers, three pictures, the whole map, and three results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separatrix.architectures import COLUMN_GROUPS, Architecture
from separatrix.atlas.drawing import draw
from separatrix.atlas.drawn import draw_example
from separatrix.atlas.drawn.collision import collision_picture
from separatrix.atlas.drawn.tally import tally_picture
from separatrix.atlas.page import Page, Section, study_path
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.pages.errata import errata_counts
from separatrix.atlas.pages.map import Cells, map_section, pages_of
from separatrix.atlas.pages.playground import packed_script
from separatrix.atlas.reading.asked import Reply, replies
from separatrix.atlas.reading.material import Material
from separatrix.atlas.typography import number
from separatrix.ledger.needs import LENGTHS
from separatrix.papers import PAPERS, statements
from separatrix.records.task_choices import drawn_task
from separatrix.tasks import TASKS, task_class

QUESTION = "What can a sequence model of this size do, and what can it provably not do?"
LEAD = (
    "Transformers, Mamba, DeltaNet, LSTMs and hybrids on tasks such as recall, brackets and state tracking: the memory each provably "
    "needs, exact weights that do it, and what training finds. What is proven or built has a certificate that anyone can check."
)
ANSWERS = "assets/answers.js"
FIRST = ("parity", Architecture.MAMBA, LENGTHS[-1])  # what the sentence asks when the page opens
RESULTS = ("separatrix", "memory-of-lookup", "trade-offs")  # the studies whose first panel is shown


def front_page(material: Material, cards: list[Card], cells: Cells, built: list[Page]) -> Page:
    """index.html; `built` are the pages of certificates, some of which run weights."""
    playable = frozenset(page.path for page in built if any(section.anchor == "play" for section in page.sections))
    sections = (
        ask_section(cells, pages_of(cards), playable),
        pictures_section(material, cells, pages_of(cards)),
        map_section(cells, cards),
        results_section(material),
        reading(material),
    )
    return Page("index.html", QUESTION, "Map", "Atlas", LEAD, sections)


def ask_section(cells: Cells, pages: Mapping[str, str], playable: frozenset[str]) -> Section:
    """The sentence with three choices; every answer is in one file that the page reads, each text once."""
    known = replies(cells, pages, playable)
    texts: dict[str, int] = {}

    def place(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def packed(one: Reply) -> list[Any]:
        return [place(one.tone), place(one.headline), place(one.run), *((place(why.text), place(why.link)) for why in one.reasons)]

    answers = [[[packed(one) for one in at] for at in row.values()] for row in known.values()]
    files = {ANSWERS: packed_script("ANSWERS", {"texts": list(texts), "answers": answers})}
    task, architecture, N = FIRST
    content = {
        "tasks": grouped_tasks(),
        "groups": COLUMN_GROUPS,
        "lengths": LENGTHS,
        "first": FIRST,
        "reply": known[task][architecture][LENGTHS.index(N)],
        "script": ANSWERS,
    }
    return Section("ask", "Ask", "ask.html", content, files, quiet=True)


def grouped_tasks() -> list[tuple[str, list[tuple[int, str, str]]]]:
    """The tasks by family: number, name and title."""
    families: dict[str, list[tuple[int, str, str]]] = {}
    for place, name in enumerate(TASKS):
        families.setdefault(task_class(name).about, []).append((place, name, task_class(name).title))
    return list(families.items())


def pictures_section(material: Material, cells: Cells, pages: Mapping[str, str]) -> Section:
    """Three pictures, each with one sentence and the page behind it."""
    shown = []
    longest = max(cells["index-lookup"][Architecture.ONE_LAYER].known.built(), key=lambda fact: fact.lengths.N or 0, default=None)
    if longest is not None:
        row = tuple(material.records.content("task", "index-lookup")["examples"]["families"]["random"][0])
        title = f"A Transformer that looks up 1 of {number(longest.lengths.N)} symbols with width {number(longest.value)}"
        page = pages.get(longest.evidence.key, "built.html")
        shown.append(
            (title, "Type an input and watch the certified weights answer.", page, draw_example(drawn_task("index-lookup"), row).picture)
        )
    record = material.records.content("argument", "collision")
    why = "Two inputs leave it in one state. From then on it cannot tell them apart."
    shown.append(("Why a small RNN must fail", why, "collision.html", collision_picture(record, noted=False).picture))
    counts = errata_counts()
    total = sum(sum(row.values()) for _, row in counts)
    repair = f"{total} errors, gaps and misprints, found by running every proof. Nearly every theorem stands."
    shown.append(("Where the papers need repair", repair, "errata.html", tally_picture(counts)))
    return Section("start", "Start here", "pictures.html", {"pictures": shown}, quiet=True)


def results_section(material: Material) -> Section:
    """Three studies: the question, the answer of their rows, and one panel."""
    by_name = {one.study.name: one for one in material.studies}
    shown = []
    for name in RESULTS:
        if name in by_name:
            one = by_name[name]
            shown.append((one.study.question, study_path(name), one.study.answer(one.rows), draw(one.study.figure(one.rows))[0]))
    return Section("results", "Three results", "results.html", {"results": shown, "studies": len(material.studies)})


def reading(material: Material) -> Section:
    """How much there is, and what the words on the page mean."""
    every = statements()
    content = {
        "papers": len(PAPERS),
        "statements": len(every),
        "tasks": len(TASKS),
        "errata": sum(not entry.repeats for s in every for entry in s.errata),
        "certificates": len(material.certificates),
        "refused": len(material.refused),
        "reused": sum(one.reused for one in material.certificates),
    }
    return Section("reading", "What the words mean", "reading.html", content)
