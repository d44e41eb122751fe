"""The map: every task on every architecture, in words; and the same, seen from one architecture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separatrix.architectures import COLUMN_GROUPS, COLUMNS, Architecture, Mode
from separatrix.atlas.drawn.memory import grows, state_picture
from separatrix.atlas.page import Page, Section, architecture_path, cell_link
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.pages.theorems import theorem_path
from separatrix.atlas.reading.cells import BUILT, CITED, IMPOSSIBLE, LEARNED, OPEN, STATUSES, Cell, count
from separatrix.atlas.reading.material import Records
from separatrix.ledger.cells import is_learned
from separatrix.papers import PAPERS, paper
from separatrix.tasks import TASKS, task_class

GROUP = "Architectures"
LONGEST_TITLE = 30  # letters that the grid has room for
MOST_LEARNED = 5  # results that a cell lists; its studies have them all
Cells = Mapping[str, Mapping[Architecture, Cell]]


def map_section(cells: Cells, cards: list[Card]) -> Section:
    """The table, with what a reader can choose."""
    pages = pages_of(cards)
    rows = [
        {
            "name": name,
            "kind": task_class(name),
            "paper": task_class(name).cites.partition(" ")[0] or "none",
            "cells": [(cell, cell_link(cell.task, cell.architecture)) for cell in cells[name].values()],
        }
        for name in TASKS
    ]
    every = [cell for row in cells.values() for cell in row.values()]
    content = {
        "architectures": list(COLUMNS),
        "rows": rows,
        "papers": [(name, paper(name).short) for name in PAPERS],
        "families": sorted({task_class(name).about for name in TASKS}),
        "statuses": [(status, words, count(every, status)) for status, words in STATUSES.items()],
        "cells": len(every),
        "pages": pages,
        "groups": COLUMN_GROUPS,
        "blocks": blocks(cells),
        "open": sum(not square(cell).strip() for cell in every),
    }
    return Section("map", f"The map: {len(rows)} tasks on {len(COLUMNS)} architectures", "map.html", content, short="Map")


def blocks(cells: Cells) -> list[list[tuple[str, list[dict[str, Any]]]]]:
    """The rows of the grid by family, in two blocks of about the same height, so that both are on one screen side by side."""
    families: dict[str, list[dict[str, Any]]] = {}
    for name in TASKS:
        squares = [(cell, square(cell), cell_link(cell.task, cell.architecture)) for cell in cells[name].values()]
        families.setdefault(task_class(name).about, []).append(
            {"name": name, "title": task_class(name).title, "short": shorter(task_class(name).title), "squares": squares}
        )
    groups, total = list(families.items()), len(TASKS) + len(families)
    heights = [sum(len(rows) + 1 for _, rows in groups[:count]) for count in range(len(groups) + 1)]
    split = min(range(1, len(groups) + 1), key=lambda count: max(heights[count], total - heights[count]))
    return [block for block in (groups[:split], groups[split:]) if block]


def shorter(title: str) -> str:
    """The title of a task for a row of the grid: tasks that begin alike would be cut where they differ."""
    if ", with its chain" not in title and len(title) <= LONGEST_TITLE:
        return title
    return title.replace("Longest increasing subsequence", "LIS").replace("Edit distance, locally", "Local edit distance")


def square(cell: Cell) -> str:
    """The classes of a cell of the grid: what is impossible, built and learned, and whether that is inherited."""
    built, shown = cell.known.built(), []
    if cell.known.impossible:
        shown.append("never" if cell.known.impossible[0].decides else "cited")
    elif cell.bounds:
        shown.append("below along" if cell.bounds[0].inherited else "below")
    if built:
        shown.append(f"made along {built[0].strength}" if built[0].inherited else f"made {built[0].strength}")
    elif cell.certificates:
        shown.append("aided")  # with a chain of thought or with retrieval only
    if cell.known.learned(Mode.ALONE):
        shown.append("learned" if is_learned(cell.known.learned(Mode.ALONE)[0]) else "tried")
    return " ".join(shown)


def known_cells_section(cells: Mapping[Architecture, Cell], cards: list[Card], size: list[tuple[str, Any]]) -> Section:
    """Behind the cells of one task: bounds, constructions, results and the question, for each architecture."""
    pages = pages_of(cards)
    content = {
        "cells": [cell for cell in cells.values() if not only_inherits(cell)],
        "same": [cell for cell in cells.values() if only_inherits(cell)],
        "size": size,
        "most": MOST_LEARNED,
        "pages": pages,
    }
    return Section("architectures", "On each architecture", "task_cells.html", content, short="Architectures")


def architecture_pages(cells: Cells, cards: list[Card], records: Records) -> list[Page]:
    """A page that lists the architectures, and the page of each."""
    models, pages = records.content("map", "models"), pages_of(cards)
    rows = [(one, {status: count([row[one] for row in cells.values()], status) for status in STATUSES}) for one in COLUMNS]
    lead = "What each kind of model can do, what it provably cannot, and what is open."
    listed = Section("architectures", f"{len(rows)} architectures", "architectures.html", {"rows": rows, "statuses": STATUSES})
    overview = Page("architectures.html", "Architectures", "All architectures", GROUP, lead, (listed,))
    return [overview, *(architecture_page(one, [row[one] for row in cells.values()], models[one], pages) for one in COLUMNS)]


def architecture_page(one: Architecture, cells: list[Cell], models: list[dict[str, Any]], pages: Mapping[str, str]) -> Page:
    """What one architecture can, what it cannot, what it learned, what is open; its state and its costs."""

    def those(status: str) -> list[Cell]:
        return [cell for cell in cells if status in cell.statuses]

    parts = [
        ("can", "What it can do: built and certified", those(BUILT)),
        (
            "cannot",
            "What it cannot do: impossible, or too small for the task",
            sorted(those(IMPOSSIBLE), key=lambda cell: not cell.known.impossible),
        ),
        ("cited", "What it cannot do, by theorems that we only cite", those(CITED)),
        ("learned", "What it learned", those(LEARNED)),
        ("open", "What is open", those(OPEN)),
    ]
    shown = ((anchor, title, {"part": anchor, "cells": found, "pages": pages}) for anchor, title, found in parts if found)
    sections = [Section(anchor, title, "architecture.html", content) for anchor, title, content in shown]
    if models:
        sections.append(Section("costs", "State and cost of models of this kind", "costs.html", {"models": models}, short="State and cost"))
    state = Section("state", "Its state", "architecture_state.html", {"one": one, "picture": state_picture(one), "grows": grows(one)})
    return Page(architecture_path(one), one.heading, one.heading, GROUP, one.definition.says, (state, *sections))


def pages_of(cards: list[Card]) -> dict[str, str]:
    """The page of each certificate, by its digest."""
    return {entry.certificate.digest: theorem_path(card) for card in cards for entry in card.entries}


def only_inherits(cell: Cell) -> bool:
    """Whether a cell says no more than that a bound on any recurrent model holds for it too."""
    return not cell.certificates and not cell.learned and not cell.known.impossible and all(fact.inherited for fact in cell.bounds)
