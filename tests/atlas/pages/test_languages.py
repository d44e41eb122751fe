"""The page of regular languages."""

from __future__ import annotations

from pathlib import Path

from separatrix.atlas.pages.languages import language_section
from separatrix.atlas.reading.material import Records
from separatrix.records.language_records import LANGUAGES
from separatrix.tasks.regular import read_language
from tests.atlas.markup import parse


def test_every_language_stands_on_the_page_with_its_verdicts(atlas: Path) -> None:
    page = parse((atlas / "languages.html").read_text())
    text = " ".join(page.text.split())
    for anchor, _, expression in LANGUAGES:
        assert anchor in page.ids
        assert expression in text
    for kind in ("recurrent", "one-layer Transformer", "hard-attention Transformer"):
        assert text.count(f"{kind} ") >= len(LANGUAGES)


def test_the_bounded_dyck_language_has_the_numbers_of_the_theory(records: Records) -> None:
    dyck = next(one for one in LANGUAGES if one.anchor == "dyck-2-2")
    record = records.content("language", dyck.anchor)
    report = language_section(dyck, record).content["report"]  # Dyck-(2, 2): 8 states with the sink, 60 elements, star-free, not in DA
    assert (report["states"], report["monoid"], report["aperiodic"], report["in_da"]) == (8, 60, True, False)


def test_parity_means_an_even_number_of_ones() -> None:
    automaton = read_language({anchor: expression for anchor, _, expression in LANGUAGES}["parity"])
    for word in ((), (0,), (1,), (1, 1), (1, 0, 1), (1, 1, 1), (0, 1, 0)):
        assert automaton.accepts(word) == (sum(word) % 2 == 0)
