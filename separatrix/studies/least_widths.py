"""The least width that learned, as rows: what a ladder of widths says about growth, and the panel that draws it.

A bracket is the widest width that failed and the narrowest that passed, of one seed at one length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from separatrix.studies.answer import by
from separatrix.studies.frontier import fitted
from separatrix.studies.learned import percent
from separatrix.studies.panel import HEIGHT, PAPER_INK, WIDTH, headed, named_at_ends
from separatrix.studies.study import Result, Row, answered_share

SIZES = 3  # that make a line; two always do
LEARNED, BUILT, PROVEN, NOT_RUN = "learned", "built", "proven", "not run"
Guide = Sequence[tuple[int, float]]


def learned_row(series: str, N: int, seed: int, by_width: Mapping[int, Result | None], target: float, hours: float) -> Row:
    """The least width that passed and the widest below it that failed; the core-hours of what ran, or of all that waits."""
    ran = {width: result for width, result in by_width.items() if result is not None}
    spent = round(sum(result["seconds"] for result in ran.values()) / 3600, 3) if ran else round(hours, 3)
    row = least_row(series, N, seed=seed, widths_tried=len(ran), core_hours=spent, status="run" if ran else NOT_RUN)
    passed = min((width for width, result in ran.items() if answered_share(result) >= target), default=None)
    failed = max((width for width in ran if passed is None or width < passed), default=None)
    if passed is not None:
        best = ran[passed]
        row |= {"width": passed, "state_bits": best["state_bits"], "accuracy": percent(answered_share(best))}
    return row | {"failed_width": failed}


def least_row(series: str, N: int, kind: str = LEARNED, **known: Any) -> Row:
    """A row with every column of the study; those that are not given are None."""
    empty = dict.fromkeys(("seed", "width", "failed_width", "state_bits", "accuracy", "widths_tried", "core_hours"))
    return {"kind": kind, "series": series, "length": N, **empty, **known}


def exponents(rows: Sequence[Row]) -> dict[str, tuple[float, list[float]]]:
    """For each series that learned at three sizes or more the power of N by which its widths grow, and the interval that its brackets
    leave."""
    found = {}
    for (series,), some in by((row for row in rows if row["kind"] == LEARNED and row["width"] is not None), "series").items():
        if len(by(some, "length")) < SIZES:
            continue
        power, interval = fitted([(row["length"], float(row["failed_width"] or 1), float(row["width"])) for row in some])
        if power is not None and interval is not None:
            found[series] = (power, interval)
    return found


def said(powers: Mapping[str, tuple[float, list[float]]]) -> str:
    """`linear 0.61 (0.40 to 0.80)`: powers with their intervals."""
    return ", ".join(f"{name} {round(power, 2) + 0.0:.2f} ({low:.2f} to {high:.2f})" for name, (power, (low, high)) in powers.items())


def growth_panel(
    drawn: Sequence[Row],
    ink: Mapping[str, str],
    lengths: Sequence[int],
    title: str,
    axis: str,
    guides: Mapping[str, Guide],
) -> dict[str, Any]:
    """`value` against N, both logarithmic, in the colour of each `name`: seeds as points with a line through their medians; built weights
    as squares; what is proven dashed; guides dotted."""
    colour: dict[str, Any] = {"field": "name", "type": "nominal", "scale": {"domain": [*ink], "range": [*ink.values()]}, "legend": None}
    values = [row["value"] for row in drawn]
    low, high = max(1.0, min(values) / 1.3), max(values) * 1.3
    scale = {"type": "log", "base": 2, "domain": [low, high], "nice": False}
    span = {"type": "log", "base": 2, "domain": [lengths[0] / 1.15, lengths[-1] * 1.15]}
    x = {"field": "length", "type": "quantitative", "title": "N", "scale": span, "axis": {"values": [*lengths], "grid": False}}
    y = {"field": "value", "type": "quantitative", "title": axis, "scale": scale, "axis": {"grid": False, "values": _powers(low, high)}}
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "line", "strokeDash": [5, 4], "strokeWidth": 1.5, "opacity": 0.7}, "transform": _only(PROVEN)},
        {"mark": {"type": "line", "strokeWidth": 2.5}, "transform": _only(LEARNED), "encoding": {"y": {**y, "aggregate": "median"}}},
        {"mark": {"type": "circle", "size": 55, "opacity": 0.9}, "transform": _only(LEARNED)},
        {"mark": {"type": "point", "shape": "square", "size": 70, "strokeWidth": 1.5, "opacity": 1}, "transform": _only(BUILT)},
    ]
    lines: list[Row] = [{"length": N, "value": at, "guide": name} for name, guide in guides.items() for N, at in guide if low <= at <= high]
    if lines:
        layers.insert(0, {
            "data": {"values": lines},
            "mark": {"type": "line", "strokeDash": [1, 3], "strokeWidth": 1, "color": "#888888"},
            "encoding": {"x": x, "y": y, "detail": {"field": "guide", "type": "nominal"}, "color": {"value": "#888888"}},
        })  # fmt: skip
    frame = {"title": headed(title), "width": WIDTH, "height": HEIGHT * 4 // 3, "data": {"values": [*drawn]}}
    panel = {**frame, "encoding": {"x": x, "y": y, "color": colour}, "layer": layers}
    last = {line["guide"]: (line["length"], line["value"]) for line in lines}
    shown = {name: _at_one_size(name, drawn) for name in _ends(drawn)}
    ends = {shown[name]: at for name, at in _ends(drawn).items()}
    return named_at_ends(panel, ends | last, {shown.get(name, name): ink[name] for name in ink} | dict.fromkeys(last, PAPER_INK))


def _at_one_size(name: str, drawn: Sequence[Row]) -> str:
    """A name that says so where it has one point, whose leader would else be read as a curve."""
    sizes = {row["length"] for row in drawn if row["name"] == name}
    return f"{name}, at N = {min(sizes)} only" if len(sizes) == 1 else name


def _ends(drawn: Sequence[Row]) -> dict[str, tuple[float, float]]:
    """Where each name stands: at its furthest N, beside what is built there, or else the median of what is learned, or what is proven."""
    ends = {}
    for (name,), some in by(drawn, "name").items():
        far = max(row["length"] for row in some)
        there = [[row["value"] for row in some if (row["length"], row["kind"]) == (far, kind)] for kind in (BUILT, LEARNED, PROVEN)]
        ends[name] = (float(far), float(median(next(values for values in there if values))))
    return ends


def _powers(low: float, high: float) -> list[int]:
    """Powers of two on an axis, every second one if it spans many."""
    powers = range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)
    return [2**power for power in powers[:: 1 if len(powers) <= 12 else 2]]


def _only(kind: str) -> list[dict[str, Any]]:
    """A Vega-Lite transform that keeps the rows of one kind."""
    return [{"filter": {"field": "kind", "equal": kind}}]
