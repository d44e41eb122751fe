"""The pages of docs/ that are written from the data."""

from __future__ import annotations

from pathlib import Path

import pytest

from separatrix.papers import PAPERS, Entry, Statement, paper, statements
from separatrix.papers.pages import PAGES, write
from separatrix.papers.verdicts import counts, verdict, verdicts

DOCS = Path(__file__).parents[2] / "docs"
PAGE_OF = {"error": "errata.md", "gap": "errata.md", "misprint": "errata.md", "note": "more-is-known.md", "code": "released-code.md"}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_page_in_docs_is_that_of_the_data(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"


def test_the_pages_are_written_where_one_asks(tmp_path: Path) -> None:
    write(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == set(PAGES)


def test_every_entry_stands_on_the_page_of_its_severity_and_on_no_other() -> None:
    text = {name: page() for name, page in PAGES.items()}
    for s in statements():
        for entry in s.entries:
            parts = (f"- **{s.name}**, {s.place}", f"The paper: {entry.says}\n", f"What holds: {entry.holds}\n")
            assert [name for name in text if all(part in text[name] for part in parts)] == [PAGE_OF[entry.severity]]


def test_the_errata_of_a_paper_open_with_what_was_read_and_what_stands() -> None:
    text = PAGES["errata.md"]()
    assert "How to object:" in text
    assert "| [Hahn 2020](#hahn-2020) | 2 | 1 | 2 |" in text  # Theorem 1 and Corollary 2; Lemma 4; Lemma 5 and Theorem 6
    for name in PAPERS:
        one = paper(name)
        section = text.partition(f"## {one.short}\n")[2]
        order = [section.index(part) for part in (one.version, one.stands[0], "**Stand", "### Errors", "### Gaps", "### Misprints")]
        assert order == sorted(order)
        assert f"In all {counts(one)['error']} errors, {counts(one)['gap']} gaps, {counts(one)['misprint']} misprints." in section


def test_every_result_has_one_verdict() -> None:
    for name in PAPERS:
        rows = [s.key for results in verdicts(paper(name)).values() for s in results]
        kinds = ("theorem", "lemma", "proposition", "corollary", "fact")
        assert sorted(rows) == sorted(s.key for s in statements(name) if s.kind in kinds)


def test_a_verdict_is_the_worst_that_is_said_of_a_result_wherever_it_is_said() -> None:
    of = {s.key: survives for name in PAPERS for survives, results in verdicts(paper(name)).items() for s in results}
    assert of["hahn2020 Lemma 5"] == "needs a changed statement"  # bounded positions, and a repaired proof
    assert of["hahn2020 Lemma 4"] == "with another proof or constant"  # said at the steps of its proof only
    assert of["bhattamishra2024 Theorem 3"] == "as stated"


def test_a_verdict_names_what_it_is_about() -> None:
    at = Statement("hahn2020 Claim 5", "claim", "says", "section 6")

    def entry(*keys: str, survives: str) -> Entry:
        return Entry("error", "says", "holds", "evidence", survives, keys)  # type: ignore[arg-type]

    assert verdict(at, entry(survives="as stated")) == "Claim 5 stands as stated"
    assert verdict(at, entry("hahn2020 Lemma 5", survives="needs a changed statement")) == "Lemma 5 needs a changed statement"
    both = entry("hahn2020 Lemma 5", "hahn2020 Theorem 6", survives="with another proof or constant")
    assert verdict(at, both) == "Lemma 5 and Theorem 6 stand with another proof or constant"
    lemmas = entry("hahn2020 Lemma 4", "hahn2020 Lemma 5", survives="as stated")
    assert verdict(at, lemmas) == "Lemmas 4 and 5 stand as stated"
    assert verdict(at, entry(survives="not applicable")) == ""
