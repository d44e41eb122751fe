"""How close do built and trained models come to the law of the next symbol on PARITY and 2DYCK?

[hahn2020 Theorem 6; hahn2020 Lemma 5]

Made by `separatrix study next-symbol --run --out separatrix/studies/data/next-symbol.jsonl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.studies.answer import Answer, decided, listed
from separatrix.studies.learned import TrainingRun, cells_of, learner
from separatrix.studies.panel import curves, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.tasks import make_task
from separatrix.tasks.next_symbol import LN2, NextSymbol, survivors
from separatrix.training.budget import Budget

QUESTION = "After n symbols, how many nats does predicting the next one cost a built machine, a trained LSTM and a trained Transformer?"
PREDICTION = "The machine attains the optimum at every n; softmax attention of fixed norms cannot stay below the floor as n grows."
CITES = ("hahn2020 Theorem 6", "hahn2020 Lemma 5")
CAPTION = (
    "Cross-entropy after prefixes of exactly n symbols, read at the last one, over prefixes of the source for trained models. Built: the "
    "predictors of `separatrix predict built`, proven to lie within 1e-9 nats of the optimum. Floor in the limit: what no softmax "
    "Transformer of fixed norms stays below as n grows; at one n a model may lie below it, and for the trained models here the bound says "
    "nothing, because their norms are large and they have masks and norms. Unigram: no symbol is known. Strings cut after 32 symbols for "
    "training; the longest prefixes here are longer than any in training."
)

FLOOR = "floor of softmax attention, limit as n grows"
LENGTHS = (8, 16, 32, 64)
LOOK: dict[str, Any] = {"steps": 4000, "batch": 64, "validate_every": 2000, "validation": 200, "test": 200}
RECURRENT, ATTENTION = Budget(rate=5e-3, clip=1.0, **LOOK), Budget(rate=1e-3, warmup=100, **LOOK)
SOURCES = (("PARITY", "parity-next", 0.2), ("2DYCK", "dyck-2-next", 0.4))
MODELS = (("lstm-1-32", RECURRENT, ()), ("tf-2-32", ATTENTION, (("deviation", 0.15),)))
SWEEP = tuple(
    TrainingRun(source, 32, model, budget, 0, parameters, (("p", p),), LENGTHS)
    for _, source, p in SOURCES
    for model, budget, parameters in MODELS
)

TRAINS = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)
run = learner(SWEEP)


def rows(results: Sequence[Result]) -> list[Row]:
    """For each source and length: built, both trained models, floor, unigram; nats, and nats above the optimum."""
    listed = []
    for title, source, p in SOURCES:
        levels = {n: levels_at(source, p, n) for n in LENGTHS}
        measured = {one.model: dict(result["nats"]) for one, result in zip(SWEEP, results, strict=True) if one.task == source}
        series = {
            "built, proven": {n: levels[n]["optimal"] for n in LENGTHS},
            **{f"{model}, trained": by_length for model, by_length in measured.items()},
            FLOOR: {n: levels[n]["floor"] for n in LENGTHS},
            "unigram": {n: levels[n]["unigram"] for n in LENGTHS},
        }
        for name, by_length in series.items():
            listed += [
                {"source": title, "series": name, "length": n, "nats": round(nats, 6), "above": round(nats - levels[n]["optimal"], 6)}
                for n, nats in by_length.items()
            ]
    return listed


def levels_at(source: str, p: float, n: int) -> dict[str, float]:
    """The optimum, the floor and the unigram level after n symbols."""
    task = make_task(source, length=n, p=p)
    assert isinstance(task, NextSymbol)
    levels = task.cross_entropies
    floor = levels.last_symbol if source == "parity-next" else levels.optimal + survivors(p, n).closed * (1 - p) * LN2
    return {"optimal": levels.optimal, "floor": floor, "unigram": levels.unigram}


def figure(rows: list[Row]) -> dict[str, Any]:
    """Nats above the optimum against the length of the prefix, one panel for each source."""
    return side_by_side(
        *(
            curves(
                [row for row in rows if row["source"] == title],
                f"{title}, next symbol",
                ("length", "symbols read"),
                ("above", "nats above the optimum"),
                "series",
                "xy",
            )
            for title, _, _ in SOURCES
        )
    )


def answer(rows: list[Row]) -> Answer:
    """The built machine is at the optimum everywhere, and the trained Transformer is above the floor at the largest length."""
    n = max(row["length"] for row in rows)
    built = max(row["above"] for row in rows if row["series"] == "built, proven")
    tf = {row["source"]: row["above"] for row in rows if row["length"] == n and row["series"].startswith("tf")}
    floor = {row["source"]: row["above"] for row in rows if row["length"] == n and row["series"] == FLOOR}
    holds = built <= 1e-9 and all(tf[source] >= floor[source] for source in tf)
    said = listed([f"{tf[source]:.3f} on {source} (proven floor {floor[source]:.3f})" for source in tf])
    return decided(
        holds, f"After {n} symbols the Transformer costs {said} nats more than the optimum, the built machine {built:g} (one seed)."
    )
