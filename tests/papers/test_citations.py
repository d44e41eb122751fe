"""Every citation in the code names a statement, and every statement that claims code has it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from separatrix.papers import PAPERS, Statement, statements
from separatrix.papers.citations import DEFINITIONS, citations, keys_of, status_of
from separatrix.papers.reading import read

ROOT = Path(__file__).parents[2]


def test_every_bracket_in_the_code_resolves() -> None:
    known = {s.key for s in statements()}
    cited: dict[str, list[str]] = {}
    for folder in ("separatrix", "tests", "benchmarks"):
        for key, modules in citations(ROOT / folder).items():
            cited.setdefault(key, []).extend(modules)
    assert len(cited) > 50
    assert {key: modules for key, modules in cited.items() if key not in known} == {}


def test_what_the_project_holds_names_modules_that_exist() -> None:
    covered = [s for s in statements() if s.status not in ("stated", "open")]
    assert len(covered) > 60
    for s in covered:
        assert s.code, s.key
        assert all(find_spec(module) is not None for module in s.code), s.key


def test_what_code_cites_is_not_merely_stated() -> None:
    assert [s.key for s in statements() if s.code and s.status in ("stated", "open")] == []


def test_only_what_has_nothing_to_prove_is_implemented() -> None:
    # a theorem that only a task or a model cites has to say what is missing
    assert {s.kind for s in statements() if s.status == "implemented"} <= {*DEFINITIONS, "clarification", "equation", "algorithm"}


def test_upper_bounds_are_built_lower_bounds_are_bounded_and_what_has_no_code_is_neither() -> None:
    status = {s.key: s.status for s in statements()}
    # from the papers: existence of Transformers on one side, necessary sizes on the other
    assert {status[f"bhattamishra2024 Theorem {n}"] for n in (1, 6, 13)} == {"built"}
    assert {status[f"bhattamishra2024 Theorem {n}"] for n in (2, 3, 4, 5, 8, 10, 11, 12)} == {"bounded"}
    assert status["bhattamishra2024 Corollary 13.1"] == "bounded"  # a limit on protocols, although a construction shows it
    assert status["bhattamishra2024 Question 3"] == "bounded"  # the count of residual functions settles it
    # from the code: a dialogue with coins on Disjointness is only cited, and no figure or experiment is repeated whole
    assert {status[f"bhattamishra2024 {key}"] for key in ("Fact 1", "Remark 9", "Figure 2", "Experiment 2", "Experiment 3")} == {"partly"}
    assert status["bhattamishra2024 Fact 3"] == "bounded"
    assert {status["hahn2020 Theorem 1"], status["hahn2020 Corollary 2"], status["hahn2020 Lemma 4"]} == {"partly"}  # given models only
    assert (status["wen2024 Theorem 4.1"], status["wen2024 Theorem 4.8"]) == ("partly", "built")  # of the first one half
    assert {status[f"wen2024 Theorem {n}"] for n in ("4.6", "4.7")} == {"bounded"}  # both halves
    assert {status[f"wen2024 Theorem {n}"] for n in ("5.2", "5.3", "5.4", "5.6", "5.7", "5.8", "B.30")} == {"built"}
    assert {s.status for s in statements() if s.kind in ("experiment", "figure", "table")} <= {"measured", "partly", "stated"}


def test_a_declared_status_is_one_that_the_citations_would_not_give() -> None:
    declared = [s for name in PAPERS for s in read(name).statements if s.status != "stated"]
    cited = {s.key: s.code for s in statements()}
    for s in declared:
        plain = Statement(s.key, s.kind, s.says, s.place)
        assert status_of(plain, cited[s.key]) != s.status, s.key
        assert s.status == "open" or cited[s.key], s.key


def test_a_bracket_may_hold_several_keys_and_a_place() -> None:
    assert list(keys_of("hahn2020 Theorem 1; proof 5.2")) == ["hahn2020 Theorem 1"]
    assert list(keys_of("wen2024 Lemma B.1; wen2024 Lemma B.2")) == ["wen2024 Lemma B.1", "wen2024 Lemma B.2"]


def test_status_follows_from_the_room_that_cites() -> None:
    theorem = Statement("hahn2020 Theorem 1", "theorem", "says", "section 5")
    task = Statement("hahn2020 Task 1", "task", "says", "section 4")
    part = Statement("hahn2020 Theorem 6", "theorem", "says", "section 6", missing="The model.")
    assert status_of(theorem, ()) == "stated"
    assert status_of(theorem, ("separatrix.constructions.x", "separatrix.bounds.y")) == "bounded"  # weights that meet a lower bound
    assert status_of(theorem, ("separatrix.constructions.x", "separatrix.studies.y")) == "built"
    assert status_of(theorem, ("separatrix.bounds.y",)) == "bounded"
    assert status_of(theorem, ("separatrix.studies.y",)) == "measured"
    assert status_of(task, ("separatrix.bounds.y", "separatrix.tasks.z")) == "implemented"
    assert status_of(part, ("separatrix.bounds.y",)) == "partly"
