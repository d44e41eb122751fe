"""Documentation inside the atlas: how to start, which command answers what, questions people ask, and a glossary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from separatrix.atlas.page import Page, Section, slug, study_path
from separatrix.atlas.reading.material import AnsweredStudy
from separatrix.papers.glossary import GLOSSARY
from separatrix.studies.answer import Answer

GROUP = "Docs"
DOORS = (
    ("I choose an architecture", "What can this model do at this length, and what does it cost?", (
        "separatrix plan index-lookup --length 1000",
        "separatrix state mamba-2-64 --length 1000",
        "separatrix facts mqar",
    )),
    ("I invent one", "Does my model do what it should, and where does it break?", (
        "separatrix probe my_model.py:MyModel",
        "separatrix attack my_model.py:MyModel parity --length 8",
        "separatrix collide my_model.py:MyModel index-lookup --length 4",
    )),
    ("I prove things", "What is the bound, are these weights right, and who checks it?", (
        "separatrix profile index-lookup --length 8",
        "separatrix verify index-lookup --length 64 --out lookup",
        "separatrix check lookup/certificates/*.json",
    )),
)  # fmt: skip
COMMANDS = (
    ("What can each architecture do here, at what cost?", "plan TASK --length N"),
    ("What is known about a task, with evidence?", "facts TASK"),
    ("How many bits must a recurrent model remember?", "profile TASK --length N"),
    ("Which lower bounds apply?", "bounds TASK --length N"),
    ("Which accuracy is possible with B bits?", "ceiling TASK --length N --state-bits B"),
    ("How large is this model's state (its KV cache)?", "state MODEL --length N"),
    ("Give me exact weights", "build NAME --length N --out DIR"),
    ("Are they right on every input?", "verify NAME --length N"),
    ("Is this certificate sound?", "check FILE"),
    ("Show one run, step by step", "explain NAME --input \"..\""),
    ("Find an input that breaks my model", "attack MODEL TASK --length N"),
    ("Find two inputs that my model confuses", "collide MODEL TASK --length N"),
    ("Test my model on the whole suite", "probe MODEL"),
    ("Which architectures recognise this language?", "decide LANGUAGE"),
    ("What does the paper say, and does it hold?", "papers WORDS"),
)  # fmt: skip
FILES = (
    ("docs/tutorial.md", "ten minutes, from a task to a checked certificate"),
    ("docs/trust.md", "what you must believe, and how long it is"),
    ("docs/adding.md", "add a task, an architecture, a construction or a bound"),
    ("docs/certificates.md", "the format, field by field"),
    ("docs/probe.md", "your own model"),
    ("docs/state.md", "state of Hugging Face models: the KV cache and its relatives"),
    ("docs/related.md", "other tools"),
)


@dataclass(frozen=True)
class Question:
    """A question that people ask, a short answer, and the studies and pages that answer it at length."""

    asks: str
    says: str
    studies: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


QUESTIONS = (
    Question(
        "Is Mamba worse than a Transformer at recall?",
        "Its state has a fixed size, so beyond some length it must forget: recall among n keys needs about n bits. A Transformer carries "
        "all keys in its cache. Below that length both can do it, and weights for both are built here.",
        ("lookup-printed", "mamba-widths"), (("Multi-query recall", "task-mqar.html"), ("Mamba", "architecture-mamba.html")),
    ),
    Question(
        "Transformer or RNN: which is stronger?",
        "Neither. One layer of attention looks up any of N symbols where an RNN needs N bits; an RNN checks nested brackets with a small "
        "state where one layer of attention must grow with N. Each is provably better at something.",
        ("separatrix", "dyck-printed"), (("Which class contains which", "hierarchy.html"),),
    ),
    Question(
        "How much memory does Mamba, an LSTM or a KV cache need?",
        "Count bits of state. A recurrent model has the same state at every length; a KV cache grows with every token. The page of a task "
        "has the bits that it needs, and `separatrix state` those that a model has.",
        ("memory-of-lookup",), (("State and cost of Mamba", "architecture-mamba.html#costs"),),
    ),
    Question(
        "How many layers are needed?",
        "It depends on the task: index lookup takes one layer, recall two in every construction known here, and one layer provably fails "
        "at equality, brackets and nearest neighbour unless it is very wide.",
        ("recall-learned", "wide-or-deep"), (("Transformer, one layer", "architecture-one-layer-transformer.html"),),
    ),
    Question(
        "Can a Transformer do PARITY?",
        "With softmax attention, yes: weights are built, though their margin shrinks with N. With hard attention, no, at any size. "
        "Training rarely finds it beyond short inputs.",
        ("influence",), (("PARITY", "task-parity.html"), ("Hard attention, refuted layer by layer", "restriction.html")),
    ),
    Question(
        "Can Mamba track state?",
        "Where nothing is counted modulo a number, yes: weights for star-free languages, such as a flip-flop, are built and right at all "
        "lengths. On PARITY, or a group, no size of it is right at all lengths. DeltaProduct, rank-one layers and LSTMs go beyond.",
        ("state-tracking",), (("Every small language, decided", "state-tracking.html"), ("Regular languages", "languages.html")),
    ),
    Question(
        "Do models generalise to longer inputs than they were trained on?",
        "Built machines are right at every length. Trained models mostly are not: length generalisation fails soon after the "
        "training length.",
        ("beyond-length", "beyond-printed"),
    ),
    Question(
        "Does chain of thought help?",
        "Yes, provably: with a chain a Transformer runs any circuit or Turing machine that it can write down, and without one it cannot "
        "decide some of what that does.",
        ("trees-learned",), (("IsTree", "task-is-tree.html"), ("Which class contains which", "hierarchy.html")),
    ),
    Question(
        "Can one attention layer repair a recurrent model?",
        "For retrieval, yes: a hybrid reads every token again and does lookup, recall and counting that no small state can.",
        ("attention-place",), (("Hybrids", "architecture-hybrid.html"),),
    ),
    Question(
        "Do linear or sparse attention save computation?",
        "Less than their names say: on dynamic programs the width that they need eats much of the saving.",
        ("savings", "operations", "programs-learned"),
    ),
    Question(
        "How many bits must a number have?",
        "About log N for addresses, and more for the logits that separate them. Below that, two places look the same.",
        ("precision", "vectors-rounded", "addresses"),
    ),
    Question(
        "Does training find the weights that are built?",
        "Sometimes. Starting from built weights with noise, training repairs shallow constructions and rarely deep ones.",
        ("noise-recovered", "noise-by-construction", "built-and-trained", "tracked-and-trained"),
    ),
    Question(
        "Does it matter which attention is used?",
        "Yes. Constructions for softmax survive hard attention in part, and uniform attention hardly ever.",
        ("attention-replaced", "attention-trained"),
    ),
    Question(
        "Are the papers right?",
        "Nearly every theorem stands. We list each step, constant or figure that needs a repair, with a command that shows it.",
        (), (("Errata", "errata.html"), ("Papers and their theorems", "papers.html")),
    ),
    Question(
        "Why should I believe this?",
        "You need not. Every claim has a file that you can download and check with a small program that shares no code with what wrote it, "
        "and a second checker that shares no code with the first.",
        (), (("All certificates", "built.html"),),
    ),
)  # fmt: skip


def docs_pages(answered: tuple[AnsweredStudy, ...]) -> list[Page]:
    """How to start, and the questions."""
    answers = {one.study.name: (study_path(one.study.name), one.study.question, one.study.answer(one.rows)) for one in answered}
    sections = (
        Section("doors", "Three ways in", "doors.html", {"doors": DOORS}),
        Section("commands", "Which command answers what", "commands.html", {"commands": COMMANDS}),
        Section("files", "In the repository", "files.html", {"files": FILES}),
        Section("glossary", "Glossary", "glossary.html", {"words": [(slug(word), word, says) for word, says in GLOSSARY.items()]}),
    )
    lead = "Install with `pip install .` in a copy of the source, or run `make run`, which builds every certificate and this atlas."
    asked = tuple(question_section(one, answers) for one in QUESTIONS)
    return [
        Page("docs.html", "Documentation", "Docs", GROUP, lead, sections),
        Page(
            "questions.html",
            "Questions people ask",
            "Questions",
            GROUP,
            "Short answers, each with the studies and proofs behind it.",
            asked,
        ),
    ]


def question_section(one: Question, answers: Mapping[str, tuple[str, str, Answer]]) -> Section:
    """A question with the answers of its studies; one that is not in this atlas is left out."""
    content = {"question": one, "studies": [answers[name] for name in one.studies if name in answers]}
    return Section(slug(one.asks), one.asks, "question.html", content)
