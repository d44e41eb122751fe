"""The pages in a real browser, from disk: no error, no outside request, no sideways scrolling, and the controls work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from separatrix.architectures import COLUMNS
from separatrix.papers import PAPERS, paper
from separatrix.studies import STUDIES
from separatrix.tasks import TASKS, task_class
from tests.atlas.browser import FLAGS, NAMES, REQUIRED, find_browser

CARDS = ("index-lookup-bhattamishra2024-theorem-1", "equality-bhattamishra2024-theorem-6", "fooling-set-bhattamishra2024-fact-4")
FILES = (
    "index",
    "built",
    "studies",
    "architectures",
    "architecture-recurrent",
    "architecture-two-layer-transformer",
    "hierarchy",
    "restriction",
    "dialogues",
    "collision",
    "errata",
    "more-is-known",
    "released-code",
    "papers",
    "docs",
    "questions",
    "playground",
    "tasks",
    "languages",
    *(f"task-{name}" for name in ("index-lookup", "mqar", "dyck", "eq-one", "nearest-neighbor", "k-cnf", "dyck-2-next", "regular")),
    *(f"theorem-{card}" for card in CARDS),
    *(f"paper-{paper}" for paper in PAPERS),
    *(f"study-{name}" for name in STUDIES),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find_browser()
    assert path is not None, f"{REQUIRED} is set, and none of {', '.join(NAMES)} was found"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh page as wide as the test asks for, that remembers what went wrong."""
    width, scheme = getattr(request, "param", (1400, "light"))
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    opened, trouble = context.new_page(), []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            trouble.append(message.text)

    def asked(sent: Request) -> None:
        if not sent.url.startswith(("file:", "data:")):
            trouble.append(sent.url)

    opened.on("console", heard)
    opened.on("pageerror", lambda error: trouble.append(str(error)))
    opened.on("request", asked)
    opened.on("requestfailed", lambda sent: trouble.append(f"failed: {sent.url}"))
    yield opened
    context.close()
    assert trouble == []


def visit(page: Page, atlas: Path, file: str) -> None:
    page.goto((atlas / f"{file}.html").as_uri())


NARROW = pytest.param((390, "dark"), id="narrow")  # where a page scrolls first
MIDDLE, WIDE = (pytest.param((width, "light"), marks=pytest.mark.slow, id=name) for width, name in ((820, "middle"), (1400, "wide")))


@pytest.mark.parametrize("page", [WIDE, MIDDLE, NARROW], indirect=True)
def test_no_page_scrolls_sideways_even_with_everything_unfolded(page: Page, atlas: Path) -> None:
    for file in FILES:
        visit(page, atlas, file)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), file
        assert page.locator("h1").inner_text()


@pytest.mark.parametrize("page", [(360, "light")], indirect=True, ids=["phone"])
def test_no_table_with_words_is_cut_off_on_a_phone(page: Page, atlas: Path) -> None:
    met = 0
    for file in ("architectures", "architecture-recurrent", "built", "task-dyck"):
        visit(page, atlas, file)
        for table in page.locator(".scroll:has(table)").all():
            assert table.evaluate("(box) => box.scrollWidth <= box.clientWidth"), (file, table.get_attribute("aria-label"))
            met += 1
    assert met >= 6
    visit(page, atlas, "architectures")
    first = page.locator("tbody tr").first.locator("td").first
    assert first.evaluate("(cell) => getComputedStyle(cell, '::before').content") == '"impossible, or impossible below a size: "'


def test_a_table_of_models_fits_a_wide_page(page: Page, atlas: Path) -> None:
    visit(page, atlas, "architecture-recurrent")
    box = page.locator("#costs .scroll, .scroll[aria-label='State and cost']").first
    assert box.evaluate("(box) => box.scrollWidth <= box.clientWidth")
    assert {row.bounding_box()["height"] < 40 for row in box.locator("tbody tr").all()[:5]} == {True}  # type: ignore[index]


