"""One page per task: its definition, drawn examples, the states it needs, what is proven and built, and the audit of its data."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.atlas.drawing import draw
from separatrix.atlas.drawn import answer_text, draw_example
from separatrix.atlas.drawn.example import Drawn
from separatrix.atlas.drawn.states import bit_bars, state_lines
from separatrix.atlas.page import Page, Section, cell_link, task_path
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.pages.demonstration import Choice
from separatrix.atlas.pages.map import Cells, known_cells_section
from separatrix.atlas.pages.theorems import theorem_path
from separatrix.atlas.reading.cells import Cell, about, amount, lengths_of, result_of
from separatrix.atlas.reading.material import Records
from separatrix.bounds.families import form_of
from separatrix.constructions import CONSTRUCTIONS, constructions
from separatrix.ledger.cells import is_learned
from separatrix.ledger.fact import What
from separatrix.ledger.ledger import NUMBERS
from separatrix.ledger.needs import needs_of
from separatrix.parameters import parameters
from separatrix.records.task_choices import audited_task, bounded_task, command_of, counted_task, drawn_task, settings_of
from separatrix.studies.panel import bits_panel
from separatrix.tasks import TASKS, Task, task_class
from separatrix.tasks.audit.shortcuts import leaking

GROUP = "Tasks"
VERDICTS = {  # what is said of an architecture on a task, and how it looks
    "Built and certified": "yes",
    "Built with a chain of thought or retrieval": "aided",
    "Learned": "learned",
    "Trained, below 95 %": "tried",
    "Impossible at every size": "no",
    "Impossible, by a theorem that is cited": "cited",
    "Open above the bound": "open",
    "Open": "open",
}
Record = dict[str, Any]  # the stored record of a task, or a part of it


@dataclass(frozen=True)
class ShownExample:
    """One example offered to the reader."""

    label: str
    text: str
    answer: str
    drawn: Drawn


def task_pages(cards: list[Card], records: Records, cells: Cells) -> list[Page]:
    """A page that lists all tasks, and the page of each."""
    every = [task_page(name, cards, records.content("task", name), cells) for name in TASKS]
    return [overview(every), *every]


def task_page(name: str, cards: list[Card], record: Record, cells: Cells) -> Page:
    """The page of one task."""
    kind = task_class(name)
    sections = (
        examples_section(name, record["examples"]),
        verdicts_section(name, cards, cells[name]),
        definition_section(kind),
        states_section(name, record["states"]),
        known_section(name, cards, cells[name]),
        known_cells_section(cells[name], cards, settings_of(bounded_task(name))),
        audit_section(name, record["audit"]),
    )
    return Page(task_path(name), kind.title, kind.title, GROUP, opening(kind), sections)


def overview(pages: list[Page]) -> Page:
    """Every task in one table, with the state it needs at its drawn size, and the strongest shortcut."""
    shared = Counter(opening(task_class(name)) for name in TASKS)  # some files have several tasks
    rows = []
    for name, page in zip(TASKS, pages, strict=True):
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
    lead = "Each task has an exact definition that runs, a sampler that depends only on the seed, and an audit of its data."
    section = Section("tasks", f"{len(rows)} tasks", "tasks.html", {"rows": rows})
    return Page("tasks.html", "Tasks", "All tasks", GROUP, lead, (section,))


def definition_section(kind: type[Task]) -> Section:
    """The task in its own words, and its parameters."""
    content = {
        "kind": kind,
        "says": inspect.cleandoc(kind.__doc__ or ""),
        "file": own_words(kind),
        "parameters": [parameter.describe() for parameter in parameters(kind).values()],
    }
    return Section("asked", "What it asks", "task_asked.html", content)


def examples_section(name: str, record: Record) -> Section:
    """A few examples of every family, drawn."""
    task = drawn_task(name)
    families = tuple(Choice(kind, "Example", shown(task, rows)) for kind, rows in record["families"].items())
    content = {"name": name, "settings": settings_of(task), "families": families, "command": command_of("sample", task)}
    return Section("examples", "Examples", "task_examples.html", content)


def shown(task: Task, rows: list[list[int]]) -> tuple[ShownExample, ...]:
    """Examples of a family, drawn."""
    examples = [tuple(row) for row in rows]
    return tuple(ShownExample(str(i), task.text(row), answer_text(task, row), draw_example(task, row)) for i, row in enumerate(examples, 1))


def verdicts_section(name: str, cards: list[Card], cells: Mapping[Architecture, Cell]) -> Section:
    """The architectures by what is known of them, bits against N as needed, built and learned, and every certificate in one table."""
    pages = {entry.certificate.digest: theorem_path(card) for card in cards for entry in card.entries}
    groups: dict[str, list[tuple[str, str, str]]] = {said: [] for said in VERDICTS}
    for one, cell in cells.items():
        said, more = verdict(cell)
        groups[said].append((one.heading, more, cell_link(name, one)))
    built = {(fact.evidence.key, fact.mode): fact for cell in cells.values() for fact in cell.certificates if not fact.inherited}
    facts = sorted(built.values(), key=lambda fact: (fact.architecture.heading, fact.lengths.N or 0))
    figure = bits_figure(name, cells)
    content = {
        "groups": [(said, VERDICTS[said], members) for said, members in groups.items() if members],
        "needs": [(one.heading, fact) for one, cell in cells.items() for fact in cell.bounds[:1] if not fact.inherited],
        "certificates": [(fact, amount(fact), f"{lengths_of(fact)}{about(fact)}", pages.get(fact.evidence.key)) for fact in facts],
        "panels": draw(figure) if figure else [],
    }
    return Section("verdicts", "What each architecture can do", "task_verdicts.html", content, short="Verdicts")


def verdict(cell: Cell) -> tuple[str, str]:
    """The key of VERDICTS that a cell belongs to, and a few words that it adds."""
    if cell.known.impossible:
        return ("Impossible at every size" if cell.known.impossible[0].decides else "Impossible, by a theorem that is cited"), ""
    alone = cell.known.built()
    if alone:
        return "Built and certified", about(alone[0]).removeprefix(", ")
    if cell.certificates:
        return "Built with a chain of thought or retrieval", ""
    if cell.learned:
        return ("Learned" if is_learned(cell.learned[0]) else "Trained, below 95 %"), result_of(cell.learned[0])
    return ("Open above the bound" if cell.bounds else "Open"), ""


def bits_figure(name: str, cells: Mapping[Architecture, Cell]) -> dict[str, Any] | None:
    """Bits of state against N: what any recurrent model needs, what is built, what learned models have; None where less than two points."""
    rows: list[dict[str, Any]] = []
    for N, needs in needs_of(name).items():
        fact = needs.get(Architecture.RECURRENT)
        if fact is not None and fact.quantity == Quantity.STATE_BITS:
            rows.append({"N": N, "bits": fact.value, "of": "needed by any recurrent model"})
    for cell in cells.values():
        for fact in cell.certificates:
            if fact.quantity == Quantity.STATE_BITS and fact.value and not fact.inherited and fact.mode is Mode.ALONE:
                lengths = list(needs_of(name)) if fact.lengths.kind == "all" else [fact.lengths.N] if fact.lengths.N else []
                rows += [{"N": N, "bits": fact.value, "of": "built, certified"} for N in lengths]
        for fact in cell.learned:
            bits = fact.more.get("state_bits")
            if is_learned(fact) and bits and fact.mode is Mode.ALONE:
                rows.append({"N": fact.lengths.N, "bits": bits, "of": "learned, 95 % or more"})
    unique = [dict(row) for row in dict.fromkeys(tuple(row.items()) for row in rows)]
    unique.sort(key=lambda row: (row["of"], row["N"], row["bits"]))
    if len({row["N"] for row in unique}) < 2:
        return None
    return bits_panel(unique)


def known_section(name: str, cards: list[Card], cells: Mapping[Architecture, Cell]) -> Section:
    """The lower bounds of the ledger, evaluated at one length, and what is built with exact weights, also by reduction."""
    task = bounded_task(name)
    pages: dict[str, str] = {}
    for card in cards:
        pages.setdefault(card.entries[0].certificate.subject, theorem_path(card))
    facts = [fact for cell in cells.values() for fact in cell.certificates]
    made = dict.fromkeys([*(one.name for one in constructions(name)), *(fact.more["construction"] for fact in facts)])
    built = [(key if key in CONSTRUCTIONS or " " in key else f"verify {key}", pages.get(key)) for key in made]
    bounds = [fact for cell in cells.values() for mode in Mode for fact in cell.known.of(What.BELOW, mode) if not fact.inherited]
    content: dict[str, Any] = {
        "name": name,
        "length": task.length,
        "settings": settings_of(task),
        "precision": NUMBERS.bits,
        "bounds": bounds,
        "built": built,
        "command": command_of("bounds", task),
    }
    return Section("known", "What is proven and what is built", "task_known.html", content, short="Proven and built")


def opening(kind: type[Task]) -> str:
    """The first line of the documentation of a task's file."""
    return _documentation(kind).split("\n", 1)[0]


