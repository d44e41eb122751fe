"""Well-known regular languages: the minimal automaton, its algebra, and what follows for three kinds of models."""

from __future__ import annotations

from typing import Any, NamedTuple

from separatrix.bounds.languages.language import language
from separatrix.tasks.regular import read_language


class NamedLanguage(NamedTuple):
    """A language of the gallery."""

    anchor: str
    title: str
    expression: str
    alphabet: str | None = None  # if the expression does not use all of it


LANGUAGES = (
    NamedLanguage("ones", "1*: no 0 anywhere", "1*", "01"),
    NamedLanguage("parity", "PARITY: an even number of 1s", "0*(10*10*)*"),
    NamedLanguage("even-length", "Words of even length", "((0|1)(0|1))*"),
    NamedLanguage("alternating", "(ab)*", "(ab)*"),
    NamedLanguage("sorted", "a*b*: all a before all b", "a*b*"),
    NamedLanguage("contains", "Words that contain ab", "(a|b)*ab(a|b)*"),
    NamedLanguage("dyck-1-2", "Dyck with one type of brackets, a and b, at most 2 deep", "(a(ab)*b)*"),
    NamedLanguage("dyck-2-2", "Dyck with two types of brackets, a b and c d, at most 2 deep", "(a(ab|cd)*b|c(ab|cd)*d)*"),
)


def language_record(one: NamedLanguage) -> dict[str, Any]:
    """The report on one language, with its automaton as data."""
    return {"report": language(one.expression, one.alphabet), "automaton": read_language(one.expression, one.alphabet).document()}