def test_the_picker_draws_the_place_that_is_asked_for(page: Page, atlas: Path) -> None:
    visit(page, atlas, f"theorem-{CARDS[0]}")
    picker = page.locator("[data-picker]")
    for family, place in ((0, 1), (0, 5), (1, 5), (1, 12)):
        picker.locator("fieldset").first.locator("label").nth(family).click()
        picker.locator(f"[data-family='{family}'] label").nth(place - 1).click()
        run = picker.locator(".run:visible")
        expect(run).to_have_count(1)
        assert run.get_attribute("data-run") == f"{family}-{place - 1}"
        cells = run.locator("tr.heaviest td").all_inner_texts()
        assert cells[0] == str(place)
        assert float(cells[3]) >= 0.75
        bar, track = run.locator("tr.heaviest .bar span"), run.locator("tr.heaviest .bar div")
        bar_box, track_box = bar.bounding_box(), track.bounding_box()
        assert bar_box is not None
        assert track_box is not None
        assert bar_box["width"] / track_box["width"] == pytest.approx(float(cells[3]), abs=0.01)
        expect(run.get_by_text("right", exact=True)).to_be_visible()


def test_the_picker_can_be_used_with_the_keyboard(page: Page, atlas: Path) -> None:
    visit(page, atlas, f"theorem-{CARDS[0]}")
    page.locator("[data-family='0'] input").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".run:visible").get_attribute("data-run") == "0-1"


def test_the_picker_of_a_task_shows_one_drawing_at_a_time(page: Page, atlas: Path) -> None:
    visit(page, atlas, "task-dyck")
    picker = page.locator("[data-picker]")
    picker.get_by_text("too-deep").click()
    picker.locator("[data-family='2'] label").nth(1).click()
    run = picker.locator(".run:visible")
    expect(run).to_have_count(1)
    assert run.get_attribute("data-run") == "2-1"
    expect(run.locator("svg.strip")).to_have_count(1)
    label = run.locator("svg.strip").get_attribute("aria-label")
    assert label
    assert label in run.inner_text()


def test_a_task_with_one_family_asks_only_for_the_example(page: Page, atlas: Path) -> None:
    visit(page, atlas, "task-parity-next")
    expect(page.locator("[data-picker] fieldset:visible")).to_have_count(1)
    page.locator("[data-family='0'] label").nth(1).click()
    assert page.locator(".run:visible").get_attribute("data-run") == "0-1"


@pytest.mark.parametrize("page", [(1400, "light"), (360, "dark")], indirect=True, ids=["wide", "narrow"])
def test_drawings_fit_their_box_or_scroll_in_it_and_follow_the_ink(page: Page, atlas: Path) -> None:
    visit(page, atlas, "task-dyck")
    run = page.locator(".run:visible")
    outer, box, picture = (run.locator(one).bounding_box() if one else run.bounding_box() for one in ("", ".drawn", "svg.strip"))
    assert outer is not None
    assert box is not None
    assert picture is not None
    assert box["width"] <= outer["width"]
    assert picture["width"] >= 0.55 * 40 * 12 - 1  # ten brackets, an arrow and the answer, shrunk no further than that
    assert picture["width"] <= box["width"] + 1  # so small a picture is whole on a phone
    ink = page.evaluate("getComputedStyle(document.documentElement).color")
    assert page.evaluate("getComputedStyle(document.querySelector('.strip .box text')).fill") == ink


def test_a_walk_is_stepped_through_with_the_keyboard(page: Page, atlas: Path) -> None:
    visit(page, atlas, "task-is-tree")
    run = page.locator(".run:visible")
    output, parts = run.locator(".stepper output"), run.locator("[data-step]")
    steps = int(run.get_by_label("Step").get_attribute("max") or 0)
    assert run.locator("[data-step].later").count() == 0  # whole at first
    run.get_by_role("button", name="Start").focus()
    page.keyboard.press("Enter")
    expect(output).to_contain_text(f"1 of {steps}: from 1 to ")
    assert run.locator("[data-step].later").count() == parts.count() - run.locator("[data-step='1']").count() > 0
    assert run.locator("[data-step='2']").first.is_hidden()
    run.get_by_role("button", name="Next").focus()
    page.keyboard.press("Space")
    expect(output).to_contain_text(f"2 of {steps}: ")
    run.get_by_label("Step").focus()
    page.keyboard.press("End")
    expect(output).to_contain_text(f"{steps} of {steps}: ")
    page.keyboard.press("ArrowRight")  # no further than the end
    expect(output).to_contain_text(f"{steps} of {steps}: ")
    assert run.locator("[data-step].later").count() == 0


def test_a_dialogue_and_a_restriction_are_stepped_through(page: Page, atlas: Path) -> None:
    visit(page, atlas, "dialogues")
    section = page.locator("section").first
    section.get_by_role("button", name="Start").click()
    expect(section.locator(".dialogue li:not(.later)")).to_have_count(1)
    section.get_by_role("button", name="Next").click()
    expect(section.locator(".dialogue li:not(.later)")).to_have_count(2)
    section.get_by_role("button", name="Back").click()
    expect(section.locator(".dialogue li.now")).to_contain_text("4 bits, 4 so far")
    visit(page, atlas, "restriction")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".stepper output")).to_have_text("1 of 5: All 16 places that can be free are free.")


