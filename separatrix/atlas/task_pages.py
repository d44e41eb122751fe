"""One page for each task: what it asks, drawn examples, the states it needs, what is proven and built, and the audit of its data."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from separatrix.atlas.cards import Card
from separatrix.atlas.drawn import answer_text, draw_example
from separatrix.atlas.drawn.example import Drawn
from separatrix.atlas.page import Page, Section, task_path
from separatrix.atlas.task_audit import audit_section
from separatrix.atlas.task_choices import bounded_task, command_of, drawn_task, settings_of
from separatrix.atlas.task_states import states_section
from separatrix.atlas.theorem_pages import theorem_path
from separatrix.bounds.limits import bounds_for
from separatrix.constructions import CONSTRUCTIONS
from separatrix.parameters import parameters
from separatrix.tasks import TASKS, Task, task_class

GROUP = "Tasks"
SHOWN, DRAWN_FROM = 4, 64  # examples of each family, and how many are looked through so that different answers come up
PRECISION = 32  # bits of a number, for bounds on widths


@dataclass(frozen=True)
class Shown:
    """One example that a reader can choose."""

    label: str
    text: str
    said: str
    drawn: Drawn


@dataclass(frozen=True)
class Family:
    """Examples of one kind."""

    name: str
    items: str
    runs: tuple[Shown, ...]


def task_pages(cards: list[Card]) -> list[Page]:
    """A page that lists all tasks, and the page of each."""
    found = [task_page(name, cards) for name in TASKS]
    return [overview(found), *found]


def task_page(name: str, cards: list[Card]) -> Page:
    """The page of one task."""
    kind = task_class(name)
    sections = (asked_section(kind), examples_section(name), states_section(name), known_section(name, cards), audit_section(name))
    return Page(task_path(name), kind.title, kind.title, GROUP, opening(kind), sections)


def overview(found: list[Page]) -> Page:
    """Every task in one table, with the state it needs at the size that is drawn, and the strongest shortcut."""
    shared = Counter(opening(task_class(name)) for name in TASKS)  # some files have several tasks
    rows = []
    for name, page in zip(TASKS, found, strict=True):
        states, audit = (next(s for s in page.sections if s.anchor == anchor).content for anchor in ("states", "audit"))
        own = inspect.cleandoc(task_class(name).__doc__ or "").split("\n", 1)[0]
        best = max((row for row in audit["shortcuts"] if row["name"] != "majority"), key=lambda row: row["accuracy"])
        rows.append(
            {
                "name": name,
                "page": page.path,
                "kind": task_class(name),
                "says": opening(task_class(name)),
                "own": own if shared[opening(task_class(name))] > 1 else "",
                "form": states["form"],
                "majority": audit["audit"]["shortcuts"]["majority"],
                "best": best,
            }
        )
    lead = "What is asked, in one line each. Every task has an exact oracle, a sampler that depends on nothing but the seed, and an audit."
    section = Section("tasks", f"{len(rows)} tasks", "tasks.html", {"rows": rows})
    return Page("tasks.html", "Tasks", "All tasks", GROUP, lead, (section,))


def asked_section(kind: type[Task]) -> Section:
    """The task in its own words, and its parameters."""
    content = {
        "kind": kind,
        "says": inspect.cleandoc(kind.__doc__ or ""),
        "file": own_words(kind),
        "parameters": [parameter.describe() for parameter in parameters(kind).values()],
    }
    return Section("asked", "What it asks", "task_asked.html", content)


def examples_section(name: str) -> Section:
    """A few examples of every family, drawn."""
    task = drawn_task(name)
    families = tuple(Family(kind, "Example", shown(task, kind)) for kind in task.case_kinds)
    content = {"name": name, "settings": settings_of(task), "families": families, "command": command_of("sample", task)}
    return Section("examples", "Examples", "task_examples.html", content)


def shown(task: Task, kind: str) -> tuple[Shown, ...]:
    """The first examples of a family, taking turns between the answers that come up."""
    batch = task.cases(kind, 0, DRAWN_FROM)
    rows = list(dict.fromkeys(batch.row(r) for r in range(len(batch.tokens))))
    said = {row: answer_text(task, row) for row in rows}
    met: Counter[str] = Counter()
    turn = {}
    for row in rows:
        turn[row] = met[said[row]]
        met[said[row]] += 1
    chosen = sorted(rows, key=lambda row: turn[row])[:SHOWN]  # stable: within a turn in the order they were drawn
    return tuple(Shown(str(i), task.text(row), said[row], draw_example(task, row)) for i, row in enumerate(chosen, 1))


def known_section(name: str, cards: list[Card]) -> Section:
    """Bounds on record, in numbers at one length, and the constructions that have exact weights."""
    task = bounded_task(name)
    pages: dict[str, str] = {}
    for card in cards:
        pages.setdefault(card.entries[0].certificate.subject, theorem_path(card))
    built = [(key, pages.get(key)) for key in CONSTRUCTIONS if key.split("/")[0] == name]
    content: dict[str, Any] = {
        "name": name,
        "length": task.length,
        "settings": settings_of(task),
        "precision": PRECISION,
        "bounds": bounds_for(task, PRECISION),
        "built": built,
        "command": command_of("bounds", task),
    }
    return Section("known", "What is proven and what is built", "task_known.html", content, short="Proven and built")


def opening(kind: type[Task]) -> str:
    """The first line of the file that a task stands in."""
    return _documentation(kind).split("\n", 1)[0]


def own_words(kind: type[Task]) -> str:
    """The rest of that file's documentation, without the lines that only cite."""
    rest = _documentation(kind).split("\n", 1)[1:]
    return re.sub(r"(?m)^\[[^\n]*\]\n\n?", "", "\n".join(rest)).strip("\n")


def _documentation(kind: type[Task]) -> str:
    module = inspect.getmodule(kind)
    return inspect.cleandoc((module and module.__doc__) or kind.__doc__ or kind.__name__)
