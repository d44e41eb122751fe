"""Can Mamba track state: one page for the table of all small languages, its classes, and languages that people know."""

from __future__ import annotations

from separatrix.architectures import COLUMNS, Architecture
from separatrix.atlas.drawn.nested import Area, nested_picture
from separatrix.atlas.page import ARGUMENTS, Page, Section, architecture_path
from separatrix.atlas.typography import title
from separatrix.bounds.languages.class_counts import LANGUAGES, PERMUTATION_RESET, QUASI_APERIODIC, R_TRIVIAL, STAR_FREE, TWINS
from separatrix.bounds.languages.verdict_rules import (
    BARRIER,
    BUILT,
    CITED,
    CONDITIONAL,
    IMPOSSIBLE,
    INSIDE_WITH_POSITIONS,
    OPEN,
    OUTSIDE,
    RULES,
    SYMMETRIC,
)
from separatrix.ledger.state_tracking import StateTracking, TrackedLanguage, state_tracking
from separatrix.records.language_records import LARGE
from separatrix.tasks.languages.gallery import GALLERY

PATH, TITLE = "state-tracking.html", "Can Mamba track state?"
SAID = {
    BUILT: ("yes", "yes"),
    IMPOSSIBLE: ("no", "no"),
    CONDITIONAL: ("", "no, unless TC0 = NC1"),
    CITED: ("", "cited"),
    OPEN: ("", "open"),
}
ARGUED = {*INSIDE_WITH_POSITIONS, "window"}  # by a proof for which there is no kind of certificate
SIGNED = "selective-rnn"  # whose gates may be negative
FLIPPING = {SIGNED, "deltanet-negative"}  # built for 2-groups alone
COUNTED = "for each, a word that it counts modulo some number"
WITH_POSITIONS = ("with positions, RetNet and linear attention", "do at most these")
NAMES = {
    SYMMETRIC: "DeltaNet, gated DeltaNet or DeltaProduct: one layer, no convolution",
    "deltanet": "DeltaNet, beta at most 1, several layers and a convolution",
    "deltanet-negative": "DeltaNet, beta up to 2, several layers and a convolution",
    "gated-deltanet": "Gated DeltaNet, beta at most 1, several layers and a convolution",
    "deltaproduct": "DeltaProduct, any depth",
    "selective-rnn-positive": "Selective RNN, gates of at least 0",
    "selective-rnn": "Selective RNN, gates from -1 to 1",
    "linear-attention": "Linear attention, no positions",
    "linear-attention-positions": "Linear attention with positions",
    "linear-rnn": "Linear RNN, numbers that saturate",
    "complex-diagonal": "Complex diagonal gates (Mamba-3), finite precision",
    "stack": "A stack of any mixers",
    "transformer": "Transformer, fixed precision, no positions",
    "transformer-log-precision": "Transformer, logarithmic precision",
    "hard-attention": "Hard attention, strict masks, no positions",
    "window": "Sliding window, no positions",
}


def state_tracking_page() -> Page:
    """state-tracking.html."""
    record = state_tracking()
    lead = f"{record.claim[:1].upper()}{record.claim[1:]}."
    drawn = {"picture": nested_picture(areas(record)), "rows": counts(record)}
    sections = (
        Section("classes", "Which languages, counted", "tracked_classes.html", drawn),
        Section("architectures", "By architecture", "tracked_languages.html", table(record)),
        Section("groups", "Groups by name", "tracked_groups.html", groups(record)),
        Section("decide", "Decide a language of your own", "tracked_box.html", box()),
        Section("check", "Check it yourself", "tracked_check.html", {"commands": COMMANDS}),
    )  # fmt: skip
    return Page(PATH, TITLE, TITLE, ARGUMENTS, lead, sections)


def groups(record: StateTracking) -> dict[str, object]:
    """Every group: points, orders of its derived series, whether signed gates and reflections track it, and whose weights were too large.

    Signed gates and DeltaNet with beta up to 2 are built for 2-groups alone; all others for every group, unless they are too large.
    """
    built = sorted({name for one in record.groups for name in one.built} - FLIPPING)
    rows = [
        (
            one.name,
            one.degree,
            one.derived,
            "yes" if one.solvable else "no",
            "built" if SIGNED in one.built else "too large" if is_power_of_2(one.derived[0]) else "",
            "built" if FLIPPING - {SIGNED} <= {*one.built} else "too large" if is_power_of_2(one.derived[0]) else "",
            [_name(name) for name in built if name not in one.built],
        )
        for one in record.groups
    ]
    excluded = sum(one.monotone == IMPOSSIBLE for one in record.groups)
    flipping = {name.replace("-", "_"): sum(name in one.built for one in record.groups) for name in sorted(FLIPPING)}
    return {"rows": rows, "built": [_name(name) for name in built], "excluded": excluded, **flipping}


