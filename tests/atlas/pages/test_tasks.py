"""Task pages: one for each task, with what it asks, examples of every answer, its states, its bounds and its audit."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from separatrix.architectures import Architecture
from separatrix.atlas.page import task_path
from separatrix.atlas.pages.tasks import SHORTCUTS, known_section, opening, own_words, shown
from separatrix.atlas.reading.cells import Cell
from separatrix.atlas.reading.material import Records
from separatrix.atlas.typography import prose
from separatrix.bounds.limits import bounds_for, task_profile
from separatrix.constructions import CONSTRUCTIONS, constructions
from separatrix.ledger.cells import grid
from separatrix.parameters import parameters
from separatrix.records.task_choices import bounded_task, counted_task, drawn_task
from separatrix.tasks import TASKS, make_task, task_class
from tests.atlas.markup import Parsed, parse


@pytest.fixture(scope="module")
def pages(atlas: Path) -> dict[str, Parsed]:
    return {name: parse((atlas / task_path(name)).read_text()) for name in TASKS}


@pytest.fixture(scope="module")
def overview(atlas: Path) -> Parsed:
    return parse((atlas / "tasks.html").read_text())


def words(text: str) -> str:
    return " ".join(text.split())


def shown_text(text: str) -> str:
    return words(prose(text).striptags())


def test_every_task_has_a_page_that_says_what_it_asks_and_is_listed(pages: dict[str, Parsed], overview: Parsed) -> None:
    for name, page in pages.items():
        kind, text = task_class(name), words(page.text)
        assert shown_text(opening(kind)) in text, name
        assert shown_text(" ".join(inspect.cleandoc(kind.__doc__ or "").split())) in text, name
        assert f"tokens{shown_text(kind.tokens)}" in text, name
        for parameter in parameters(kind):
            assert parameter in text, (name, parameter)
        assert task_path(name) in overview.references, name
        assert shown_text(opening(kind)) in words(overview.text), name


def test_a_page_names_every_construction_and_every_bound_of_its_task(pages: dict[str, Parsed]) -> None:
    met = set()
    for name, page in pages.items():
        text = words(page.text)
        for one in constructions(name):
            assert one.name in text, name
            met.add(one.name)
        for bound in bounds_for(bounded_task(name), 32):
            if bound.architecture is Architecture.ONE_TRANSITION:
                continue  # the page has the bound of every recurrent model, which is no weaker
            assert shown_text(bound.formula) in text, (name, bound.formula)
            assert shown_text(bound.caveat) in text, (name, bound.caveat)
    assert met == CONSTRUCTIONS.keys()


def test_a_construction_with_certificates_is_linked_to_its_page(pages: dict[str, Parsed]) -> None:
    assert "theorem-index-lookup-bhattamishra2024-theorem-1.html" in pages["index-lookup"].references
    assert "separatrix verify k-dnf" in words(pages["k-dnf"].text)


def test_the_states_on_a_page_are_those_of_the_profile(atlas: Path) -> None:
    for name in ("equality", "mqar", "regular"):
        bits = ", ".join(map(str, task_profile(counted_task(name)).bits_at))
        assert f"Bits of state after each token of {name}: {bits}" in (atlas / task_path(name)).read_text()


@pytest.mark.parametrize("name", ["parity", "dyck", "dyck-2", "equality", "intersects", "k-cnf", "ones", "an-bn", "function"])
def test_the_examples_show_both_answers_and_none_twice(name: str, records: Records) -> None:
    result = shown(drawn_task(name), records.content("task", name)["examples"]["families"]["random"])
    assert [one.answer for one in result][:2] in (["0", "1"], ["1", "0"])
    assert len({one.text for one in result}) == len(result)
    assert [one.label for one in result] == [str(i + 1) for i in range(len(result))]


def test_every_shortcut_says_what_it_looks_at(pages: dict[str, Parsed]) -> None:
    assert all(says in words(pages["dyck"].text) for says in SHORTCUTS.values())


def test_the_labels_of_no_task_are_wrong(pages: dict[str, Parsed]) -> None:
    for name, page in pages.items():
        assert "wrong labels 0 of 2,000, comparing each with the definition" in words(page.text), name


def test_conventions_are_the_words_of_the_file_without_its_citations() -> None:
    text = own_words(task_class("index-lookup"))
    assert text.startswith("    c a d b a 3  ->  d")
    assert "bhattamishra2024 Task 1" not in text


def test_the_bounds_of_a_page_are_those_of_the_ledger_and_a_task_without_weights_says_so() -> None:
    known = {task: {one: Cell(facts, 0) for one, facts in row.items()} for task, row in grid([]).items() if task in ("dyck-1", "equality")}
    content = known_section("dyck-1", [], known["dyck-1"]).content
    assert content["built"] == []
    assert {bound.architecture for bound in content["bounds"]} == {Architecture.RECURRENT, Architecture.WINDOW}
    of_equality = [bound.value for bound in bounds_for(make_task("equality", length=1000), 32)]
    shown = [bound.value for bound in known_section("equality", [], known["equality"]).content["bounds"]]
    assert sorted(shown)[: len(of_equality) - 1] == sorted(of_equality)[: len(of_equality) - 1]
    assert len(shown) == len(of_equality) + 1  # and what a window cannot see
