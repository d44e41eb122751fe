"""The data files: complete, well formed, with no reference that leads nowhere, and in our own short words."""

from __future__ import annotations

import re
from collections import Counter
from typing import get_args

import pytest

from separatrix.papers import PAPERS, Entry, Statement, paper, statement, statements
from separatrix.papers.reading import FOLDER
from separatrix.papers.statement import ERRATA, Kind, Severity, Status, Survives

EVERY = [*statements()]
ENTRIES = [(s, e) for s in EVERY for e in s.entries]
KEY = re.compile(r"\w+ [A-Z][a-z]+ (?:[A-H]\.?)?[0-9]*(?:\.[0-9]+)?(?:\([0-9]\))?")
# words that carry a number of ours in each paper; all others are the paper's own
OURS = {
    "bhattamishra2024": {"Task", "Remark", "Experiment", "Assumption", "Question"},
    "hahn2020": {"Notion", "Task", "Construction", "Claim", "Assumption", "Remark", "Question"},
    "wen2024": {"Claim", "Fact", "Remark", "Clarification", "Assumption", "Construction", "Experiment", "Question"},
    "yang2024": {"Task", "Notion", "Claim", "Remark", "Experiment", "Question"},
}


def names(s: Statement) -> str:
    return s.key


def test_there_is_one_file_per_paper_with_its_number_on_arxiv() -> None:
    assert {file.stem for file in FOLDER.glob("*.toml")} == set(PAPERS)
    assert {s.paper for s in statements()} == set(PAPERS)
    numbers = {"bhattamishra2024": "2406.09347", "hahn2020": "1906.06755", "wen2024": "2402.18510", "yang2024": "2402.13934"}
    assert {name: paper(name).arxiv for name in PAPERS} == numbers


def test_every_key_is_well_formed_and_occurs_once() -> None:
    assert [s.key for s in EVERY if KEY.fullmatch(s.key) is None] == []
    assert [key for key, times in Counter(s.key for s in EVERY).items() if times > 1] == []


@pytest.mark.parametrize("name", PAPERS)
def test_what_we_number_ourselves_is_numbered_in_the_order_of_the_text(name: str) -> None:
    for word in OURS[name]:
        numbers = [s.name.split()[1] for s in statements(name) if s.name.startswith(f"{word} ")]
        own = [int(number) for number in numbers if number.isdigit()]
        assert own == list(range(1, len(own) + 1)), (name, word)
        assert own, (name, word)


def test_the_counters_of_the_papers_have_no_hole() -> None:
    # by hand from the texts: which words share one counter, and how far it runs
    counters = [
        ("bhattamishra2024", ("Theorem", "Proposition"), "", 13),
        ("bhattamishra2024", ("Lemma",), "", 5),
        ("bhattamishra2024", ("Fact",), "", 4),
        ("bhattamishra2024", ("Equation",), "", 10),
        ("hahn2020", ("Theorem", "Corollary", "Definition", "Lemma"), "", 6),
        *(("wen2024", (), prefix, last) for prefix, last in (("3.", 6), ("4.", 8), ("5.", 8), ("A.", 5), ("B.", 31))),
        *(("yang2024", (), prefix, last) for prefix, last in (("4.", 4), ("5.", 5), ("A.", 12), ("B.", 6), ("C.", 4))),
    ]
    for name, words, prefix, last in counters:
        results = [s.name.split() for s in statements(name)]
        numbers = {number for word, number in results if (word in words or not words) and number.startswith(prefix)}
        missing = {f"{prefix}{i}" for i in range(1, last + 1)} - numbers
        assert missing == set(), (name, words, prefix)
        assert f"{prefix}{last + 1}" not in numbers, (name, words, prefix)


def test_the_number_of_statements_is_that_of_the_four_readings() -> None:
    assert {name: len(statements(name)) for name in PAPERS} == {"bhattamishra2024": 96, "hahn2020": 57, "wen2024": 115, "yang2024": 85}


@pytest.mark.parametrize("s", EVERY, ids=names)
def test_a_statement_says_something_short_and_whole_and_where_it_stands(s: Statement) -> None:
    assert 40 <= len(s.says) <= 600
    assert s.says.endswith((".", "?"))
    assert s.place
    assert s.kind in get_args(Kind)
    assert s.status in get_args(Status)
    for sentence in (s.assumes, s.missing):
        assert not sentence or sentence.endswith("."), sentence