def is_power_of_2(order: int) -> bool:
    """Whether a group of so many elements is a 2-group."""
    return order & (order - 1) == 0


def verdicts_on(name: str) -> list[tuple[str, str, str, str]]:
    """For a language of the gallery: architecture, tone, word and layers of each verdict that is not open."""
    record = state_tracking()
    one = next(one for one in record.languages if one.name == name)
    return [(_name(architecture), *cell(one, architecture)) for architecture, (verdict, *_) in one.rows.items() if verdict != OPEN]


def box() -> dict[str, object]:
    """What the program in the page reads: the rules of each architecture with its name, and the tone of each verdict."""
    shown = ("fact", "value", "verdict", "why", "update", "cites", "by", "says", "hypotheses")
    rules = [(name, _name(name), [{field: getattr(rule, field) for field in shown} for rule in some]) for name, some in RULES.items()]
    return {"rules": rules, "tones": {verdict: tone for verdict, (tone, _) in SAID.items()}}


COMMANDS = (
    ("Decide every language again and check each line: minutes on one core", "separatrix decide --all --states 4 --out decided"),
    ("Check the file alone", "separatrix check decided/languages-4.jsonl.gz"),
    ("A language of your own", "separatrix decide '(a|ba*b)*'"),
    ("Find a word on which your model fails", "separatrix attack my_model.py:MyModel parity --length 64"),
)


def areas(record: StateTracking) -> tuple[Area, ...]:
    """The nested classes, the smallest first."""
    return (
        Area(R_TRIVIAL, record.count(R_TRIVIAL), (), "cited"),
        Area(STAR_FREE, record.count(STAR_FREE), ("Mamba: exactly these",), "proven"),
        Area(QUASI_APERIODIC, record.count(QUASI_APERIODIC), WITH_POSITIONS, "argued"),
        Area("regular", record.count(LANGUAGES), ("one layer of rank-one factors does all of them",), "proven"),
    )  # fmt: skip


def counts(record: StateTracking) -> list[tuple[str, int, str]]:
    """A kind of model, how many languages, and what shows it."""
    checked, every = record.checked, record.count(LANGUAGES)
    excluded_stacks = checked["impossible for monotone stacks"]
    excluded, suffices = record.count(TWINS), record.count(PERMUTATION_RESET)
    convolved = checked["convolved: impossible for one non-expansive layer"]
    return [
        ("Mamba, any depth: built", checked["built by Mamba"], f"{checked['sets of weights']} sets of weights, proven at every length"),
        ("Mamba, Mamba-2, linear attention without positions, any depth: impossible", excluded_stacks, COUNTED),
        ("Mamba: open", checked["open"], ""),
        ("one layer of rank-one factors: built", checked["rank-one, one layer: built"], "the factors of each letter, multiplied out"),
        ("one symmetric layer (DeltaNet, DeltaProduct), no convolution: enough", suffices, "every letter permutes or resets the states"),
        ("one symmetric layer, no convolution: impossible", excluded, "two idempotents with one image, in exact arithmetic"),
        ("one symmetric layer, no convolution: open", every - excluded - suffices, "neither argument applies"),
        ("one symmetric layer behind a convolution of width 4: impossible", convolved, "the argument above, on states and last letters"),
    ]  # fmt: skip


def table(record: StateTracking) -> dict[str, object]:
    """Architectures down, languages across."""
    columns = [(one.name, GALLERY[one.name].says, one.star_free, one.name not in LARGE) for one in record.shown]
    pages = {one.value: architecture_path(one) for one in COLUMNS}
    rows = [(_name(name), pages.get(name), _why(name), [cell(one, name) for one in record.shown]) for name in record.shown[0].rows]
    return {"columns": columns, "rows": rows}


def cell(one: TrackedLanguage, architecture: str) -> tuple[str, str, str]:
    """The tone of a cell, its word, and the layers of what is built."""
    verdict, layers, _, says = one.rows[architecture]
    tone, word = SAID[verdict]
    if verdict == CITED:
        word = f"cited: {says}"
    if verdict == BUILT and says:
        word = f"yes, {says}"
    if verdict == IMPOSSIBLE and architecture in ARGUED:
        tone, word = "", "no, argued"
    built = f"{layers} layer{'' if layers == 1 else 's'}" if verdict == BUILT and layers else ""
    return tone, word, built


def _name(architecture: str) -> str:
    known = {one.value for one in Architecture}
    return NAMES.get(architecture) or (Architecture(architecture).heading if architecture in known else title(architecture))


def _why(architecture: str) -> str:
    """Its side of the barrier, in the words of its formula."""
    if architecture == SYMMETRIC:
        return "a layer that moves no two states apart"
    return BARRIER.get(architecture) or INSIDE_WITH_POSITIONS.get(architecture) or OUTSIDE[architecture]