def test_an_arrow_of_the_hierarchy_leads_to_its_bound(page: Page, atlas: Path) -> None:
    visit(page, atlas, "hierarchy")
    page.get_by_role("link", name="Arrow 2, from recurrent with a chain of thought to polynomial time").click()
    assert page.url.endswith("task-is-tree.html#on-recurrent")


def test_on_paper_every_step_is_shown_and_no_control(page: Page, atlas: Path) -> None:
    visit(page, atlas, "restriction")
    page.get_by_role("button", name="Start").click()
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('[data-step].later')).visibility") == "visible"
    expect(page.locator("nav, .stepper, button").locator("visible=true")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_line_is_copied_by_its_button(page: Page, atlas: Path) -> None:
    visit(page, atlas, f"theorem-{CARDS[0]}")
    page.get_by_text("Check them yourself").first.click()
    button = page.locator(".command button:visible").first
    button.click()
    assert button.inner_text() == "copied"
    assert page.evaluate("String(getSelection())") == "separatrix check certificates/index-lookup-all.json.gz"


def test_the_filter_leaves_the_entries_that_contain_the_words(page: Page, atlas: Path) -> None:
    visit(page, atlas, "paper-bhattamishra2024")
    entries = page.locator("article:visible")
    everything = entries.count()
    page.get_by_label("Show only statements with").fill("index lookup")
    total = entries.count()
    assert 0 < total < everything
    assert all("index lookup" in text.lower() for text in entries.all_inner_texts())
    expect(page.locator(".filter output")).to_have_text(f"{total} of {everything}")
    page.get_by_label("Show only statements with").fill("")
    assert entries.count() == everything


@pytest.mark.parametrize("page", [(1400, "light"), (1400, "dark")], indirect=True, ids=["light", "dark"])
def test_text_and_charts_follow_the_colours_of_the_reader(page: Page, atlas: Path, request: pytest.FixtureRequest) -> None:
    visit(page, atlas, "study-memory-of-lookup")
    background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    ink = page.evaluate("getComputedStyle(document.querySelector('.panels svg text')).fill")
    dark = request.node.callspec.id == "dark"
    assert (background, ink) == (("rgb(22, 24, 27)", "rgb(227, 225, 220)") if dark else ("rgb(253, 252, 249)", "rgb(29, 31, 35)"))


def chosen(page: Page, **values: str) -> list[str]:
    """Choose in the table of the map; the tasks that are left."""
    page.locator("#table").evaluate("(one) => { one.open = true; }")
    form = page.locator("[data-map]")
    form.get_by_role("button", name="All").click()
    page.evaluate("() => new Promise(done => setTimeout(done))")  # as the page does, which shows its rows once the form is empty
    for name, value in values.items():
        control = form.locator(f"[name={name}]")
        control.fill(value) if name == "words" else control.select_option(label=value)
    return page.locator(".map tbody tr:visible th").all_inner_texts()


def test_the_map_is_filtered_by_paper_family_status_architecture_and_words(page: Page, atlas: Path) -> None:
    visit(page, atlas, "index")
    everything = chosen(page)
    assert everything == [task_class(name).title for name in TASKS]
    expect(page.locator("[data-map] output")).to_have_text("")
    assert chosen(page, family="dynamic programs") == [task_class(n).title for n in TASKS if task_class(n).about == "dynamic programs"]
    hahn = chosen(page, paper=paper("hahn2020").short)
    assert hahn == [task_class(name).title for name in TASKS if task_class(name).cites.startswith("hahn2020")]
    expect(page.locator("[data-map] output")).to_have_text(f"{len(hahn)} of {len(TASKS)} tasks")
    assert chosen(page, words="associative") == ["Associative recall"]
    # certificates of this atlas: two constructions; and the machines that predict a source
    assert chosen(page, status="built") == [
        "Index lookup",
        "Equality",
        *(task_class(name).title for name in ("parity-next", "dyck-2-next")),
    ]
    assert chosen(page, status="built", first="Transformer, two layers") == ["Index lookup", "Equality"]  # an idle layer more


def test_two_architectures_stand_side_by_side(page: Page, atlas: Path) -> None:
    visit(page, atlas, "index")
    tasks = chosen(page, first="Any recurrent model", second="Transformer, one layer")
    assert page.locator(".map thead th:visible").all_inner_texts() == ["task", "Any recurrent model", "Transformer, one layer"]
    assert "Index lookup" in tasks
    expect(page.locator("[data-map] output")).to_contain_text(f"; {len(TASKS) - len(tasks)} that are open on both are left out")
    row = page.locator(".map tbody tr:visible", has_text="Index lookup").first
    first, second = row.locator("td:visible").all_inner_texts()
    assert "impossible below 6,000 bits of state, N = 1,000".replace(" ", "") in "".join(first.split())
    assert "built, width" in second
    assert "proven" in second
    assert len(chosen(page)) == len(TASKS)


def test_a_cell_leads_to_what_is_behind_it(page: Page, atlas: Path) -> None:
    visit(page, atlas, "index")
    chosen(page, first="Transformer, two layers", words="equality")
    row = page.locator(".map tbody tr:visible", has_text="Equality").first
    row.locator("td:visible a.said").first.click()
    assert page.url.endswith("task-equality.html#on-two-layer-transformer")
    behind = page.locator("article.cell:target")
    expect(behind.locator("p[data-evidence]")).to_have_count(1)
    expect(behind.locator(".question")).to_contain_text("Can it be smaller?")


def test_no_cell_is_blank_and_each_says_its_status_without_colours(page: Page, atlas: Path) -> None:
    visit(page, atlas, "index")
    page.locator("#table > summary").click()
    assert page.locator(".map td:has(a.said)").count() == len(TASKS) * len(COLUMNS)
    drawn = "(all) => all.map((one) => [getComputedStyle(one, '::before').content, one.textContent.trim()])"
    said: list[tuple[str, str]] = page.locator(".map td a.said").evaluate_all(drawn)
    signs = {
        "impossible at every": "[✕§]",  # a certificate, or cited
        "impossible for one model": "[✕§]",
        "impossible below": "✕",
        "built,": "✓",
        "with a chain": "✓",
        "with retrieval": "✓",
        "learned to": "~",
        "trained to": "~",
        "open": "[?]",
    }
    for sign, text in said:
        known = [expected for word, expected in signs.items() if re.match(rf"(with [a-z ]+: )?{word}", text)]
        assert any(re.search(expected, sign) for expected in known), (sign, text)


def test_the_search_finds_statements_and_certificates_from_any_page(page: Page, atlas: Path) -> None:
    visit(page, atlas, "errata")
    page.get_by_role("button", name="Search").click()
    box, results = page.get_by_role("searchbox").first, page.locator("dialog li")
    for words, path in (
        ("wen2024 4.6", "paper-wen2024.html#theorem-4.6"),
        ("transformer, two layers", "architecture-two-layer-transformer.html"),
        ("equality proven", f"theorem-{CARDS[1]}.html"),
    ):
        box.fill(words)
        expect(results.locator(f'a[href="{path}"]').first).to_be_visible()
    box.fill("qqq zzz")
    expect(page.locator("dialog output")).to_have_text("0 found")
    box.fill("lookup onerror")
    assert results.count() > 0
    assert results.locator("img").count() == 0
    assert page.evaluate("window.owned") is None
    box.fill("parity")
    box.press("Enter")
    expect(page.locator("h1")).to_have_text("PARITY")


def test_the_sentence_is_answered_from_the_ledger(page: Page, atlas: Path) -> None:
    visit(page, atlas, "index")
    reply = page.locator("[data-reply]")
    expect(reply.locator(".headline")).to_have_text("Not with one model for all lengths")
    page.get_by_label("Task", exact=True).select_option(label="Index lookup")
    expect(reply.locator(".headline")).to_have_text(re.compile(r"^Not below 6.000 bits of state$"))
    page.get_by_label("Architecture").first.select_option(label="Transformer, one layer")
    page.get_by_label("Length", exact=True).select_option(label="N = 100")
    expect(reply.locator(".headline")).to_have_text(re.compile("^Yes: width "))
    page.get_by_label("Task", exact=True).select_option(label="PARITY")
    page.get_by_label("Architecture").first.select_option(label="Transformer with hard attention")
    expect(reply.locator(".headline")).to_have_text("Not with one model for all lengths, by a theorem that is cited")
    page.get_by_label("Task", exact=True).select_option(label="Equality")
    page.get_by_label("Architecture").first.select_option(label="Transformer, two layers")
    reply.get_by_role("link", name="Run the weights").click()
    expect(page.locator("h1")).to_have_text("Equality")


def test_the_whole_map_is_on_one_screen(page: Page, atlas: Path) -> None:
    visit(page, atlas, "index")
    boxes = [table.bounding_box() for table in page.locator(".heat table").all()]
    top = min(box["y"] for box in boxes if box)
    bottom, right = max(box["y"] + box["height"] for box in boxes if box), max(box["x"] + box["width"] for box in boxes if box)
    assert bottom - top <= 800  # with the heading and the legend above, of 900
    assert right <= 1400
    assert page.locator(".heat tbody a.c").count() == len(TASKS) * len(COLUMNS)
    side = page.locator(".heat tbody td").nth(1).bounding_box()  # the first of a group has a gap before it
    assert side is not None
    assert abs(side["width"] - 22) <= 1
    assert abs(side["height"] - 22) <= 1


def test_a_square_tells_its_numbers_to_pointer_keyboard_and_finger(page: Page, browser: Browser, atlas: Path) -> None:
    visit(page, atlas, "index")
    tip, cell = page.locator("[data-tip]"), page.get_by_role("link", name=re.compile("^Index lookup, LSTM: "))
    expect(tip).to_be_hidden()
    cell.hover()
    expect(tip).to_contain_text("impossible below")
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    page.locator(".heat a.c").first.focus()
    page.keyboard.press("ArrowDown")
    expect(tip).to_contain_text("Associative recall, Any recurrent model")
    page.keyboard.press("Enter")
    page.wait_for_url("**/task-associative-recall.html#on-recurrent")
    touch = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = touch.new_page()
    visit(phone, atlas, "index")
    square = phone.get_by_role("link", name=re.compile("^Index lookup, LSTM: "))
    square.tap()
    expect(phone.locator("[data-tip]")).to_contain_text("impossible below")
    assert phone.url.endswith("index.html")
    square.tap()
    phone.wait_for_url("**/task-index-lookup.html#on-lstm")
    touch.close()


@pytest.mark.parametrize("page", [(1400, "light"), (390, "dark")], indirect=True, ids=["wide", "narrow"])
def test_the_map_reads_at_any_width(page: Page, atlas: Path) -> None:
    visit(page, atlas, "index")
    page.locator("#table > summary").click()
    first = page.locator(".map tbody tr").first
    assert "impossible below" in first.inner_text()
    box = page.locator("[data-map]").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= page.evaluate("innerWidth")


def test_the_pages_can_be_read_without_their_program(browser: Browser, atlas: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((atlas / "index.html").as_uri())
    expect(page.locator(".heat tbody tr:not(.family):visible")).to_have_count(len(TASKS))
    page.locator("#table > summary").click()
    expect(page.locator(".map tbody tr:visible")).to_have_count(len(TASKS))
    expect(page.locator("button:visible, input:visible, select:visible")).to_have_count(0)
    page.goto((atlas / f"theorem-{CARDS[0]}.html").as_uri())
    expect(page.locator(".run:visible")).to_have_count(1)
    context.close()


def test_the_reader_plays_a_recurrent_model_and_loses_until_there_are_n_bits(page: Page, atlas: Path) -> None:
    visit(page, atlas, f"theorem-{CARDS[0]}")
    game = page.locator("[data-game]")
    game.get_by_role("button", name="Let the page choose").click()
    expect(game.locator("output")).to_have_text(
        "000 and 100 both leave you in state 1. Asked for place 1, you say the same to both; right are 0 and 1."
    )
    game.get_by_role("button", name="000 → state 1").click()
    expect(game.locator("output")).to_contain_text("000 and 001 both leave you in state 2")
    game.get_by_label("3 bits, 8 states").check()
    game.get_by_role("button", name="Let the page choose").click()
    expect(game.locator("output")).to_contain_text("you can answer every question. It took 8 states, which is 3 bits.")


def test_the_certificates_of_a_task_are_sorted_by_a_click(page: Page, atlas: Path) -> None:
    visit(page, atlas, "task-index-lookup")
    table = page.locator("table[data-sort]")
    head = table.locator("th button").nth(1)

    def lengths() -> list[int]:
        return [int(cell.get_attribute("data-value") or 0) for cell in table.locator("tbody td:nth-child(2)").all()]

    assert len(lengths()) >= 3
    head.click()
    assert lengths() == sorted(lengths())
    head.click()
    assert lengths() == sorted(lengths(), reverse=True)
