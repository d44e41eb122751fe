"""The program in the page decides a language as Python does: facts, witnesses and verdicts."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from separatrix.atlas.pages.state_tracking import PATH, box, state_tracking_page
from separatrix.atlas.render import render
from separatrix.bounds.languages.decisions import facts_of, rows
from separatrix.errors import BadInput
from separatrix.tasks.languages.given import given_language
from tests.atlas.test_browser import browser

__all__ = ["browser"]  # a fixture

LANGUAGES = 1000
FACTS = (
    "states", "monoid", "star_free", "quasi_aperiodic", "definite", "r_trivial", "group", "permutation_reset", "two_groups", "solvable",
    "factors", "period", "twin_images",
)  # fmt: skip
RUN = """([texts, rules]) => texts.map((text) => {
  try {
    const facts = SeparatrixDecide.factsOf(text, "ab");
    return [facts, SeparatrixDecide.rowsOf(facts, rules).map((row) => [row.architecture, row.verdict, row.why, row.says, row.hypotheses])];
  } catch (error) {
    if (error instanceof SeparatrixDecide.Refused) return null;
    throw error;
  }
})"""


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page about state tracking, alone."""
    folder = tmp_path_factory.mktemp("decide")
    for name, content in render([state_tracking_page()]).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    page = browser.new_page()
    page.goto((folder / PATH).as_uri())
    yield page
    page.close()


def expression(draw: random.Random, depth: int) -> str:
    """A random expression over a and b."""
    kind = draw.randrange(8) if depth else 0
    if kind <= 1:
        return draw.choice(["a", "b", ".", "ab", "ba", "aa", "[^a]", ""])
    if kind <= 3:
        return expression(draw, depth - 1) + expression(draw, depth - 1)
    if kind == 4:
        return f"({expression(draw, depth - 1)}|{expression(draw, depth - 1)})"
    return f"({expression(draw, depth - 1)}){draw.choice(['*', '*', '+', '?', '{2}', '{1,2}', '{2,}'])}"


def python(text: str) -> list[Any] | None:
    """What the package says; None where it refuses."""
    try:
        facts = facts_of(given_language(text, "ab"))
    except BadInput:
        return None
    document = json.loads(json.dumps(facts.document))
    return [
        {name: document[name] for name in FACTS},
        [[row.architecture, row.verdict, row.why, row.says, [*row.hypotheses]] for row in rows(facts)],
    ]


def test_a_thousand_languages_are_decided_as_in_python(opened: Page) -> None:
    draw = random.Random(21)
    texts: dict[tuple[object, ...], str] = {}
    while len(texts) < LANGUAGES:
        text = expression(draw, 4)
        automaton = given_language(text, "ab").automaton
        if automaton.states <= 7:
            texts.setdefault((automaton.moves, automaton.accepting), text)
    said = opened.evaluate(RUN, [[*texts.values()], box()["rules"]])
    counted = 0
    for text, found in zip(texts.values(), said, strict=True):
        expected = python(text)
        assert found == expected, text
        assert expected is not None
        counted += expected[0]["period"] is not None
    assert 200 < counted < 800  # both sides of the barrier


@pytest.mark.parametrize("text", ["(ab", "a**)", "a{3,1}", "[", "\\", "*a", "a|c", "[b-a]", "a$", "a{1001}"])
def test_what_python_refuses_is_refused(opened: Page, text: str) -> None:
    assert python(text) is None
    assert opened.evaluate(RUN, [[text], box()["rules"]]) == [None]


def test_a_reader_types_a_language_and_sees_its_verdicts(opened: Page) -> None:
    field = opened.locator("[name=language]")
    field.fill("(aa)*")
    expect(opened.locator("[data-decided]")).to_contain_text("depends on i modulo 2")
    rows = opened.locator("[data-verdicts] tr")
    assert rows.count() == len(box()["rules"])  # type: ignore[arg-type]
    expect(rows.first).to_contain_text("impossible at all lengths")
    field.fill("(ab)*")
    expect(rows.first).to_contain_text("built at all lengths")
    field.fill("(ab")
    expect(opened.locator("[data-decided]")).to_contain_text("expected ')'")
    assert rows.count() == 0
