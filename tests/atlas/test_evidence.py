"""Every number of a cell carries the id of its evidence, and equals what stands there."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from separatrix.architectures import COLUMNS, Architecture
from separatrix.atlas.page import slug
from separatrix.atlas.typography import number, percent
from separatrix.ledger.fact import ACCURACY, Fact, What
from separatrix.ledger.ledger import all_facts
from separatrix.tasks import TASKS

TAGGED = re.compile(
    r'<(?:li|p|a|div|span)\b[^>]*data-evidence="?([^"\s>]+(?: [^">]+)?)"?[^>]*>(.*?)(?=<li\b|<p\b|</ul>|</article>|</td>)', re.DOTALL
)
PERCENT = re.compile(r"(\d+(?:\.\d+)?) %")


def plain(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).replace("\u00a0", " ").split())


@pytest.fixture(scope="module")
def by_evidence() -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in all_facts():
        found.setdefault(fact.evidence.key, []).append(fact)
    return found


def said_of(atlas: Path, task: str) -> list[tuple[str, str]]:
    """Evidence and text of everything that the cells of a task's page say."""
    return [(html.unescape(key), plain(text)) for key, text in TAGGED.findall(Path(atlas, f"task-{task}.html").read_text("utf-8"))]


def test_an_accuracy_is_that_of_its_row_at_the_length_that_stands_beside_it(atlas: Path, by_evidence: dict[str, list[Fact]]) -> None:
    met = 0
    for task in TASKS:
        for key, text in said_of(atlas, task):
            shares = PERCENT.findall(text)
            rows = [fact for fact in by_evidence.get(key, ()) if fact.what is What.LEARNED and fact.quantity == ACCURACY]
            if not shares or not rows:
                continue
            same = [fact for fact in rows if percent(fact.value or 0).replace("\u00a0", " ") == f"{shares[0]} %"]
            assert same, (task, text)
            tested = [fact for fact in same if f"N = {number(fact.more['tested_at'])}".replace("\u00a0", " ") in text]
            assert tested, (task, text)
            trained = {fact.more["trained_at"] for fact in tested if fact.more["trained_at"] != fact.more["tested_at"]}
            assert not trained or any(f"trained at {number(length)}" in text for length in trained), (task, text)
            modes = {fact.mode for fact in tested}
            assert len(modes) > 1 or modes == {"alone"} or re.search(r"chain of thought|retrieval", text), (task, text)
            met += 1
    assert met >= 60


def test_every_accuracy_of_a_cell_stands_behind_an_id(atlas: Path) -> None:
    for task in TASKS:
        page = Path(atlas, f"task-{task}.html").read_text("utf-8")
        cells = page[page.find('<article class="cell"') if 'class="cell"' in page else page.find("class=cell") :]
        told = re.findall(r"(?:learned|trained) to (\d+(?:\.\d+)?) %", plain(cells))
        behind = [share for _, text in said_of(atlas, task) for share in re.findall(r"(?:learned|trained) to (\d+(?:\.\d+)?) %", text)]
        assert sorted(told) == sorted(behind), task


def test_what_is_built_is_said_with_the_size_of_its_certificate(atlas: Path, by_evidence: dict[str, list[Fact]]) -> None:
    met = 0
    for task in TASKS:
        for key, text in said_of(atlas, task):
            found = re.search(r"\bbuilt, (?:width ([\d,]+)|([\d,]+) bits of state),", text)
            built = [fact for fact in by_evidence.get(key, ()) if fact.what is What.BUILT]
            if found is None or not built:
                continue
            value = int((found[1] or found[2]).replace(",", ""))
            assert value in {fact.value for fact in built}, (task, text)
            met += 1
    assert met >= 1


def test_no_page_calls_unknown_what_the_ledger_has(atlas: Path) -> None:
    """What is built by any command is on its task's page; a formula that we do not give is not called unknown."""
    built = {fact.task for fact in all_facts() if fact.what is What.BUILT}
    assert {"parity-next", "dyck-2-next"} <= built  # the machines of `separatrix predict built`
    for task in TASKS:
        page = plain(Path(atlas, f"task-{task}.html").read_text("utf-8"))
        assert "No explicit formula is known" not in page, task
        if task in ("parity-next", "dyck-2-next"):  # others are built by certificates, of which this atlas has few
            assert "We have built none for this task" not in page, task


def test_hard_attention_has_a_column_and_parity_names_its_theorem(atlas: Path) -> None:
    page = Path(atlas, "task-parity.html").read_text("utf-8")
    assert Architecture.HARD_ATTENTION in COLUMNS
    cell = page[page.find(f"id=on-{slug(Architecture.HARD_ATTENTION)}") :]
    assert "impossible" in plain(cell[:2000])
    assert "hahn2020 Corollary 2" in plain(cell[:4000])


def test_runs_that_differ_by_their_seed_say_so(atlas: Path, by_evidence: dict[str, list[Fact]]) -> None:
    for task in TASKS:
        listed = [(key, text) for key, text in said_of(atlas, task) if "right answers" in text or "every answer is right" in text]
        for key, text in listed:
            seeds = {fact.more["seed"] for fact in by_evidence[key]}
            assert any(f"seed {seed}" in text for seed in seeds), (task, text)
        assert len({text for _, text in listed}) == len({(key, text) for key, text in listed}), task