def own_words(kind: type[Task]) -> str:
    """The rest of that documentation, without the lines that only cite."""
    rest = _documentation(kind).split("\n", 1)[1:]
    return re.sub(r"(?m)^\[[^\n]*\]\n\n?", "", "\n".join(rest)).strip("\n")


def _documentation(kind: type[Task]) -> str:
    module = inspect.getmodule(kind)
    return inspect.cleandoc((module and module.__doc__) or kind.__doc__ or kind.__name__)


SHOWN_LABELS = 6

SHORTCUTS = {  # what each shortcut reads
    "majority": "nothing: the most frequent label",
    "length": "the number of tokens",
    "first-symbols": "the first three tokens",
    "last-symbols": "the last three tokens",
    "distinct-symbols": "how many different symbols occur",
    "odd-counts": "how many symbols occur an odd number of times",
    "open-count": "how many brackets open",
    "symbol-count": "how often one symbol occurs, the best one",
    "bag-of-symbols": "counts of all symbols and their products, least squares",
}


def audit_section(name: str, record: dict[str, Any]) -> Section:
    """The section with the audit, at a modest length."""
    task, report = audited_task(name), record["report"]
    shares = list(report["balance"].items())
    content = {
        "settings": settings_of(task),
        "audit": report,
        "shares": shares[:SHOWN_LABELS],
        "other_labels": len(shares) - SHOWN_LABELS,
        "shortcuts": shortcut_rows(report["shortcuts"]),
        "leaks": task.known_leaks,
        "command": command_of("audit", task),
    }
    return Section("audit", "Audit of the data", "task_audit.html", content, short="Audit")


