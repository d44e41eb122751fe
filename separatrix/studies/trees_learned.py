"""Which models learn to recognise trees: directly, with a chain of thought, or by searching their context?

[wen2024 Figure 2; wen2024 Figure 5; wen2024 Experiment 2; wen2024 Experiment 3; wen2024 Experiment 5; wen2024 Experiment 6;
wen2024 Experiment 7; wen2024 Experiment 8; wen2024 Theorem 4.7; wen2024 Theorem 5.3; wen2024 Theorem 5.7]

Shipped rows are made by `separatrix sweep trees-learned --overnight --store FILE`,
then `separatrix study trees-learned --store FILE --out FILE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from separatrix.studies.answer import NOTHING, Answer, done, listed
from separatrix.studies.panel import COLOURS, HEIGHT, PAPER_INK, WIDTH, headed
from separatrix.studies.printed import Curve, Grid, PrintedFigure
from separatrix.studies.study import Row
from separatrix.training.budget import Budget

QUESTION = "Which models learn to recognise trees: directly, with a chain of thought, or by searching their context?"
PREDICTION = (
    "A Transformer does with a chain of thought, a recurrent model neither with nor without one as graphs grow; searches, or one layer of "
    "attention above a recurrent model, close the gap."
)
CITES = (
    "wen2024 Figure 2",
    "wen2024 Figure 5",
    "wen2024 Experiment 2",
    "wen2024 Experiment 3",
    "wen2024 Experiment 6",
    "wen2024 Experiment 7",
    "wen2024 Experiment 8",
    "wen2024 Theorem 4.7",
    "wen2024 Theorem 5.3",
    "wen2024 Theorem 5.7",
)
STARS = (("graphs", "two-star"),)
CHAIN = (*STARS, ("thought", "tour"))
SEARCHES = (*STARS, ("thought", "search"))
SHORT = (*STARS, ("thought", "short"))
MESSAGE = (("graphs", "message"),)  # the graphs of the lower bound
MESSAGE_CHAIN = (*MESSAGE, ("thought", "tour"))
MESSAGE_SHORT = (*MESSAGE, ("thought", "short"))
SETTINGS = {STARS: "", CHAIN: ", with a chain", SEARCHES: ", by searches", SHORT: ", by short searches"}
ORDERED = {
    MESSAGE: ", stars in order",
    MESSAGE_CHAIN: ", stars in order, with a chain",
    MESSAGE_SHORT: ", stars in order, by short searches",
}
SIZES = ("0.5m", "1m", "2m")
OURS = {"llama": "tf-2-64", "mamba": "mamba-2-64", "hybrid": "hybrid-mamba-1-64+1"}
TITLES = {"llama": "Transformer", "mamba": "Mamba", "hybrid": "Hybrid"}
CORE_HOURS = {  # at 8 and 16 vertices
    STARS: {"llama": (0.06, 0.14), "mamba": (0.11, 0.24), "hybrid": (0.06, 0.13)},
    CHAIN: {"llama": (0.16, 0.33), "mamba": (0.22, 0.46), "hybrid": (0.2, 0.38)},
    SEARCHES: {"llama": (0.5, 2), "mamba": (0.12, 0.3), "hybrid": (0.3, 1)},
    SHORT: {"llama": (0.08, 0.25), "mamba": (0.06, 0.12), "hybrid": (0.07, 0.17)},
}
CORE_HOURS |= {MESSAGE: CORE_HOURS[STARS], MESSAGE_CHAIN: CORE_HOURS[CHAIN], MESSAGE_SHORT: CORE_HOURS[SHORT]}
BUDGET = Budget(steps=10000, batch=64, schedule="cosine", warmup=200, clip=1.0, validate_every=500, validation=500, enough=0.998, test=1000)
LONG_CHAINS = replace(BUDGET, steps=1500, batch=32, warmup=100, validate_every=250, validation=100, test=500)  # some hundreds of words each
SHORT_CHAINS = replace(LONG_CHAINS, steps=2000, batch=16, test=5000)  # as many inputs as the paper evaluates
BUDGETS: dict[tuple[tuple[str, str], ...], Budget] = {SEARCHES: LONG_CHAINS, SHORT: SHORT_CHAINS, MESSAGE_SHORT: SHORT_CHAINS}
PLACED = {"llama": (("positions", "rotary"),), "hybrid": (("positions", "none"),)}  # as in the paper, or by the recurrent layer alone
UNLEARNED = ", by short searches, no learned positions"  # of these two; Mamba has none anyway
AT_ONCE = {task: f"{named}, no learned positions" for task, named in ((STARS, ""), (MESSAGE, ", stars in order"))}  # of the hybrid
LARGER = (("deviation", 0.125),)  # initial weights: from the usual ones nothing leaves chance without a chain
FIGURE = PrintedFigure(
    title="Trees",
    counts="N, vertices",
    task="is-tree",
    lengths=(16, 32, 64),
    curves=(
        *(
            Curve(
                f"wen2024-{kind}-{size}",
                None,
                OURS[kind] if size == SIZES[0] else None,
                task=task,
                named=named,
                title=TITLES[kind],
                budget=BUDGETS.get(task),
                parameters=() if task in BUDGETS else LARGER,
                hours=CORE_HOURS[task][kind],
            )
            for kind in OURS
            for size in SIZES
            for task, named in (SETTINGS | ORDERED if size == SIZES[0] else SETTINGS).items()
        ),
        *(
            Curve(
                f"wen2024-{kind}-{SIZES[0]}",
                None,
                OURS[kind],
                task=SHORT,
                named=UNLEARNED,
                title=TITLES[kind],
                budget=SHORT_CHAINS,
                parameters=positions,
                hours=CORE_HOURS[SHORT][kind],
            )
            for kind, positions in PLACED.items()
        ),
        *(
            Curve(
                f"wen2024-hybrid-{SIZES[0]}",
                None,
                OURS["hybrid"],
                task=task,
                named=named,
                title=TITLES["hybrid"],
                parameters=(*PLACED["hybrid"], *LARGER),
                hours=CORE_HOURS[task]["hybrid"],
            )
            for task, named in AT_ONCE.items()
        ),
    ),
    here=(8, 16, 32, 64),
    budget=BUDGET,
    seeds=1,
    chance=50.0,
    paper=Grid(
        (1e-3, 3e-4),
        Budget(steps=15625, batch=64, optimiser="adamw", schedule="cosine", warmup=157, validate_every=1000, validation=5000, test=5000),
    ),
)

CAPTION = (
    "Graphs of the experiments: two stars of permuted labels and one edge between two leaves, of which one half are trees; N vertices. "
    "Graphs of the lower bound: the same with centres and leaves in order. With a chain, right answers at the end of chains that the "
    "model writes alone; by searches, of chains in which the model writes whole regular expressions and reads what they find; by short "
    "searches, of chains that leave out what is fixed in the expressions, as the paper does, and the decoder fills it in. A chain without "
    "an answer counts as wrong. The paper prints curves without numbers, for models of 0.5 to 2 million parameters, 16 to 64 vertices and "
    f"up to 5 million graphs; here two layers of width 64 and at most {BUDGET.steps * BUDGET.batch:,} graphs "
    f"({LONG_CHAINS.steps * LONG_CHAINS.batch:,} by searches, {SHORT_CHAINS.steps * SHORT_CHAINS.batch:,} by short ones). Tested on "
    f"{BUDGET.test:,} graphs ({LONG_CHAINS.test:,} by searches, {SHORT_CHAINS.test:,}, as in the paper, by short ones). The hybrid has one "
    "layer of attention above one of Mamba; the one built by hand has four layers. Positions of the Transformer and of the hybrid are "
    "learned; curves without, added after short searches had failed with them, have rotary positions (Transformer) or none (hybrid)."
)

TRAINS = PARTIAL = True
CELLS, HOURS = FIGURE.data, FIGURE.hours
cells, run, rows = FIGURE.cells, FIGURE.run, FIGURE.rows
WAYS = {  # of thinking, and the curves that count: of several the best
    "at once": ("",),
    "with a chain": (SETTINGS[CHAIN],),
    "by searches": (SETTINGS[SEARCHES], SETTINGS[SHORT], UNLEARNED),
}


def nine(rows: list[Row], N: int) -> list[Row]:
    """Three models by three ways of thinking, on graphs with permuted stars: the best of the curves that count, None where none was run."""
    at = {row["series"]: row["accuracy"] for row in done(rows) if row["length"] == N}
    return [
        {
            "model": TITLES[kind],
            "way": way,
            "accuracy": max((at[f"{ours}{named}"] for named in ways if f"{ours}{named}" in at), default=None),
        }
        for kind, ours in OURS.items()
        for way, ways in WAYS.items()
    ]


def _table(rows: list[Row], N: int) -> dict[str, Any]:
    """The nine cells as a table whose fields are darker the more is right."""
    cells = [{**row, "text": "not run" if row["accuracy"] is None else f"{row['accuracy']:g}"} for row in nine(rows, N)]
    shade = {"field": "accuracy", "type": "quantitative", "scale": {"domain": [FIGURE.chance, 100], "range": [0.05, 0.7]}, "legend": None}
    fill = {"mark": {"type": "rect", "fill": COLOURS["TF"], "stroke": PAPER_INK, "strokeWidth": 0.5}, "encoding": {"fillOpacity": shade}}
    words = {"mark": {"type": "text", "fontSize": 13}, "encoding": {"text": {"field": "text", "type": "nominal"}}}
    names = {"type": "nominal", "sort": None, "title": None}
    return {
        "title": headed(f"Trees, N = {N}: right answers, %", "by searches: the best of the ways that were tried"),
        "width": WIDTH,
        "height": HEIGHT // 2,
        "data": {"values": cells},
        "encoding": {
            "x": {"field": "way", **names, "axis": {"labelAngle": 0, "orient": "top"}},
            "y": {"field": "model", **names},
        },
        "layer": [fill, words],
    }


def figure(rows: list[Row]) -> dict[str, Any]:
    """The nine cells at two sizes as tables, then every curve."""
    drawn = FIGURE.figure(rows)
    tables = [_table(rows, N) for N in FIGURE.here[:2] if any(row["accuracy"] is not None for row in nine(rows, N))]
    return {**drawn, "concat": [*tables, *drawn["concat"]]}


def answer(rows: list[Row]) -> Answer:
    """The nine cells at two sizes, and those on the graphs of the lower bound; nothing failed that was short of the paper's budget."""
    at = {(row["series"], row["length"]): row["accuracy"] for row in done(rows)}
    if not at:
        return NOTHING
    large, small = FIGURE.here[1], FIGURE.here[0]
    said = [
        f"{words} {_shares(at, named, large)} at N = {large} and {_shares(at, named, small)} at {small}"
        for named, words in (
            (SETTINGS[CHAIN], "with a chain"),
            (SETTINGS[STARS], "at once"),
            (SETTINGS[SEARCHES], "by searches"),
            (SETTINGS[SHORT], "by short searches"),
            (UNLEARNED, "by short searches without learned positions"),
            (ORDERED[MESSAGE], "with stars in order at once"),
            *((named, f"at once{named}") for named in AT_ONCE.values() if any(series == f"{OURS['hybrid']}{named}" for series, _ in at)),
            (ORDERED[MESSAGE_CHAIN], "with stars in order and a chain"),
            (ORDERED[MESSAGE_SHORT], "with stars in order by short searches"),
        )
    ]
    transformer, mamba = (at.get((f"{OURS[kind]}{SETTINGS[CHAIN]}", large)) for kind in ("llama", "mamba"))
    holds = transformer is not None and mamba is not None and transformer > 95 > mamba
    by_searches = max(at.get((f"{OURS['mamba']}{named}", large), 0.0) for named in (SETTINGS[SEARCHES], SETTINGS[SHORT]))
    searched = by_searches > 95
    hybrid = max(at.get((f"{OURS['hybrid']}{named}", large), 0.0) for named in ("", ORDERED[MESSAGE], *AT_ONCE.values()))
    alone = at.get((OURS["mamba"], large))
    lead = (
        f"At N = {large} Mamba reaches {alone:g} % at once, {mamba:g} % with a chain of thought and {by_searches:g} % by searching "
        "(one seed); "
        if (alone is not None and mamba is not None and by_searches)
        else ""
    )
    sentence = f"{lead}Transformer, Mamba and hybrid have, in % (one seed), {'; '.join(said)}."
    if holds and searched and hybrid > 95:
        return Answer("held", sentence)
    short = [
        *([] if holds else [f"a chain does not yet part the Transformer from Mamba at N = {large}"]),
        *([] if searched else [f"searches do not yet close the gap at N = {large}"]),
        *([] if hybrid > 95 else [f"the hybrid alone is not yet near perfect at N = {large}"]),
    ]
    return Answer("untested", f"{sentence} Within a small part of the paper's budget, {listed(short)}.")


def _shares(at: Mapping[tuple[str, int], float], named: str, N: int) -> str:
    """What the three models have in a setting; a cell without a run is untested."""
    shares = [at.get((f"{ours}{named}", N)) for ours in OURS.values()]
    if all(share is None for share in shares):
        return "untested"
    return listed(["untested" if share is None else f"{share:g}" for share in shares])
