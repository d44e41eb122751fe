"""Every citation in the code names a statement, and every statement that claims code has it."""

from __future__ import annotations

import shlex
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from separatrix.cli import main
from separatrix.papers import PAPERS, statements
from separatrix.papers.citations import citations, keys_of, status_of
from separatrix.papers.commands import COMMANDS
from separatrix.papers.errata import errata_markdown

ROOT = Path(__file__).parents[2]


def test_every_bracket_in_the_code_resolves() -> None:
    known = {s.key for s in statements()}
    found: dict[str, list[str]] = {}
    for folder in ("separatrix", "tests", "benchmarks"):
        for key, modules in citations(ROOT / folder).items():
            found.setdefault(key, []).extend(modules)
    assert len(found) > 50
    wrong = {key: modules for key, modules in found.items() if key not in known}
    assert wrong == {}


def test_what_is_built_or_bounded_names_modules_that_exist() -> None:
    claimed = [s for s in statements() if s.status in ("built", "bounded", "measured")]
    assert len(claimed) > 20
    for s in claimed:
        assert s.code, s.key
        assert all(find_spec(module) is not None for module in s.code), s.key


def test_upper_bounds_are_built_lower_bounds_are_bounded_and_what_has_no_code_is_neither() -> None:
    status = {s.key: s.status for s in statements()}
    # from the papers: existence of Transformers on one side, necessary sizes on the other
    assert {status[f"bhattamishra2024 Theorem {n}"] for n in (1, 6, 7, 13)} == {"built"}
    assert {status[f"bhattamishra2024 Theorem {n}"] for n in (2, 3, 4, 5, 8, 10, 11, 12)} == {"bounded"}
    assert {status["hahn2020 Theorem 1"], status["hahn2020 Corollary 2"], status["wen2024 Theorem 4.7"]} == {"stated"}
    assert {s.status for s in statements() if s.kind in ("experiment", "figure", "table")} <= {"measured", "stated"}


def test_keys_are_unique_over_all_papers() -> None:
    counts = Counter(s.key for s in statements())
    assert [key for key, n in counts.items() if n > 1] == []
    assert {s.paper for s in statements()} == set(PAPERS)


def test_there_are_as_many_statements_as_the_papers_have() -> None:
    # about 155 numbered statements and at least 40 more: assumptions, clarifications, experiments, questions, suggested checks
    numbered = [
        s for s in statements() if s.kind in ("theorem", "lemma", "proposition", "corollary", "definition", "fact", "figure", "table")
    ]
    assert len(numbered) >= 120
    assert len(statements()) >= 195


def test_a_bracket_may_hold_several_keys_and_a_place() -> None:
    assert list(keys_of("hahn2020 Theorem 1; proof 5.2")) == ["hahn2020 Theorem 1"]
    assert list(keys_of("wen2024 Lemma B.1; wen2024 Lemma B.2")) == ["wen2024 Lemma B.1", "wen2024 Lemma B.2"]


def test_the_errata_page_in_the_docs_is_that_of_the_data() -> None:
    assert (ROOT / "docs" / "errata.md").read_text(encoding="utf-8") == errata_markdown() + "\n"


@pytest.mark.parametrize(
    "command", sorted({c for shown in COMMANDS.values() for c in shown.values() if "1000000" not in c and "100000" not in c})
)
def test_the_commands_that_show_errata_run(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(shlex.split(command)[1:])
    refused = "fixed:20,5" in command  # this one shows a refusal: one fractional bit less than log2 N
    assert code == (2 if refused else 0), capsys.readouterr().err


def test_the_commands_belong_to_errata_that_exist() -> None:
    known = {s.key: len(s.errata) for s in statements()}
    assert all(key in known and max(shown) < known[key] for key, shown in COMMANDS.items())


def test_status_follows_from_the_room_that_cites() -> None:
    assert status_of(("separatrix.constructions.x", "separatrix.bounds.y")) == "bounded"  # weights that meet a lower bound
    assert status_of(("separatrix.constructions.x", "separatrix.studies.y")) == "built"
    assert status_of(("separatrix.bounds.y",)) == "bounded"
    assert status_of(("separatrix.tasks.z",)) == "stated"