def shortcut_rows(accuracies: dict[str, float]) -> list[dict[str, Any]]:
    """Every shortcut, what it reads, its accuracy, and whether it is a leak."""
    leaks = leaking(accuracies)
    return [{"name": key, "looks": SHORTCUTS[key], "accuracy": value, "leaks": key in leaks} for key, value in accuracies.items()]


WIDTH, NUMBER = 64, 32  # of the models for comparison: one layer of width 64 in float32


def states_section(name: str, record: dict[str, Any]) -> Section:
    """Bits after each token, drawn, with what they count and how they were computed."""
    task, form = counted_task(name), form_of(name)
    profile, needed, suffice = record["profile"], record["profile"]["bits_at"], record["profile"]["suffice_at"]
    label = f"Bits of state after each token of {name}: {', '.join(map(str, needed))}"
    content = {
        "task": task,
        "settings": settings_of(task),
        "form": form,
        "profile": profile,
        "bars": bit_bars(needed, suffice, label),
        "lines": state_lines(needed, model_states(len(needed)), f"State bits of models beside those of {name}"),
        "outlined": suffice != needed,
        "command": command_of("profile", task),
    }
    return Section("states", "What a recurrent model must carry", "task_states.html", content, short="State")


def model_states(cuts: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Bits that one-layer models of width 64 carry after t = 0, 1, .. tokens: a vector, two vectors, or keys and values of every token."""
    vector = WIDTH * NUMBER
    return (
        ("gru-1-64", (vector,) * cuts),
        ("lstm-1-64", (2 * vector,) * cuts),
        ("tf-1-64", tuple(2 * vector * t for t in range(cuts))),
    )
