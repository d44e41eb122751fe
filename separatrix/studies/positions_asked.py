"""At which positions do trained models fail at lookup?

[bhattamishra2024 Experiment 2; bhattamishra2024 Figure 2]

Nothing is trained here: the rows of lookup_printed.py say, for each place, how often it was asked for and how often the answer was right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from separatrix.studies.answer import Answer, by, decided, seeds_of
from separatrix.studies.learned import percent, percentages
from separatrix.studies.lookup_printed import EXACT, FIGURE, PROTOCOL, SYMBOLS
from separatrix.studies.panel import Axis, nothing_run, side_by_side
from separatrix.studies.study import Cell, Result, Row

QUESTION = "At which positions do trained models fail at lookup?"
PREDICTION = (
    "Lengths are drawn from 10 to N, so late places are rarely asked for in training: attention fails there last, and a recurrent model "
    "forgets early places first."
)
CITES = ("bhattamishra2024 Experiment 2", "bhattamishra2024 Figure 2")
CAPTION = (
    "Right answers among those test inputs of length N that ask for a place, over all seeds of `separatrix study lookup-printed`, in ten "
    "groups of places. Drawn are the six models that saw equal numbers of examples, and attention trained for longer or on strings of "
    "exactly N; the table has all. A model that is right at every place has one row there. Lengths and models that lookup-printed has not "
    "run are missing. A question that the papers leave open."
)
GROUPS = 10
DRAWN = (*(ours for _, ours, *_ in PROTOCOL), *(f"tf-1-64{more}" for more in (", five times as long", ", longer", EXACT)))

TRAINS = PARTIAL = True
RESULTS_OF = "lookup-printed"
CELLS: tuple[Cell, ...] = FIGURE.data
run = FIGURE.run


def rows(results: Sequence[Result | None]) -> list[Row]:
    """Accuracy by length, model and group of places, over all seeds; one row for a model that is right at every place."""
    counted: dict[tuple[int, str], dict[int, list[int]]] = {}
    seeds = Counter(
        (one.length, curve.series) for (curve, one), result in zip(FIGURE.planned(), results, strict=True) if result is not None
    )
    for (curve, one), result in zip(FIGURE.planned(), results, strict=True):
        for place, asked, right in [] if result is None else result["test"]["asked"]:
            group = counted.setdefault((one.length, curve.series), {}).setdefault((place - 1) * GROUPS // one.length, [0, 0])
            group[0] += asked
            group[1] += right
    listed: list[Row] = []
    for (N, model), groups in sorted(counted.items()):
        if all(asked == right for asked, right in groups.values()):
            asked = sum(group[0] for group in groups.values())
            whole = {"group": "all", "places": f"1 to {N}", "asked": asked, "accuracy": 100.0}
            listed.append({"length": N, "series": model, **whole, "seeds": seeds[N, model]})
            continue
        listed += [
            {
                "length": N,
                "series": model,
                "group": group + 1,
                "places": f"{-(-group * N // GROUPS) + 1} to {-(-(group + 1) * N // GROUPS)}",
                "asked": asked,
                "accuracy": percent(right / asked),
                "seeds": seeds[N, model],
            }
            for group, (asked, right) in sorted(groups.items())
        ]
    return listed


def figure(rows: list[Row]) -> dict[str, Any]:
    """Accuracy against the group of places, a panel for each length: models under one protocol, and attention trained for longer."""
    tenths: Axis = ("group", "place asked for, in tenths of N")
    drawn = by((row for row in rows if row["group"] != "all" and row["series"] in DRAWN), "length")
    panels = [
        percentages(some, f"Index lookup by place, N = {N}", tenths, "series", linear=True, chance=100 / SYMBOLS)
        for (N,), some in drawn.items()
    ]
    return side_by_side(*panels) if panels else nothing_run("Index lookup by place")


def answer(rows: list[Row]) -> Answer:
    """Whether attention is worst at the last places, at the largest length where it errs, and recurrent models at the first ones."""
    groups = by((row for row in rows if row["group"] != "all"), "length", "series")
    last_worst, others = {"attention": [0, 0], "recurrent": [0, 0]}, "recurrent"
    for (_, series), some in groups.items():
        kind = "attention" if series.startswith("tf") else others
        ends = (some[0]["accuracy"], some[-1]["accuracy"])
        if abs(ends[0] - ends[1]) > 1:
            last_worst[kind][ends[1] < ends[0]] += 1
    first_worse, last_worse = last_worst["recurrent"]
    attention = f"{last_worst['attention'][1]} of {sum(last_worst['attention'])} curves of attention are worse at the last tenth"
    recurrent = f"{first_worse} of {first_worse + last_worse} recurrent ones at the first"
    tested = sum(last_worst["attention"]) > 0 and first_worse + last_worse > 0
    holds = tested and last_worst["attention"][0] == 0 and last_worse == 0
    return decided(holds, f"{attention}, and {recurrent}, among curves whose ends differ ({seeds_of(rows)}).", tested=tested)
