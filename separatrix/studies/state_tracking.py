"""State tracking: what is built or impossible at all lengths, and what training at lengths up to 40 finds.

[hahn2020 Corollary 2; hahn2020 Footnote 2]

    verdict     of `separatrix decide` about the architecture, at all lengths
    accuracy    right states at lengths 1 .. 40, on which the model was trained
    beyond      right states at lengths 41 .. 256
    right_to    the longest length up to which, at every length, at least 95 % of the states are right

Shipped rows are made by `separatrix sweep state-tracking --store FILE`, then `separatrix study state-tracking --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Any

from separatrix.bounds.languages.decisions import facts_of
from separatrix.bounds.languages.decisions import rows as decided_rows
from separatrix.bounds.languages.verdict_rules import BUILT, IMPOSSIBLE, OPEN
from separatrix.studies.answer import NOTHING, Answer, by, decided, done, listed, seeds_among
from separatrix.studies.learned import TrainingRun, few_steps, percent, trial
from separatrix.studies.panel import PAPER_INK, headed, inks, marks, nothing_run, side_by_side
from separatrix.studies.study import Result, Row
from separatrix.studies.trained_cells import NamedRun, TrainedCells
from separatrix.tasks.languages.given import given_language
from separatrix.training.budget import Budget

QUESTION = "Trained on words of up to 40 symbols, up to which length does each architecture track the state of a language?"
PREDICTION = (
    "Where `decide` has weights for all lengths a model may go on to 256, and where it has a proof that there are none every trained "
    "model breaks before."
)
CITES = ("hahn2020 Corollary 2", "hahn2020 Footnote 2")
TRAINED, TESTED, SEEDS, ENOUGH = 40, 256, 3, 0.95
BUDGET = Budget(
    steps=3000, batch=64, rate=2e-3, schedule="cosine", warmup=100, clip=1.0, validate_every=250, validation=500, enough=0.999, test=500
)
LANGUAGES = {  # title -> the language; the random one is number random.Random(21).choice of the 3,924 star-free ones with four states
    "parity": "@parity",
    "(ab)*": "(ab)*",
    "flip-flop": "@flip-flop",
    "mod 3": "@mod-3",
    "S3": "@s3",
    "A4": "@a4",
    "A5": "@a5",
    "S5": "@s5",
    "Dyck, depth 2": "@dyck-2-2",
    "even pairs": "@even-pairs",
    "cycle navigation": "@cycle-navigation",
    "b*|.*abb.*": "b*|.*abb.*",
}


@dataclass(frozen=True)
class Tracker:
    """A model, the row of `decide` that is about it, and the milliseconds of a step."""

    title: str
    model: str
    architecture: str
    milliseconds: float
    parameters: tuple[tuple[str, Any], ...] = ()


MODELS = (
    Tracker("Mamba", "mamba-2-64", "mamba", 40),
    Tracker("DeltaNet", "deltanet-2-64", "deltanet", 35),
    Tracker("DeltaNet, negative", "deltanet-2-64", "deltanet-negative", 35, (("negative", True),)),
    Tracker("DeltaProduct", "deltaproduct-2-64", "deltaproduct", 50),
    Tracker("LSTM", "lstm-1-64", "lstm", 8),
    Tracker("TF", "tf-2-64", "transformer", 25, (("positions", "none"), ("deviation", 0.125))),
)
PLAN = tuple((title, tracker, seed) for title in LANGUAGES for tracker in MODELS for seed in range(SEEDS))


def training(language: str, tracker: Tracker, seed: int) -> TrainingRun:
    """One run: labels at every prefix of words of 40 symbols, tested on words of 256."""
    return TrainingRun(
        "state-tracking", TRAINED, tracker.model, BUDGET, seed, tracker.parameters, (("language", LANGUAGES[language]),), (TESTED,)
    )


STUDY = TrainedCells(
    "State tracking",
    tuple(
        NamedRun(
            {"language": title, "series": tracker.title, "seed": seed},
            training(title, tracker, seed),
            round(tracker.milliseconds * BUDGET.steps / 3.6e6, 4),
        )
        for title, tracker, seed in PLAN
    ),
    (),
)
CAPTION = (
    f"After every symbol of a word of one of {len(LANGUAGES)} languages the state of its minimal automaton is asked. Words have {TRAINED} "
    f"symbols in training and {TESTED} in the test, and avoid states that nothing leaves except once in so many symbols. Width 64, at "
    f"most {BUDGET.steps:,} steps of {BUDGET.batch} words, {SEEDS} seeds; a model stops once {BUDGET.enough:.1%} of the words of {TRAINED} "
    f"symbols are right at every symbol. A mark is the length up to which at least {ENOUGH:.0%} of the states are right at every length, "
    "the median of the seeds; it is filled where weights for all lengths are built, and has a cross where none exist. In the table "
    f"accuracy is the share of states that are right after 1 to {TRAINED} symbols and `beyond` after more; the map counts whole words. "
    "Attention has no positions, so that no place is new to it. Verdicts are about all lengths and about the architecture, not about "
    "these widths; that a model is right up to some length does not contradict a proof that it is not at all lengths. What training makes "
    "of built weights is asked in the studies tracked-and-trained (four languages), built-and-trained (index lookup) and "
    "noise-by-construction (every construction)."
)

TRAINS = PARTIAL = True
CELLS, HOURS, SWEEP = STUDY.data, STUDY.hours, STUDY.sweep
run = STUDY.run


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; `smoke` has one run of each model, on parity."""
    if scale == "smoke":
        return [trial(few_steps(run, 4)) for run, (title, _, seed) in zip(SWEEP, PLAN, strict=True) if (title, seed) == ("parity", 0)]
    return STUDY.cells(scale)


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Each run beside the verdict about its architecture."""
    return [
        {**_tracked(row, result), "verdict": verdict(LANGUAGES[title], tracker.architecture)}
        for row, result, (title, tracker, _) in zip(STUDY.rows(results), results, PLAN, strict=True)
    ]


def _tracked(row: Row, result: Result | None) -> Row:
    if result is None:
        return {**row, "beyond": None, "right_to": None}
    asked = sorted(result["test"]["asked"])
    shares = {}
    for name, some in (("accuracy", asked[:TRAINED]), ("beyond", asked[TRAINED:])):
        tried = sum(count for _, count, _ in some)
        shares[name] = percent(sum(right for _, _, right in some) / tried) if tried else None
    broken = next((length for length, count, right in asked if right < ENOUGH * count), len(asked) + 1)
    return {**row, **shares, "right_to": broken - 1}


@cache
def verdict(language: str, architecture: str) -> str:
    """What is known about the architecture at all lengths; built, if the package has weights of any language for it."""
    from separatrix.constructions import construction

    row = next(row for row in decided_rows(facts_of(given_language(language))) if row.architecture == architecture)
    if row.by and construction(row.by).sizes({"length": TRAINED, "language": language}) is None:
        return OPEN
    return row.verdict


def answer(rows: list[Row]) -> Answer:
    """How far models went on languages that their architecture can, and cannot, track at all lengths."""
    ran = done(rows)
    if not ran:
        return NOTHING
    impossible, built = ([row for row in ran if row["verdict"] == what] for what in (IMPOSSIBLE, BUILT))
    held = [row for row in impossible if row["right_to"] == TESTED]
    furthest = max((row["right_to"] for row in impossible), default=0)
    went = [
        f"{series} in {sum(row['right_to'] == TESTED for row in some)} of {len(some)}" for (series,), some in by(built, "series").items()
    ]
    pairs, every = (len(by(some, "language", "series")) for some in (ran, rows))
    part = f"{len(ran)} of {len(rows)} runs, {pairs} of {every} pairs of a language and a model, {seeds_among(ran, 'language', 'series')}"
    sentence = (
        f"Of {len(impossible)} runs on languages that are impossible at all lengths, {len(held)} are right up to {TESTED} (the furthest "
        f"up to {furthest}); of {len(built)} on languages for which weights are built {listed(went) if went else 'none'} are ({part})."
    )
    as_predicted = bool(impossible) and not held and any(row["right_to"] == TESTED for row in built)
    return decided(as_predicted and pairs == every, sentence, tested=bool(held))  # held only once every pair was tried


def figure(rows: list[Row]) -> dict[str, Any]:
    """For each language the lengths up to which the models are right."""
    ran = done(rows)
    if not ran:
        return nothing_run(STUDY.title)
    points = [
        {
            "language": language,
            "series": series,
            "right_to": max(1, median(row["right_to"] for row in some)),
            "built": some[0]["verdict"] == BUILT,
            "impossible": some[0]["verdict"] == IMPOSSIBLE,
        }
        for (language, series), some in by(ran, "language", "series").items()
    ]
    scale = {"type": "log", "base": 2, "domain": [1, TESTED]}
    ticks = [1.0, 4, 16, TRAINED, TESTED]
    panel = marks(points, STUDY.title, ("right_to", "right up to length"), "language", "series", scale, ticks)
    _tell_apart(panel)
    waiting = len(rows) - len(ran)
    meaning = "filled: weights are built for all lengths; ×: none exist"
    panel["title"] = headed(STUDY.title, f"{meaning}; not run yet: {waiting} of {len(rows)}" if waiting else meaning)
    return side_by_side(panel)


def _tell_apart(panel: dict[str, Any]) -> None:
    """Models below each other on a line for each language, in their own colours: filled where weights are built, with a cross where there
    are none."""
    order = [tracker.title for tracker in MODELS]
    named, mark = panel["encoding"]["shape"], {**panel.pop("mark"), "size": 50, "strokeWidth": 1.5, "filled": True}
    colour = {**named, "scale": {"domain": order, "range": inks(order)}}
    lines = {**panel["encoding"]["y"], "scale": {"paddingInner": 0.4, "paddingOuter": 0.2}, "axis": {"grid": False, "tickBand": "extent"}}
    panel["height"] = {"step": 5, "for": "offset"}
    panel["encoding"] = {"x": panel["encoding"]["x"], "y": lines, "yOffset": {"field": "series", "scale": {"domain": order}}}
    panel["layer"] = [
        {
            "mark": mark,
            "encoding": {
                "color": colour,
                "stroke": {**colour, "legend": None},
                "shape": {**named, "scale": {"domain": order}},
                "fillOpacity": {"condition": {"test": "datum.built", "value": 0.8}, "value": 0},
            },
        },
        {
            "transform": [{"filter": "datum.impossible"}],
            "mark": {"type": "text", "text": "×", "baseline": "middle", "fontSize": 12},
            "encoding": {"color": {"value": PAPER_INK}},
        },
    ]
