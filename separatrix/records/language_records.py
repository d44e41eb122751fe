"""Well-known regular languages: the minimal automaton, its algebra, and what follows for three kinds of models."""

from __future__ import annotations

from typing import Any, NamedTuple

from separatrix.bounds.languages.language import language
from separatrix.tasks.languages.gallery import GALLERY
from separatrix.tasks.regular import read_language


class NamedLanguage(NamedTuple):
    """A regular language that the page of languages shows."""

    anchor: str
    title: str
    expression: str


LARGE = ("a5", "s5", "modular-arithmetic-simple", "dyck-2-3")  # 60, 120, 25 and 16 states do not fit a picture
LANGUAGES = tuple(NamedLanguage(one.name, f"{one.name}: {one.says}", f"@{one.name}") for one in GALLERY.values() if one.name not in LARGE)


def language_record(one: NamedLanguage) -> dict[str, Any]:
    """The report on one language, with its automaton as data."""
    return {"report": language(one.expression), "automaton": read_language(one.expression).document()}