def test_what_is_proven_names_the_place_of_its_proof() -> None:
    claimed = [s for s in statements() if s.kind in ("theorem", "lemma", "proposition", "corollary", "fact")]
    # the paper proves neither of the two
    assert {s.key for s in claimed if not s.proof} == {"yang2024 Proposition 5.1", "yang2024 Lemma A.8"}


@pytest.mark.parametrize("e", [pytest.param(e, id=s.key) for s, e in ENTRIES])
def test_an_entry_says_what_the_paper_says_what_holds_and_how_to_see_it(e: Entry) -> None:
    assert e.severity in get_args(Severity)
    assert e.survives in get_args(Survives)
    assert e.says != e.holds
    for text in (e.says, e.holds, e.evidence):
        assert 4 <= len(text) <= 600
        assert text.endswith((".", "?"))


def test_only_an_erratum_says_whether_something_survives() -> None:
    assert [s.key for s, e in ENTRIES if not e.is_erratum and (e.survives != "not applicable" or e.bears_on)] == []
    proven = [(s, e) for s, e in ENTRIES if e.is_erratum and s.kind in ("theorem", "lemma", "proposition", "corollary", "fact")]
    assert len(proven) > 60
    assert [s.key for s, e in proven if e.survives == "not applicable"] == []
    assert [s.key for s, e in ENTRIES if e.bears_on and e.survives == "not applicable"] == []


def test_no_reference_leads_nowhere() -> None:
    known = {s.key for s in statements()}
    for s, e in ENTRIES:
        assert set(e.bears_on) <= known - {s.key}, s.key
        if e.repeats:
            first = [one for one in statement(e.repeats).entries if one.is_erratum == e.is_erratum and not one.repeats]
            assert first, (s.key, e.repeats)
            assert e.repeats != s.key


def test_evidence_can_be_rerun_or_says_that_it_cannot() -> None:
    assert [s.key for s, e in ENTRIES if e.command and not e.rerun] == []
    assert [s.key for s, e in ENTRIES if e.severity == "code" and e.rerun] == []
    assert [s.key for s, e in ENTRIES if bool(e.shows) != e.command.startswith("separatrix ")] == []
    assert [s.key for s, e in ENTRIES if e.commit and e.rerun] == []


def test_a_status_is_partly_exactly_where_the_missing_part_is_named() -> None:
    assert [s.key for s in EVERY if (s.status == "partly") != bool(s.missing)] == []
    assert [s.key for s in statements() if s.missing and not s.code] == []
    assert len([s for s in statements() if s.status == "partly"]) >= 15


def test_only_questions_and_an_unproven_assumption_are_open() -> None:
    still_open = {s.key for s in statements() if s.status == "open"}
    questions = {s.key for s in statements() if s.kind == "question"}
    assert still_open - questions == {"wen2024 Assumption 3"}
    assert {key for key in questions - still_open if not statement(key).code} == {"wen2024 Question 1"}


def test_what_rests_on_an_unproven_assumption_says_so() -> None:
    resting = [s.name for s in statements("wen2024") if s.assumes]
    assert resting == ["Figure 1", "Fact 1", "Theorem 4.1", "Lemma B.25"]
    assert "P/poly" in statement("wen2024 Theorem 4.1").assumes
    assert [s.key for s in statements("yang2024") if s.assumes] == []


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_opens_with_what_was_read_and_what_stands(name: str) -> None:
    one = paper(name)
    assert one.title
    assert one.authors
    assert one.year
    assert re.search(r"arXiv \d{4}\.\d{5}", one.version)
    assert one.numbering.endswith(".")
    assert len(one.stands) >= 2
    assert all(line.endswith(".") for line in one.stands)


def test_each_point_counts_once() -> None:
    counted = Counter(e.severity for s in statements() for e in s.entries if not e.repeats)
    assert sum(counted[severity] for severity in ERRATA) < 200
    assert all(counted[severity] > 10 for severity in get_args(Severity))
