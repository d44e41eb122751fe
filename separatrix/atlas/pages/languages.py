"""Regular languages on one page: the automaton, its algebra, and what the papers conclude for three kinds of models."""

from __future__ import annotations

import shlex
from typing import Any

from separatrix.atlas.drawn.automaton import dead, states_and_moves
from separatrix.atlas.page import Page, Section
from separatrix.atlas.pages.state_tracking import verdicts_on
from separatrix.atlas.reading.material import Records
from separatrix.records.language_records import LANGUAGES, NamedLanguage
from separatrix.tasks.languages.automata import from_document


def language_page(records: Records) -> Page:
    """A section for each language."""
    lead = (
        "A regular language says what a model needs: its minimal automaton gives the state of a recurrent model, its syntactic monoid what "
        "is known about one layer of attention and about hard attention."
    )
    sections = tuple(language_section(one, records.content("language", one.anchor)) for one in LANGUAGES)
    return Page("languages.html", "Regular languages", "Regular languages", "Languages", lead, sections)


def language_section(one: NamedLanguage, record: dict[str, Any]) -> Section:
    """The section of one regular language: automaton, algebra, verdicts."""
    automaton = from_document(record["automaton"], one.anchor)
    content = {
        "expression": one.expression,
        "report": record["report"],
        "picture": states_and_moves(automaton, f"The minimal automaton of {one.expression}"),
        "sink": bool(dead(automaton)),
        "decided": verdicts_on(one.anchor),
        "command": shlex.join(["separatrix", "language", one.expression]),
    }
    return Section(one.anchor, one.title, "language.html", content, short=one.title.partition(":")[0])
