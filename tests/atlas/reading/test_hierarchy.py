"""The hierarchy of classes: every arrow has evidence that exists, or says that there is none."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

from separatrix.architectures import Architecture
from separatrix.atlas.drawn.hierarchy import HIGH, WIDE, hierarchy_picture
from separatrix.atlas.reading.hierarchy import ARROWS, CLASSES, shown_arrows
from separatrix.bounds.limits import bounds_for
from separatrix.constructions import CONSTRUCTIONS
from separatrix.papers import statements
from separatrix.records.task_choices import bounded_task
from separatrix.tasks import TASKS


def cells(bounds: tuple[dict[str, Any], ...]) -> Any:
    row = SimpleNamespace(quantity="state bits", value=61)
    return {
        task: {one: SimpleNamespace(task=task, architecture=one, length=64, bounds=bounds and (row,)) for one in Architecture}
        for task in TASKS
    }


def test_arrows_name_classes_statements_constructions_and_bounds_that_exist() -> None:
    names, keys = [one.name for one in CLASSES], {statement.key for statement in statements()}
    assert len(set(names)) == len(names)
    for arrow in ARROWS:
        assert {arrow.tail, arrow.head} <= set(names)
        assert set(arrow.cites) <= keys
        assert set(arrow.built) <= set(CONSTRUCTIONS)
        for task, architecture in arrow.needs:
            assert any(bound.architecture == architecture for bound in bounds_for(bounded_task(task), 32)), task
    assert {one.name for one in CLASSES} == {name for arrow in ARROWS for name in (arrow.tail, arrow.head)}


def test_an_arrow_without_certificate_or_bound_says_so_in_words_and_by_its_line() -> None:
    bare = shown_arrows({}, cells(()))
    assert all(one.stated for one in bare)
    picture = str(hierarchy_picture(bare))
    assert picture.count('class="arc stated"') == len(ARROWS)
    assert picture.count("stated, no certificate here") == len(ARROWS)
    assert picture.count(">stated<") == len(ARROWS)


def test_an_arrow_leads_to_its_certificate_or_to_its_bound() -> None:
    pages = {name: f"theorem-{name.replace('/', '-')}.html" for arrow in ARROWS for name in arrow.built}
    shown = shown_arrows(pages, cells(({},)))
    assert [one.stated for one in shown] == [not (arrow.built or arrow.needs) for arrow in ARROWS]
    picture = str(hierarchy_picture(shown))
    targets = re.findall(r'<a href="([^"]+)" aria-label="Arrow (\d+), from', picture)
    assert [int(number) for _, number in targets] == list(range(1, len(ARROWS) + 1))
    for (target, _), arrow in zip(targets, ARROWS, strict=True):
        expected = (
            pages[arrow.built[0]] if arrow.built else f"task-{arrow.needs[0][0]}.html#on-recurrent" if arrow.needs else "paper-wen2024"
        )
        assert target.startswith(expected)
    assert "61 bits of state at N = 64" in picture


def test_no_number_of_an_arrow_lies_on_a_box_or_on_another_number() -> None:
    root = ElementTree.fromstring(str(hierarchy_picture(shown_arrows({}, cells(())))))
    boxes = [(float(one.get("x", "")), float(one.get("y", ""))) for one in root.iter("rect")]
    circles = [(float(one.get("cx", "")), float(one.get("cy", ""))) for one in root.iter("circle")]
    assert (len(boxes), len(circles)) == (len(CLASSES), len(ARROWS))
    for i, (x, y) in enumerate(circles):
        assert all(not (a - 13 < x < a + WIDE + 13 and b - 13 < y < b + HIGH + 13) for a, b in boxes), i
        assert all((x - a) ** 2 + (y - b) ** 2 > 30**2 for a, b in circles[:i]), i
