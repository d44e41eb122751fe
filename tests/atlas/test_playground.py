"""The program in the page says what the same weights say in Python, and shows it; and a reader can break the proof."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from separatrix.atlas.pages.playground import script_of
from separatrix.atlas.reading.material import Records
from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import sealed_weights
from separatrix.constructions import CONSTRUCTIONS, build
from separatrix.records.playground_records import playground_settings, runs_in_the_page, vectors
from separatrix.tasks import Batch
from tests.atlas.test_browser import CARDS, browser, page, visit

__all__ = ["browser", "page"]  # fixtures

SCRIPT = Path(__file__).parents[2] / "separatrix" / "atlas" / "templates" / "playground.js"
COUNT, FEW = 52, 8  # inputs of each construction; a chain is generated token by token
TRIED = (
    "index-lookup", "equality", "intersects", "sparse-threshold", "k-dnf", "associative-recall", "mqar", "copy", "index/hybrid",
    "dyck/three-layer", "parity/soft-attention", "an-bn/hard-attention",
)  # fmt: skip
NAMED = (
    "index-lookup/elman", "copy/gru", "equality/lstm", "mqar/lstm", "index-lookup/linear-attention", "mqar/linear-attention",
    "mqar/deltanet", "mqar/gated-deltanet", "mqar/mamba", "mqar/mamba2", "mqar/mamba2-2-64", "latest-recall/deltanet", "parity/deltanet",
    "regular/mamba", "index-lookup/retnet", "state-based-recall/hybrid-pd", "state-based-recall/hybrid-deltanet",
    "mqar/hybrid-linear-rnn",
)  # fmt: skip
CHAINS = (
    "is-tree/transformer", "turing-machine/linear-rnn", "turing-machine/hybrid", "arithmetic/sparse", "reverse-sum/standard",
    "reverse-sum/linear", "reverse-sum/sparse", "lis/standard", "lis/linear", "edit-distance/standard",
)  # fmt: skip
RUN = "(inputs) => inputs.map((tokens) => { const run = tried.run(tokens); return [run.said, run.logits.map((row) => [...row])]; })"


@pytest.fixture(scope="module")
def blank(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with nothing but the program."""
    file = tmp_path_factory.mktemp("playground") / "page.html"
    file.write_text("<!doctype html><title>playground</title><script src=playground.js></script>")
    (file.parent / "playground.js").write_bytes(SCRIPT.read_bytes())
    opened = browser.new_page()
    opened.goto(file.as_uri())
    yield opened
    opened.close()


def loaded(page: Page, built: Built) -> None:
    """The program in the page reads these weights as it reads those of a certificate."""
    weights = {"base64": base64.b64encode(sealed_weights(built)).decode()}
    document = json.dumps({"program": built.program.document(), "weights": weights}).encode()
    packed = base64.b64encode(gzip.compress(document)).decode()
    page.evaluate("async (packed) => { window.tried = new SeparatrixModel.Model(await SeparatrixModel.unpacked(packed)); }", packed)


