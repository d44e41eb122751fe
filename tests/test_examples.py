"""The examples that docs/adding.md is about: what they compute, and what they refuse. tests/docs runs the page itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.naming import load
from separatrix.tasks.audit.audit import audit
from separatrix.tasks.audit.shortcuts import leaking
from separatrix.tasks.capabilities import second_solver

ROOT = Path(__file__).parents[1]


def test_the_construction_of_the_recipes_is_exact_on_every_small_input_and_fits_into_forty_lines() -> None:
    source = ROOT / "examples" / "previous_occurrence.py"
    built = build(f"{source}:previous_occurrence", length=6, symbols=3)
    rows = [*built.task.inputs()]
    assert len(rows) == 3**6
    with torch.no_grad():
        predicted = built.model(torch.tensor(rows), at=-1).argmax(dim=1).tolist()
    assert predicted == [built.task.answer(row) for row in rows]
    assert [built.task.answer(row) for row in ((3, 2, 0, 1, 0), (3, 2, 2, 1), (3, 1))] == [2, 0, 0]
    defined = [part for part in ast.parse(source.read_text()).body if isinstance(part, ast.ClassDef | ast.FunctionDef)]
    lines = [line.strip() for part in defined for line in source.read_text().splitlines()[part.lineno - 1 : part.end_lineno]]
    assert len([line for line in lines if line and not line.startswith(('"""', "#"))]) < 40


def test_the_construction_of_the_recipes_refuses_what_cannot_work() -> None:
    with pytest.raises(BadInput, match=r"previous-occurrence, N = 1000: logits reach .* too much for float32"):
        build(f"{ROOT / 'examples' / 'previous_occurrence.py'}:previous_occurrence", length=1000, arithmetic="float32")


def test_the_example_of_a_task_could_stand_in_the_package() -> None:
    """It has the four facts that the laws of tasks require there."""
    task = load(f"{ROOT}/examples/majority.py:Majority")(4)
    assert task.title
    assert second_solver(task) is not None
    assert task.input_count == len([*task.inputs()]) == 2**4
    assert all(task.second(bits) == task.answer(bits) for bits in task.inputs())
    shown = {shortcut for leak in task.known_leaks for shortcut in leak.shown_by}
    assert {*leaking(audit(task.at(20))["shortcuts"])} == shown


PROGRAMS = {"common_subsequence.py:CommonSubsequence": 2, "palindrome.py:Palindrome": 4, "matrix_chain.py:MatrixChain": 3}


@pytest.mark.parametrize("attention", ["standard", "linear", "sparse", "window"])
@pytest.mark.parametrize("place", PROGRAMS)
def test_a_dynamic_program_of_ones_own_is_exact_on_every_small_input(place: str, attention: str) -> None:
    certificate = verify(build(f"{ROOT / 'examples' / place}", length=PROGRAMS[place], attention=attention))
    assert certificate.holds
    verdict = check_document(certificate.document)
    assert verdict.strength == "exhaustive", verdict.reason
    assert verdict.claim.startswith("a dynamic program given as data")


@pytest.mark.parametrize("place", PROGRAMS)
def test_a_dynamic_program_fits_into_forty_lines(place: str) -> None:
    assert len((ROOT / "examples" / place.split(":", maxsplit=1)[0]).read_text().splitlines()) <= 40


def test_the_examples_compute_what_they_say() -> None:
    lcs, palindrome, chain = (load(f"{ROOT / 'examples' / place}") for place in PROGRAMS)
    assert lcs(3).answer((0, 1, 0, 1, 0, 0, 2)) == 2
    assert palindrome(4).answer((0, 1, 2, 0, 3)) == 3
    assert chain(4).answer((2, 0, 2, 0, 3)) == min(3 * 1 * 3 + 3 * 3 * 1, 1 * 3 * 1 + 3 * 1 * 1)  # (AB)C or A(BC)
