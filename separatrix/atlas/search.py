"""The list that the search of every page reads: titles and texts of pages, sections, statements and certificates, as one script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from separatrix.atlas.page import Page, architecture_path, statement_link, study_path, task_path
from separatrix.atlas.pages.playground import packed_script
from separatrix.atlas.reading.material import Material
from separatrix.papers import statements

PATH = "assets/search.js"
LONGEST = 300  # characters of a text; its start says what it is about
QUESTION, PAGE, SECTION, BUILT, STATEMENT, CERTIFICATE = 1.05, 1.0, 0.7, 0.6, 0.7, 0.3  # how much a place counts
SYNONYMS = (  # what people type, and the words of the pages
    ("state tracking", "mamba track state"),
    ("kv cache size", "memory kv cache"),
    ("context length memory", "memory kv cache"),
    ("context length", "length"),
    ("number of layers", "layers"),
    ("brackets", "dyck brackets"),
    ("long context", "longer inputs"),
    ("rnn or transformer", "transformer rnn stronger"),
    ("kv cache", "state memory cache"),
    ("rnns", "recurrent|rnn"),
    ("rnn", "recurrent|rnn"),
    ("ssm", "mamba state space"),
    ("vs", "versus"),
    ("cot", "chain thought"),
    ("lengths generalization", "length generalisation"),
    ("length generalization", "length generalisation"),
    ("generalization", "generalisation"),
    ("neighbor", "neighbour"),
    ("llm", "model"),
    ("quantization", "quantisation"),
    ("bibtex", "cite"),
    ("copying", "copy"),
    ("lookup table", "lookup"),
    ("needle in a haystack", "index lookup"),
    ("swa", "sliding window"),
    ("hahn", "hahn2020"),
    ("wen", "wen2024"),
    ("yang", "yang2024"),
    ("bhattamishra", "bhattamishra2024"),
)
IGNORED = (
    "a", "an", "any", "the", "of", "is", "are", "in", "on", "at", "to", "do", "does", "can", "what", "which", "how", "and", "or",
    "it", "for", "by", "with", "i", "my", "why", "than", "versus", "need", "needed", "many", "much",
)  # fmt: skip
NAMES = {  # what else people call a page
    task_path("mqar"): "MQAR multi-query associative recall key value retrieval zoology",
    task_path("associative-recall"): "induction head in-context recall key value associative memory hopfield",
    task_path("index-lookup"): "random access retrieval pointer needle haystack",
    task_path("copy"): "copying copy task repeat string memorize",
    task_path("parity"): "xor even odd",
    task_path("regular"): "state tracking finite automaton group dfa regex",
    task_path("dyck"): "brackets parentheses nested hierarchical stack",
    task_path("nearest-neighbor"): "knn similarity nearest neighbor",
    task_path("is-tree"): "graph tree connectivity",
    task_path("lis"): "longest increasing subsequence dynamic program",
    task_path("edit-distance"): "levenshtein dynamic program",
    task_path("equality"): "compare two strings identical",
    architecture_path("mamba"): "ssm selective state space s6",
    architecture_path("recurrent"): "rnn recurrent neural network",
    architecture_path("linear-attention"): "lintf fast weights linear transformer",
    architecture_path("hybrid"): "jamba mamba plus attention mixed",
    architecture_path("window"): "sliding window local attention swa longformer",
    architecture_path("hard-attention"): "unique hard attention transformer parity impossible hahn",
    architecture_path("dss"): "s4 diagonal state space",
    "docs.html": "install download start glossary documentation commands help cite bibtex tutorial",
    "questions.html": "faq questions answers",
    "published.html": "llama mistral qwen gemma deepseek xlstm rwkv huggingface models published state size kv cache",
    "built.html": "certificates proofs weights constructions download checked",
    "playground.html": "run weights try demo interactive",
    "errata.html": "errors mistakes wrong corrections",
    "state-tracking.html": "state tracking can mamba track state star-free parity decide aperiodic s3 s5 a4 a5 group word problem",
    "hierarchy.html": "expressive power expressivity expressiveness classes containment TC0",
    "collision.html": "pigeonhole collision lower bound recurrent",
    "restriction.html": "hard attention parity impossible random restriction",
    "dialogues.html": "communication complexity two parties alice bob protocol",
    "languages.html": "regular languages star-free automata monoid",
    "studies.html": "experiments results training findings",
    study_path("beyond-length"): "length generalisation extrapolation longer",
    study_path("precision"): "bits precision quantisation number format float float16 bfloat16 float32",
    study_path("noise-recovered"): "robustness noise weights",
    study_path("built-and-trained"): "gradient descent stays built weights trained same size initialise",
    study_path("tracked-and-trained"): "state tracking regular languages initialise built weights length generalisation",
    study_path("rates"): "learning rate hyperparameter",
    study_path("memory-of-lookup"): "memory state kv cache",
}


class Found(NamedTuple):
    """One place that a search can find."""

    title: str
    path: str
    kind: str
    text: str
    names: str  # what else it is called
    weight: float


def search_list(pages: list[Page], material: Material) -> bytes:
    """The script: every place, synonyms, and words that say nothing."""
    found = [*_places(pages), *_statements(), *_certificates(pages, material)]
    return packed_script("SEARCH", {"list": found, "synonyms": SYNONYMS, "ignored": IGNORED})


def _places(pages: list[Page]) -> Iterator[Found]:
    for page in pages:
        answers = [section.content["answer"].sentence for section in page.sections if "answer" in section.content]
        text = " ".join(answers) or page.lead or ", ".join(section.title for section in page.sections)
        weight = BUILT if any("card" in section.content for section in page.sections) else PAGE
        yield Found(page.title, page.path, page.group, _piece(text), NAMES.get(page.path, ""), weight)
        for section in page.sections:
            if len(page.sections) > 1 and not section.quiet:
                asked = section.content.get("question")
                yield Found(
                    section.title,
                    f"{page.path}#{section.anchor}",
                    page.title,
                    _piece(asked.says) if asked else "",
                    "",
                    QUESTION if asked else SECTION * weight,
                )


def _piece(text: str) -> str:
    """The start of a text, up to the end of a word, without the signs around code."""
    shown = text.replace("`", "")
    return shown if len(shown) <= LONGEST else shown[:LONGEST].rsplit(" ", 1)[0]


def _statements() -> Iterator[Found]:
    for statement in statements():
        yield Found(statement.key, statement_link(statement.key), statement.kind, _piece(statement.says), "", STATEMENT)


def _certificates(pages: list[Page], material: Material) -> Iterator[Found]:
    """Each certificate, found by its sentence and by its digest, on the page of its card."""
    page_of = {
        entry.certificate.digest: page.path for page in pages for section in page.sections if "card" in section.content
        for entry in section.content["card"].entries
    }  # fmt: skip
    for one in material.certificates:
        title = one.verdict.claim.partition(":")[0]
        kind = f"certificate, {one.verdict.strength}"
        yield Found(f"{one.subject}: {title}", page_of[one.digest], kind, f"{one.verdict.claim} {one.digest}", "", CERTIFICATE)