def inputs_of(built: Built, count: int) -> list[tuple[int, ...]]:
    """Random inputs and those of every adversarial family."""
    task, found = built.task, []
    for kind in task.case_kinds:
        batch = task.cases(kind, 7, -(-count // len(task.case_kinds)))
        found += [batch.row(r) for r in range(len(batch.tokens))]
    return found


def python_logits(built: Built, tokens: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Logits at every token, or at the last where that alone is read."""
    n = len(tokens)
    mask = np.zeros((1, n), dtype=bool)
    mask[0, slice(None) if built.program.document()["decoder"]["kind"] == "positions" else slice(n - 1, n)] = True
    return np.asarray(logits_of(built.model, Batch(np.array([tokens]), np.zeros((1, n), dtype=np.int64), mask, np.array([n]))))


@pytest.mark.parametrize("name", [*TRIED, *NAMED, *CHAINS])
def test_it_says_what_python_says(blank: Page, name: str) -> None:
    compare(blank, name, FEW if name in CHAINS else COUNT)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAINS)
def test_chains_are_what_python_writes(blank: Page, name: str) -> None:
    compare(blank, name, COUNT)


def compare(page: Page, name: str, count: int) -> None:
    """The answers, and the logits up to rounding, on some inputs of every family; where one answer is asked for, it is right."""
    settings = playground_settings(name)
    assert settings is not None
    built = build(name, **settings)
    loaded(page, built)
    table, inputs = vectors(built.task), inputs_of(built, count)
    assert len(inputs) >= count
    read = [list(tokens) if table is None else [table[token] for token in tokens] for tokens in inputs]
    for tokens, (answers, logits) in zip(inputs, page.evaluate(RUN, read), strict=True):
        if built.program.writes:
            assert [tuple(one) if isinstance(one, list) else one for one in answers] == list(built.generate(tokens)), tokens
            continue
        expected = python_logits(built, tokens)
        assert answers == expected.argmax(axis=-1).tolist(), tokens
        actual = np.array(logits)[-len(expected) :]
        assert np.allclose(actual, expected, rtol=1e-9, atol=1e-9 * max(1.0, float(np.abs(expected).max()))), tokens
        answer = built.task.answer(tokens)
        if not isinstance(answer, tuple):
            assert answers == [answer], tokens


def said(page: Page, inputs: list[list[int]], options: dict[str, Any]) -> list[int]:
    answers: list[int] = page.evaluate("([inputs, options]) => inputs.map((one) => tried.run(one, options).said[0])", [inputs, options])
    return answers


def test_blunter_attention_or_one_wrong_weight_breaks_lookup(blank: Page) -> None:
    built = build("index-lookup", length=16, address="binary")
    loaded(blank, built)
    adverse = [list(built.task.complement(0, 16).row(p)) for p in range(16)]
    answers = [built.task.answer(tokens) for tokens in adverse]
    assert said(blank, adverse, {}) == answers
    assert said(blank, adverse, {"eta": 1.5}) == answers  # sharper attention only helps
    assert said(blank, adverse, {"eta": 0.1}) != answers  # less than half of the weight is on the place that is asked for
    values = built.model.state_dict()["layers.0.mixer.value"].flatten().numpy()
    spoilt = {"name": "layers.0.mixer.value", "index": int(np.flatnonzero(values)[0]), "factor": -1}
    assert said(blank, adverse, {"weight": spoilt}) != answers
    assert said(blank, adverse, {}) == answers  # nothing stays changed


def test_coarse_numbers_break_equality(blank: Page) -> None:
    built = build("equality", length=12)
    loaded(blank, built)
    inputs = [list(tokens) for tokens in inputs_of(built, COUNT)]
    answers = [built.task.answer(tokens) for tokens in inputs]
    assert said(blank, inputs, {"bits": 30}) == answers
    assert said(blank, inputs, {"bits": 1}) != answers  # the average over 12 places needs more


def test_what_the_page_cannot_run_is_not_offered(records: Records) -> None:
    offered = {name for name in CONSTRUCTIONS if records.content("playground", name) is not None}
    assert {*TRIED, *NAMED, *CHAINS} <= offered
    assert not {"regular/rank-one", "index/retrieval", "equality/one-layer", "index-lookup/recurrent"} & offered


@pytest.mark.parametrize(
    ("part", "value"),
    [
        (("model", "arithmetic"), "float32"),
        (("decoder", "kind"), "retrieval"),
        (("model", "readout", "norm"), "batch"),
        (("model", "layers", 0, "norm"), "batch"),
        (("model", "layers", 0), {"mixer": None, "feedforward": None, "norm": "rms", "residual": False}),
        (("model", "layers", 0, "mixer", "kind"), "dss"),
        (("model", "layers", 0, "mixer", "rotary"), True),
        (("model", "layers", 0, "feedforward", "activation"), "swiglu"),
        (("model", "embedding", "places", 0, "address"), "sinusoidal"),
    ],
)
def test_a_model_with_any_part_that_the_page_does_not_know_is_not_run(part: tuple[Any, ...], value: Any) -> None:
    program = json.loads(json.dumps(build("equality", length=4).program.document()))
    assert runs_in_the_page(program)
    inner = program
    for key in part[:-1]:
        inner = inner[key]
    inner[part[-1]] = value
    assert not runs_in_the_page(program)


def test_data_of_a_script_end_nothing() -> None:
    script = script_of("DATA", {"text": "</script><script>alert(1)//\u2028"}).decode()
    assert "<" not in script
    assert "\u2028" not in script
    assert json.loads(script.removeprefix("window.DATA = ").removesuffix(";\n"))["text"].startswith("</script>")


def test_the_page_of_a_card_runs_what_the_reader_types(page: Page, atlas: Path) -> None:
    visit(page, atlas, f"theorem-{CARDS[1]}")
    form = page.locator("[data-playground][data-ready]")
    expect(form).to_be_visible()
    box, answer = form.get_by_label("Input"), page.locator("[data-said] code").first
    half = "0 1 1 0 1 1"
    box.fill(f"{half} {half}")
    expect(answer).to_have_text("1")
    expect(page.locator("[data-said]")).to_contain_text("The right answer is 1")
    expect(page.locator("[data-said] .holds")).to_have_text("right")
    expect(page.locator("[data-heads] svg.grid, [data-heads] table.bars")).to_have_count(3)  # two heads, then one
    box.fill(f"{half} {half[:-1]}0")
    expect(answer).to_have_text("0")
    box.fill("0 1 <b>x</b>")
    expect(page.locator("[data-said]")).to_have_text("<b>x</b> is not a token: expected 0 1")
    box.fill("")
    expect(page.locator("[data-said]")).to_have_text("expected at least one token")
    box.fill("0 " * 13)
    expect(page.locator("[data-said]")).to_have_text("13 tokens, the model reads at most 12")
    box.fill("0 1 1 0")
    expect(page.locator("[data-said]")).to_have_text("Not an input of this task: it has 12 tokens, yours has 4")
    box.fill(f"{half} {half[:-1]}0")
    form.get_by_label("Precision").fill("1")
    expect(page.locator("[data-said]")).to_contain_text("certified weights")
    form.get_by_role("button", name="As certified").click()
    expect(page.locator("[data-said]")).not_to_contain_text("certified weights")


def test_the_playground_can_be_used_with_the_keyboard(page: Page, atlas: Path) -> None:
    visit(page, atlas, f"theorem-{CARDS[1]}")
    slider = page.locator("[data-playground][data-ready]").get_by_label("Attention, eta")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-eta]")).to_have_text("0.97 of what the proof takes")


def test_a_chosen_weight_is_one_that_matters_and_a_wrong_number_of_an_entry_is_mended(page: Page, atlas: Path) -> None:
    visit(page, atlas, f"theorem-{CARDS[1]}")
    form = page.locator("[data-playground][data-ready]")
    form.locator("[name=tensor]").select_option("layers.0.mixer.value")
    form.locator("[name=factor]").fill("-2")
    assert not form.locator("[data-factor]").inner_text().startswith(("0 ", "-0 "))
    for wrong in ("-3", "1.5", "9999999"):
        form.locator("[name=entry]").fill(wrong)
        assert "undefined" not in form.locator("[data-factor]").inner_text()


def test_a_model_without_attention_has_no_slider_for_it(page: Page, atlas: Path, records: Records, tmp_path: Path) -> None:
    name = "turing-machine/linear-rnn"
    record, built = records.content("playground", name), build(name, **playground_settings(name))  # type: ignore[arg-type]
    weights = {"base64": base64.b64encode(sealed_weights(built)).decode()}
    packed = base64.b64encode(gzip.compress(json.dumps({"program": built.program.document(), "weights": weights}).encode())).decode()
    material = {"certificate": packed, **{key: record[key] for key in ("words", "targets", "inputs", "vectors")}}
    (tmp_path / "data.js").write_bytes(script_of("PLAYGROUND", material))
    (tmp_path / "playground.js").write_bytes(SCRIPT.read_bytes())
    text = (atlas / f"theorem-{CARDS[1]}.html").read_text()
    text = text.replace(f"playground/{CARDS[1]}.js", "data.js").replace("assets/playground.js", "playground.js")
    (tmp_path / "page.html").write_text(re.sub(r"<link[^>]*>|<script src=.?assets/[^>]*></script>", "", text))
    page.goto((tmp_path / "page.html").as_uri())
    form = page.locator("[data-playground][data-ready]")
    expect(form.get_by_label("Precision")).to_be_visible()
    expect(form.get_by_label("Attention, eta")).to_be_hidden()
