"""The written pages: everything there is stands on them, and nothing on them leads outside."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from separatrix.architectures import COLUMNS
from separatrix.atlas.page import BAR, Page, Section, slug, statement_link
from separatrix.atlas.pages.arguments import DRAWN, certified, collision_section
from separatrix.atlas.pages.docs import QUESTIONS
from separatrix.atlas.reading.material import Records
from separatrix.atlas.render import render
from separatrix.atlas.search import NAMES
from separatrix.atlas.typography import prose
from separatrix.checker import check_file
from separatrix.papers import CITATION, PAPERS, paper, statements
from separatrix.studies import STUDIES, study
from separatrix.studies.study import DURING
from separatrix.tasks import TASKS
from tests.atlas.markup import Parsed, parse


@pytest.fixture(scope="module")
def pages(atlas: Path) -> dict[str, Parsed]:
    return {path.name: parse(path.read_text()) for path in atlas.glob("*.html")}


HOSTILE = "img-src-x-onerror-window.owned-1-lookup-script-script-window.owned-1-script-bhattamishra2024-theorem-1"


def words(text: str) -> str:
    return " ".join(text.split())


def test_there_is_a_page_for_every_paper_study_card_and_task(pages: dict[str, Parsed]) -> None:
    papers, result = {f"paper-{paper}.html" for paper in PAPERS}, {f"study-{name}.html" for name in STUDIES}
    cards = {
        "index-lookup-bhattamishra2024-theorem-1",
        "equality-bhattamishra2024-theorem-6",
        "fooling-set-bhattamishra2024-fact-4",
        HOSTILE,
    }
    kinds = {f"architecture-{slug(one)}.html" for one in COLUMNS}
    tasks = {f"task-{name}.html" for name in TASKS}
    lists = {"index.html", "playground.html", "built.html", "architectures.html", "tasks.html", "studies.html", "languages.html"}
    lists |= {"state-tracking.html", "hierarchy.html", "restriction.html", "dialogues.html", "collision.html"}
    alone = lists | {
        "published.html",
        "papers.html",
        "errata.html",
        "more-is-known.html",
        "released-code.html",
        "docs.html",
        "questions.html",
    }
    assert set(pages) == alone | papers | result | tasks | kinds | {f"theorem-{card}.html" for card in cards}


def test_every_statement_stands_on_the_page_of_its_paper_with_all_it_has(pages: dict[str, Parsed]) -> None:
    met = 0
    for name in PAPERS:
        page = pages[f"paper-{name}.html"]
        text = words(page.text)
        for one in statements(name):
            assert page.ids.count(slug(one.key.partition(" ")[2])) == 1, one.key
            entries = [part for e in one.entries for part in (e.says, e.holds, e.evidence)]
            for part in (one.says, one.place, one.proof, one.assumes, one.missing, *entries):
                assert words(prose(part).striptags()) in text, (one.key, part)
            assert all(module in text for module in one.code), one.key
            met += 1
    assert met == len(statements())


PAGE_OF = {"note": "more-is-known.html", "code": "released-code.html"}  # all others are errata


def test_every_entry_stands_on_the_page_of_its_severity(pages: dict[str, Parsed]) -> None:
    for one in statements():
        for entry in one.entries:
            text = words(pages[PAGE_OF.get(entry.severity, "errata.html")].text)
            assert one.key in text
            for part in (entry.says, entry.holds, entry.evidence):
                assert words(prose(part).striptags()) in text, one.key
            assert words(entry.command) in text, one.key


def test_the_errata_open_with_what_was_read_and_what_stands(pages: dict[str, Parsed]) -> None:
    text = words(pages["errata.html"].text)
    for name in PAPERS:
        for part in (paper(name).version, *paper(name).stands):
            assert words(prose(part).striptags()) in text, name
    assert "To object, open an issue" in text


def test_every_certificate_stands_on_a_listed_page_with_its_digest_and_the_line_that_checks_it(
    pages: dict[str, Parsed], certificates: Path, atlas: Path
) -> None:
    listed = {name: page for name, page in pages.items() if name.startswith("theorem-")}
    assert set(listed) <= set(pages["built.html"].references)
    for file in ("index-lookup-all", "index-lookup-binary", "index-lookup-quadratic", "fooling", "equality"):
        document = json.loads((certificates / f"{file}.json").read_text())
        (page,) = [page for page in listed.values() if f"certificates/{file}.json.gz" in page.references]
        assert document["digest"] in page.text
        assert f"separatrix check certificates/{file}.json.gz" in page.text
        packed = atlas / "certificates" / f"{file}.json.gz"
        assert gzip.decompress(packed.read_bytes()) == (certificates / f"{file}.json").read_bytes()
        assert check_file(packed).holds


def test_every_card_tells_its_proof_on_its_page(pages: dict[str, Parsed]) -> None:
    steps, averaged = "The weighted sum of codes is at least 3/4 where the code of", "Layer 2 averages the differences over all places"
    assert steps in pages["theorem-index-lookup-bhattamishra2024-theorem-1.html"].text
    assert averaged in pages["theorem-equality-bhattamishra2024-theorem-6.html"].text


def test_files_that_are_no_certificates_are_named_with_their_reason(pages: dict[str, Parsed]) -> None:
    text = words(pages["built.html"].text)
    assert "rows.json: unknown schema None" in text
    assert "broken.json: not a JSON document" in text


def test_what_the_checker_refuses_is_listed_with_its_reason_and_stands_on_no_card(pages: dict[str, Parsed]) -> None:
    text = words(pages["built.html"].text)
    assert "edited.json: the digest does not match the content: the certificate was edited" in text
    assert "refuted.json: " in text
    assert "hostile.json: unknown kind of certificate '<b>bold</b>'" in text
    assert "6 certificates that the checker accepts (5 files refused)" in words(pages["index.html"].text)
    assert "Built and certified: 3 certificates" in words(pages["theorem-index-lookup-bhattamishra2024-theorem-1.html"].text)


def test_a_statement_with_certificates_links_to_them_on_its_paper(pages: dict[str, Parsed]) -> None:
    assert "certificates/index-lookup-binary.json.gz" in pages["paper-bhattamishra2024.html"].references


OUTSIDE = {paper(name).address for name in PAPERS}


def test_every_link_arrives_and_only_papers_are_elsewhere(pages: dict[str, Parsed], atlas: Path) -> None:
    met, outside = 0, set()
    for name, page in pages.items():
        for reference in page.references:
            if reference == "data:,":
                continue
            if ":" in reference:
                outside.add(reference)
                continue
            path, _, anchor = unquote(reference).partition("#")
            assert not reference.startswith("/"), (name, reference)
            assert (atlas / (path or name)).is_file(), (name, reference)
            if anchor and (path or name) in pages:
                assert anchor in pages[path or name].ids, (name, reference)
            met += 1
    assert met > 500
    assert outside == OUTSIDE
    assert len(OUTSIDE) == len(PAPERS)


def test_nothing_is_fetched_from_the_network(atlas: Path) -> None:
    for path in atlas.rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text()
            for address in OUTSIDE:
                text = text.replace(f"href={address}", "").replace(f'href="{address}"', "")
            for word in ("http:", "https:", "@import", "//cdn", "src=//"):
                assert word not in text, (path.name, word)


def unpacked(path: Path) -> dict[str, Any]:
    """What a script of the atlas unpacks."""
    _, _, _, packed, _ = path.read_text().split('"')
    value: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return value


def test_the_links_of_answers_and_of_the_search_arrive(pages: dict[str, Parsed], atlas: Path) -> None:
    answers, search = unpacked(atlas / "assets" / "answers.js"), unpacked(atlas / "assets" / "search.js")
    links = {
        answers["texts"][place]
        for task in answers["answers"]
        for row in task
        for one in row
        for place in (one[2], *(w for _, w in one[3:]))
    }
    for link in (links - {""}) | {found[1] for found in search["list"]}:
        path, _, anchor = link.partition("#")
        assert path in pages, link
        assert not anchor or anchor in pages[path].ids, link
    assert set(NAMES) - {found[1] for found in search["list"]} == set()


def test_identifiers_are_unique_on_every_page(pages: dict[str, Parsed]) -> None:
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), name


@pytest.mark.parametrize("name", sorted(STUDIES))
def test_a_study_page_shows_question_prediction_caption_and_rows_and_gives_them_as_json(
    name: str, pages: dict[str, Parsed], atlas: Path
) -> None:
    text, one = words(pages[f"study-{name}.html"].text), study(name)
    for part in (one.question, one.prediction, one.caption):
        assert words(prose(part).striptags()) in text
    document = json.loads(gzip.decompress((atlas / "rows" / f"{name}.json.gz").read_bytes()))
    assert document["cites"] == list(one.cites)
    listed = [row for row in document["rows"] if row.get("status") != DURING]
    assert f"The {len(listed)} rows" in text
    assert (f"with {len(document['rows']) - len(listed)} more of validation" in text) == (len(listed) < len(document["rows"]))
    assert f"rows/{name}.json.gz" in pages[f"study-{name}.html"].references


def test_the_bar_is_short_and_marks_where_the_reader_is(pages: dict[str, Parsed], atlas: Path) -> None:
    for file, name, over in (
        ("index", "Map", ""),
        ("tasks", "Tasks", ""),
        ("task-dyck", "Tasks", "tasks.html"),
        ("errata", "Papers and errata", "papers.html"),
    ):
        html = (atlas / f"{file}.html").read_text()
        bar = html.partition("</nav>")[0]
        assert bar.count("<li>") == len(BAR)
        assert re.findall(r"aria-current=[^>]*>([^<]*)<", bar) == [name]
        assert (f"<p class=over><a href={over or 'none'}" in html) == bool(over)
    assert {f"task-{task}.html" for task in TASKS} <= set(pages["tasks.html"].references)
    assert {f"study-{name}.html" for name in STUDIES} <= set(pages["studies.html"].references)


def test_the_front_page_ends_in_the_papers_and_the_citation_and_every_other_page_leads_there(pages: dict[str, Parsed]) -> None:
    front = pages["index.html"]
    assert set(front.references) >= OUTSIDE
    assert words(CITATION) in words(front.text)
    for name, page in pages.items():
        assert name == "index.html" or "index.html#about" in page.references, name


def test_the_index_leads_to_every_theorem_and_counts_its_errata(pages: dict[str, Parsed]) -> None:
    index = pages["papers.html"]
    theorems = [one for one in statements() if one.kind == "theorem"]
    assert len(theorems) > 20
    for one in theorems:
        assert statement_link(one.key) in index.references
        own = [entry for entry in one.errata if not entry.repeats]
        assert (f"errata.html#on-{slug(one.key)}" in index.references) == bool(own), one.key


def test_a_question_shows_the_verdicts_of_its_studies(pages: dict[str, Parsed]) -> None:
    text = words(pages["questions.html"].text)
    for question in QUESTIONS:
        assert question.asks in text
        assert {f"study-{name}.html" for name in question.studies} <= set(pages["questions.html"].references)
    assert set().union(*(question.studies for question in QUESTIONS)) <= set(STUDIES)


def test_hostile_names_are_text_everywhere(pages: dict[str, Parsed], atlas: Path) -> None:
    hostile = '<img src=x onerror="window.owned=1">lookup</script><script>window.owned=1</script>'
    page = pages[f"theorem-{HOSTILE}.html"]
    assert "certificates/%3Ci%3Enamed%26.json.gz" in page.references
    shown = words(page.text)
    assert "<img src=x onerror=" in shown
    assert "check 'certificates/<i>named&.json.gz'" in shown
    for path in atlas.rglob("*"):
        if path.suffix in (".html", ".js"):
            assert "<img" not in path.read_text(), path.name
            assert "<i>named" not in path.read_text(), path.name
    found = unpacked(atlas / "assets" / "search.js")
    assert any(title.startswith(hostile) for title, *_ in found["list"])


def test_certificates_of_arguments_are_judged_shown_and_given(pages: dict[str, Parsed], atlas: Path) -> None:
    for name, kind in (("restriction", "restriction"), ("collision", "state-collision")):
        (place,) = [one for one in pages[f"{name}.html"].references if one.startswith("certificates/")]
        verdict = check_file(atlas / place)
        assert (verdict.holds, verdict.strength) == (True, "proven")
        assert place.startswith(f"certificates/{kind}-")
        assert verdict.claim in words(pages[f"{name}.html"].text)
        assert f"separatrix check {place}" in words(pages[f"{name}.html"].text)


def test_an_argument_whose_certificate_is_refused_says_so(records: Records) -> None:
    record = records.content("argument", "collision")
    found = certified({"certificate": {**record["certificate"], "said": 7}})
    assert not found.verdict.holds
    section = Section("state", "x", "collision.html", {**collision_section(record).content, "found": found})
    html = render([Page("x.html", "x", "x", "x", "", (section,))])["x.html"].decode()
    assert "The checker refuses the certificate of this record: the digest does not match" in words(parse(html).text)
    assert "proven" not in html


def test_a_statement_whose_argument_is_drawn_leads_to_the_drawing(pages: dict[str, Parsed]) -> None:
    assert set(DRAWN) <= {statement.key for statement in statements()}
    for key, (path, _) in DRAWN.items():
        assert path in pages[f"paper-{key.partition(' ')[0]}.html"].references


def test_the_hierarchy_counts_the_arrows_that_have_evidence(pages: dict[str, Parsed]) -> None:
    """No certificate of this atlas is about a chain, so bounds alone stand behind three arrows."""
    text = words(pages["hierarchy.html"].text)
    assert "9 arrows, 3 with evidence in this atlas" in text
    assert text.count("stated, no certificate here") >= 6
    assert "bound: is-tree needs 61 bits of state at N = 64" in text


def test_a_key_links_to_its_place() -> None:
    assert statement_link("wen2024 Lemma B.14") == "paper-wen2024.html#lemma-b.14"
    assert statement_link("bhattamishra2024 Section 2(1)") == "paper-bhattamishra2024.html#section-2-1"
