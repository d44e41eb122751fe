"""Forty things that people type, each of which leads to the right page first."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.atlas.test_browser import browser, page, visit

__all__ = ["browser", "page"]  # fixtures

QUERIES = {
    "mamba recall": ("questions.html#is-mamba-worse-than-a-transformer-at-recall",),
    "kv cache": ("questions.html#how-much-memory-does-mamba-an-lstm-or-a-kv-cache-need", "study-memory-of-lookup.html"),
    "transformer vs rnn": ("questions.html#transformer-or-rnn-which-is-stronger",),
    "how many layers": ("questions.html#how-many-layers-are-needed",),
    "memory of mamba": ("questions.html#how-much-memory-does-mamba-an-lstm-or-a-kv-cache-need",),
    "induction head": ("task-associative-recall.html",),
    "what is index lookup": ("task-index-lookup.html",),
    "deltanet": ("architecture-deltanet.html",),
    "length generalization": ("questions.html#do-models-generalise-to-longer-inputs-than-they-were-trained-on", "study-beyond-length.html"),
    "download": ("docs.html", "built.html"),
    "glossary": ("docs.html#glossary", "docs.html"),
    "install": ("docs.html",),
    "mqar": ("task-mqar.html",),
    "lstm": ("architecture-lstm.html",),
    "copying": ("task-copy.html",),
    "parity": ("task-parity.html",),
    "state tracking": ("state-tracking.html", "questions.html#can-mamba-track-state"),
    "can mamba track state": ("state-tracking.html", "questions.html#can-mamba-track-state"),
    "star-free": ("state-tracking.html", "languages.html"),
    "rnn": ("architecture-recurrent.html",),
    "mamba": ("architecture-mamba.html",),
    "hybrid": ("architecture-hybrid.html",),
    "sliding window": ("architecture-window.html",),
    "linear attention": ("architecture-linear-attention.html",),
    "chain of thought": ("questions.html#does-chain-of-thought-help",),
    "can transformers do parity": ("questions.html#can-a-transformer-do-parity",),
    "theorem 1 bhattamishra": ("paper-bhattamishra2024.html#theorem-1",),
    "hahn theorem 1": ("paper-hahn2020.html#theorem-1",),
    "wen theorem 4.6": ("paper-wen2024.html#theorem-4.6",),
    "errata": ("errata.html",),
    "mistakes in the papers": ("errata.html",),
    "faq": ("questions.html",),
    "playground": ("playground.html",),
    "dyck": ("task-dyck.html",),
    "nearest neighbor": ("task-nearest-neighbor.html",),
    "edit distance": ("task-edit-distance.html",),
    "regular languages": ("languages.html", "task-regular.html"),
    "hard attention": ("architecture-hard-attention.html",),
    "communication complexity": ("dialogues.html",),
    "quantization": ("study-precision.html", "questions.html#how-many-bits-must-a-number-have"),
    "learning rate": ("study-rates.html",),
    "bibtex": ("docs.html",),
    "turing machine": ("task-turing-machine.html",),
    "is mamba worse than a transformer": ("questions.html#is-mamba-worse-than-a-transformer-at-recall",),
    "rnn vs transformer": ("questions.html#transformer-or-rnn-which-is-stronger",),
    "number of layers": ("questions.html#how-many-layers-are-needed",),
    "context length memory": (
        "study-memory-of-lookup.html",
        "questions.html#how-much-memory-does-mamba-an-lstm-or-a-kv-cache-need",
    ),
    "copy task": ("task-copy.html",),
    "s5": ("state-tracking.html", "languages.html#s5"),
    "expressivity": ("hierarchy.html",),
    "associative memory": ("task-associative-recall.html",),
    "hybrid jamba": ("architecture-hybrid.html",),
    "kv cache size llama": ("published.html", "questions.html#how-much-memory-does-mamba-an-lstm-or-a-kv-cache-need"),
    "mistral": ("published.html",),
    "needle in a haystack": ("task-index-lookup.html",),
    "xlstm": ("published.html", "architecture-lstm.html"),
    "s4": ("architecture-dss.html",),
    "retnet": ("architecture-retnet.html",),
    "brackets": ("task-dyck.html",),
    "graph connectivity": ("task-is-tree.html",),
    "levenshtein": ("task-edit-distance.html",),
    "lower bound rnn": ("collision.html",),
    "proof": ("built.html",),
    "certificate": ("built.html",),
    "demo": ("playground.html",),
    "experiments": ("studies.html",),
    "precision float16": ("study-precision.html", "questions.html#how-many-bits-must-a-number-have"),
    "long context": ("questions.html#do-models-generalise-to-longer-inputs-than-they-were-trained-on",),
    "tc0": ("hierarchy.html",),
    "cot": ("questions.html#does-chain-of-thought-help",),
    "group word problem": ("state-tracking.html", "state-tracking.html#groups"),
    "softmax vs linear attention": (
        "study-attention-replaced.html",
        "questions.html#does-it-matter-which-attention-is-used",
        "architecture-linear-attention.html",
    ),
    "sparse attention savings": ("questions.html#do-linear-or-sparse-attention-save-computation", "study-savings.html"),
}


def test_what_people_type_leads_to_the_right_page(page: Page, atlas: Path) -> None:
    assert len(QUERIES) >= 40
    visit(page, atlas, "errata")
    page.keyboard.press("/")
    expect(page.locator("dialog[open] input")).to_be_focused()
    page.wait_for_function("window.SEARCH")
    run = "(queries) => Object.fromEntries(queries.map((one) => [one, ranked(one)[0]?.[1]]))"
    first: dict[str, str] = page.evaluate(run, list(QUERIES))
    assert {query: path for query, path in first.items() if path not in QUERIES[query]} == {}


def test_a_result_says_its_kind_and_shows_a_piece_of_its_text(page: Page, atlas: Path) -> None:
    visit(page, atlas, "index")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("searchbox").fill("how many layers")
    first = page.locator("dialog li").first
    expect(first.locator(".kind")).to_have_text("Questions people ask")
    expect(first).to_contain_text("index lookup takes one layer")
    page.keyboard.press("Enter")
    expect(page.locator("#how-many-layers-are-needed h2")).to_be_in_viewport()
