"""Drawn examples: every task has one for each family, well formed, and what it says is what the oracle says."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from xml.etree import ElementTree

import pytest

from separatrix.atlas.drawn import DRAWINGS, answer_text, draw_example, plain
from separatrix.atlas.drawn.strip import BOX
from separatrix.records.task_choices import drawn_task
from separatrix.tasks import TASKS, Batch, Task
from separatrix.tasks.next_symbol import NextSymbol

COUNT = 20


def examples(task: Task) -> Iterator[tuple[int, ...]]:
    for kind in task.case_kinds:
        batch = task.cases(kind, 1, COUNT)
        yield from (batch.row(r) for r in range(COUNT))


def boxes(picture: str, tone: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return [text.text or "" for box in root.iter("g") if box.get("class") == f"box {tone}" for text in box.iter("text")]


@pytest.mark.parametrize("name", TASKS)
def test_every_example_is_drawn_with_all_its_tokens_and_ends_in_the_answer_of_the_oracle(name: str) -> None:
    task = drawn_task(name)
    for tokens in examples(task):
        drawn, right_answer = draw_example(task, tokens), answer_text(task, tokens)
        root = ElementTree.fromstring(str(drawn.picture))  # raises where it is not well formed
        words = [text.text for box in root.iter("g") if "box" in box.get("class", "") for text in box.iter("text")]
        for word, count in {word: [task.text([t]) for t in tokens].count(word) for word in (task.text([t]) for t in tokens)}.items():
            assert words.count(word) >= count, (name, word)
        assert root.get("aria-label") == drawn.why
        if isinstance(task, NextSymbol):
            assert boxes(str(drawn.picture), "open") == right_answer.split()
        elif task.targets == 2 and not isinstance(task.answer(tokens), tuple) and "label" not in drawn.why:
            assert drawn.why.rstrip(".").endswith(right_answer), (name, drawn.why)
            assert words[-1] == right_answer


@pytest.mark.parametrize("name", TASKS)
def test_nothing_in_a_picture_lies_outside_its_frame(name: str) -> None:
    task = drawn_task(name)
    for tokens in examples(task):
        root = ElementTree.fromstring(str(draw_example(task, tokens).picture))
        left, top, width, height = map(float, root.get("viewBox", "").split())
        for rect in root.iter("rect"):
            x, y = float(rect.get("x", "")), float(rect.get("y", ""))
            wider = re.fullmatch(r"width:(\S+)px", rect.get("style", ""))
            w, h = float(wider[1] if wider else rect.get("width", BOX)), float(rect.get("height", BOX))  # as in the style sheet
            assert left <= x, name
            assert x + w <= left + width, name
            assert top <= y, name
            assert y + h <= top + height, name
        for path in root.iter("path"):
            curve = re.fullmatch(r"M(\S+) (\S+)C(\S+) (\S+) (\S+) (\S+) (\S+) (\S+)", path.get("d", ""))
            if curve:
                a, y, _, lift, *_ = map(float, curve.groups())
                assert top <= 0.25 * y + 0.75 * lift, name  # the peak of the curve
                assert left <= a <= left + width, name


def test_pictures_name_nothing_outside_and_bring_no_colours_of_their_own() -> None:
    for name in TASKS:
        task = drawn_task(name)
        picture = str(draw_example(task, task.sample(0, 1).row(0)).picture)
        assert not re.search(r"https?:|xmlns|<script|<style|url\(|#[0-9a-f]{3,6}\b|rgb|fill=|stroke=", picture), name


def test_every_drawing_is_used_by_some_task() -> None:
    met = {next(kind for kind, _ in DRAWINGS if isinstance(drawn_task(name), kind)) for name in TASKS if not is_plain(name)}
    assert met == {kind for kind, _ in DRAWINGS}


def is_plain(name: str) -> bool:
    return not any(isinstance(drawn_task(name), kind) for kind, _ in DRAWINGS)


@dataclass(frozen=True)
class Longest(Task):
    """A task of one's own, with an answer that is a word."""

    length: int
    name: ClassVar[str] = "longest"
    cites: ClassVar[str] = ""
    tokens: ClassVar[str] = "N"
    vocabulary: ClassVar[int] = 2  # type: ignore[assignment]
    targets: ClassVar[int] = 9  # type: ignore[assignment]

    def answer(self, tokens: Sequence[int]) -> int | None:
        return max(len(list(run)) for _, run in itertools.groupby(tokens))

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:  # noqa: ARG002
        raise AssertionError

    def inputs(self) -> Iterator[tuple[int, ...]]:
        raise AssertionError

    def target_text(self, target: int) -> str:
        return f"<run of {target}>"


def test_a_task_without_a_drawing_of_its_own_shows_its_tokens_and_the_answer() -> None:
    tokens = (0, 1, 1, 1, 0)
    drawn = draw_example(Longest(5), tokens)
    assert drawn == plain(Longest(5), tokens)
    assert boxes(str(drawn.picture), "mark") == ["0", "<run of 3>"]
    assert drawn.why == "The answer is <run of 3>."


def test_the_style_sheet_has_the_sides_of_a_box() -> None:
    sheet = (Path(__file__).parents[3] / "separatrix" / "atlas" / "templates" / "style.css").read_text()
    assert f".strip .box rect {{ width: {BOX}px; height: {BOX}px;" in sheet
