"""Regular languages on one page: the automaton drawn, its algebra, and what the papers then say about three kinds of models."""

from __future__ import annotations

import shlex

from separatrix.atlas.drawn.automaton import dead, states_and_moves
from separatrix.atlas.page import Page, Section
from separatrix.bounds.languages.language import language
from separatrix.tasks.regular import read_language

LANGUAGES = (  # anchor, what it is, the expression, and the alphabet where the expression does not name all of it
    ("ones", "1*: no 0 anywhere", "1*", "01"),
    ("parity", "PARITY: an even number of 1s", "0*(10*10*)*", None),
    ("even-length", "Words of even length", "((0|1)(0|1))*", None),
    ("alternating", "(ab)*", "(ab)*", None),
    ("sorted", "a*b*: all a before all b", "a*b*", None),
    ("contains", "Words that contain ab", "(a|b)*ab(a|b)*", None),
    ("dyck-1-2", "Dyck with one type of brackets, a and b, at most 2 deep", "(a(ab)*b)*", None),
    ("dyck-2-2", "Dyck with two types of brackets, a b and c d, at most 2 deep", "(a(ab|cd)*b|c(ab|cd)*d)*", None),
)


def language_page() -> Page:
    """A section for each language."""
    lead = (
        "What a regular language asks of a model can be computed: from its minimal automaton the state of a recurrent model, from its "
        "syntactic monoid what is known about one attention layer and about hard attention."
    )
    sections = tuple(language_section(*one) for one in LANGUAGES)
    return Page("languages.html", "Regular languages", "Regular languages", "Languages", lead, sections)


def language_section(anchor: str, says: str, expression: str, alphabet: str | None) -> Section:
    """One language."""
    report, automaton = language(expression, alphabet), read_language(expression, alphabet)
    options = ["--alphabet", alphabet] if alphabet else []
    content = {
        "expression": expression,
        "report": report,
        "picture": states_and_moves(automaton, f"The minimal automaton of {expression}"),
        "sink": bool(dead(automaton)),
        "command": shlex.join(["separatrix", "language", expression, *options]),
    }
    return Section(anchor, says, "language.html", content, short=says.partition(":")[0])
