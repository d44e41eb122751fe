"""The statements of Bhattamishra et al. 2024: complete, well formed, and in our own short words."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules

import pytest

from separatrix.papers import bhattamishra2024, statements
from separatrix.papers.statement import Statement

# Written down by hand from the text: theorems, Proposition 9 and Corollaries 8.1 and 13.1 share one counter; the first two footnote marks
# are taken by the affiliations. The last six families carry our own numbers.
FAMILIES = {
    "Theorem": {"1", "2", "3", "4", "5", "6", "7", "8", "10", "11", "12", "13"},
    "Proposition": {"9"},
    "Corollary": {"8.1", "13.1"},
    "Lemma": {"1", "2", "3", "4", "5"},
    "Fact": {"1", "2", "3", "4"},
    "Definition": {"1"},
    "Equation": {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"},
    "Figure": {"1", "2", "3", "4"},
    "Footnote": {"3", "4"},
    "Appendix": {"A(1)", "A(2)", "A(3)", "A(4)", "A(5)", "B.1", "B.2"},
    "Section": {"2(1)", "2(2)", "2(3)"},
    "Assumption": {str(i) for i in range(1, 4)},
    "Question": {str(i) for i in range(1, 4)},
    "Experiment": {str(i) for i in range(1, 8)},
    "Task": {str(i) for i in range(1, 15)},
    "Remark": {str(i) for i in range(1, 19)},
    "Check": {str(i) for i in range(1, 21)},
}
KEY = re.compile(r"bhattamishra2024 ([A-Z][a-z]+) ([A-H0-9][0-9.()]*)")
STATEMENTS = bhattamishra2024.STATEMENTS


def numbers(family: str) -> list[str]:
    found = [KEY.fullmatch(s.key) for s in STATEMENTS]
    return [match[2] for match in found if match is not None and match[1] == family]


def test_every_key_is_well_formed_and_of_a_known_family() -> None:
    for s in STATEMENTS:
        match = KEY.fullmatch(s.key)
        assert match is not None, s.key
        assert match[1] in FAMILIES, s.key
        assert s.paper == "bhattamishra2024"


def test_no_key_occurs_twice() -> None:
    keys = [s.key for s in STATEMENTS]
    assert len(keys) == len(set(keys)) == 116


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_each_family_has_exactly_the_numbers_of_the_paper(family: str) -> None:
    assert set(numbers(family)) == FAMILIES[family]


@pytest.mark.parametrize("family", ["Task", "Remark", "Experiment", "Question", "Assumption", "Check", "Equation", "Fact", "Figure"])
def test_a_family_is_numbered_in_the_order_of_the_text(family: str) -> None:
    assert numbers(family) == sorted(FAMILIES[family], key=int)


def test_every_constant_of_every_file_is_listed_and_exported_under_the_name_of_its_key() -> None:
    constants: dict[str, Statement] = {}
    for info in iter_modules(bhattamishra2024.__path__):
        module = import_module(f"{bhattamishra2024.__name__}.{info.name}")
        constants |= {name: value for name, value in vars(module).items() if isinstance(value, Statement)}
    by_key = {re.sub(r"[^A-Z0-9]+", "_", s.key.split(" ", 1)[1].upper()).strip("_"): s for s in STATEMENTS}
    assert constants == by_key
    assert set(bhattamishra2024.__all__) == {"STATEMENTS", *constants}
    assert all(getattr(bhattamishra2024, name) is value for name, value in constants.items())


@pytest.mark.parametrize("s", STATEMENTS, ids=lambda s: s.key)
def test_a_statement_says_something_short_and_whole(s: Statement) -> None:
    assert 40 <= len(s.says) <= 600
    assert s.says.endswith(".")
    assert "  " not in s.says
    assert s.place


@pytest.mark.parametrize("s", [s for s in STATEMENTS if s.errata], ids=lambda s: s.key)
def test_an_erratum_gives_both_readings_and_the_evidence(s: Statement) -> None:
    for erratum in s.errata:
        for text in (erratum.printed, erratum.true, erratum.evidence):
            assert text.endswith(".")
            assert 4 <= len(text) <= 400
        assert erratum.printed != erratum.true


@pytest.mark.parametrize("kind", ["theorem", "lemma", "proposition", "corollary", "fact"])
def test_what_is_claimed_names_the_place_of_its_proof(kind: str) -> None:
    claims = [s for s in STATEMENTS if s.kind == kind]
    assert claims
    assert [s.key for s in claims if not s.proof] == []


def test_the_kind_agrees_with_the_key() -> None:
    other_kinds = {
        "Footnote": {"remark"},
        "Section": {"definition"},
        "Appendix": {"clarification", "definition"},
        "Check": {"check", "question"},
    }
    for s in STATEMENTS:
        word = s.key.split()[1]
        assert s.kind in other_kinds.get(word, {word.lower()}), s.key


def test_only_questions_are_open_and_the_settled_one_says_how() -> None:
    questions = {s.key for s in STATEMENTS if s.kind == "question"}
    still_open = {s.key for s in STATEMENTS if s.status == "open"}
    assert questions - still_open == {"bhattamishra2024 Question 3"}
    assert still_open <= questions
    assert bhattamishra2024.QUESTION_3.errata


def test_the_room_finds_the_statements_by_the_name_of_the_paper() -> None:
    assert [s.key for s in statements("bhattamishra2024")] == [s.key for s in STATEMENTS]
