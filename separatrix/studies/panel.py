"""Panels of a figure, as Vega-Lite: curves over logarithmic axes, and bars.

Every curve has a description of what it counts. The descriptions are above the panel, one line each, because they are sentences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from separatrix.studies.study import Row

PRINTED = "in the paper"  # in the name of a curve that is a paper's, not ours
TALL, NARROW = 3, 20  # names, and letters of a name, that make a legend of two columns
WIDTH, HEIGHT = 270, 210  # a panel with its axis fits a phone's screen, and three fit a page
SUPERSCRIPTS = ("⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "¹⁰", "¹¹", "¹²", "¹³", "¹⁴", "¹⁵", "¹⁶", "¹⁷", "¹⁸")


Axis = tuple[str, str]  # the field of the rows, and the label of the axis
DASHES = ([1, 0], [8, 4], [4, 2], [2, 2], [1, 3], [8, 3, 2, 3], [14, 4], [2, 2, 8, 2])  # as many curves can be told apart without colour


COLOURS = {  # a model has one colour in every figure that names it; each at least 3 : 1 against a light and a dark page
    "TF": "#2f7dc9", "LSTM": "#c8591e", "LinTF": "#3a8a5f", "RetNet": "#8a63c0", "DSS": "#7d7a1c", "Mamba": "#b3487f",
    "DeltaNet": "#8a6d3b",
}  # fmt: skip


def coloured(names: Sequence[str]) -> dict[str, Any]:
    """The scale of names that are all known models: their colours; of others: those of the renderer."""
    return {"domain": list(names), **({"range": [COLOURS[name] for name in names]} if all(name in COLOURS for name in names) else {})}


def dashed(named: dict[str, Any]) -> dict[str, Any]:
    """The encoding of a curve's name by dashes; from the ninth curve on they repeat."""
    order = named["scale"]["domain"]
    return {**named, "scale": {"domain": order, "range": [DASHES[place % len(DASHES)] for place in range(len(order))]}}


def curves(rows: list[Row], title: str, x: Axis, y: Axis, by: str, linear: Literal["", "x", "y", "xy"] = "") -> dict[str, Any]:
    """One curve for each value of the field `by`, in the order of the rows; axes are logarithmic unless listed in `linear`.

    A paper's numbers are hollow diamonds."""
    xs, ys = [row[x[0]] for row in rows], [row[y[0]] for row in rows]
    order = list(dict.fromkeys(row[by] for row in rows))
    named = {"field": by, "type": "nominal", "scale": {"domain": order}, "legend": legend(order)}
    return {
        **_frame(rows, title),
        "encoding": {
            "x": _linear(x) if "x" in linear else _logarithmic(x, min(xs), max(xs)),
            "y": _linear(y) if "y" in linear else _logarithmic(y, *_decades(ys)),
            "color": named,
        },
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"strokeDash": dashed(named)}},  # not by colour alone
            {"mark": {"type": "circle", "size": 24, "opacity": 1}, "transform": [{"filter": f"indexof(datum.{by}, '{PRINTED}') < 0"}]},
            {
                "mark": {"type": "point", "shape": "diamond", "size": 90, "strokeWidth": 2, "opacity": 1},
                "transform": [{"filter": f"indexof(datum.{by}, '{PRINTED}') >= 0"}],
            },
        ],
    }


def bars(rows: list[Row], title: str, x: Axis, y: Axis) -> dict[str, Any]:
    """One bar for each row."""
    labels = {"labelAngle": 0, "labelOverlap": True, "labelSeparation": 4, "grid": False}
    return {
        **_frame(rows, title),
        "mark": {"type": "bar"},
        "encoding": {
            "x": {"field": x[0], "type": "ordinal", "title": x[1], "axis": labels},
            "y": {"field": y[0], "type": "quantitative", "title": y[1]},
        },
    }


def marks(rows: list[Row], title: str, x: Axis, y: str, by: str, scale: dict[str, Any], ticks: list[float]) -> dict[str, Any]:
    """A line for each value of the field `y`, and on it a mark for each value of `by`, told apart by shape."""
    names = {"title": None, "orient": "top", "columns": 3}
    shape = {"field": by, "type": "nominal", "scale": {"domain": list(dict.fromkeys(row[by] for row in rows))}, "legend": names}
    lines = {"field": y, "type": "nominal", "title": None, "sort": list(dict.fromkeys(row[y] for row in rows)), "axis": {"grid": True}}
    return {
        **_frame(rows, title),
        "mark": {"type": "point", "filled": False, "size": 90, "strokeWidth": 2, "opacity": 1},
        "encoding": {
            "x": {"field": x[0], "type": "quantitative", "title": x[1], "scale": scale, "axis": {"values": ticks}},
            "y": lines,
            "color": shape,
            "shape": shape,
        },
    }


BITS_LOOKS = {"needed by any recurrent model": "#c2403f", "built, certified": "#2c8a5b", "learned, 95 % or more": "#2f7dc9"}


def bits_panel(rows: list[Row]) -> dict[str, Any]:
    """Bits of state against N: a line for what is needed, squares for what is built, dots for what is learned; names at the last point."""
    Ns, bits = [row["N"] for row in rows], [row["bits"] for row in rows]
    names = [name for name in BITS_LOOKS if any(row["of"] == name for row in rows)]
    colour = {"field": "of", "type": "nominal", "scale": {"domain": names, "range": [BITS_LOOKS[name] for name in names]}, "legend": None}
    needed, built, learned = ([{"filter": {"field": "of", "equal": name}}] for name in BITS_LOOKS)
    last = {name: max((row for row in rows if row["of"] == name), key=lambda row: (row["N"], row["bits"])) for name in names}
    x = _logarithmic(("N", "N"), min(Ns), max(Ns))
    return {
        **_frame(rows, "Bits of state against N"),
        "width": 2 * WIDTH - 60,
        "encoding": {"x": x, "y": _logarithmic(("bits", "bits of state"), *_decades(bits)), "color": colour},
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2.5, "point": True}, "transform": needed},
            {"mark": {"type": "point", "shape": "square", "filled": True, "size": 60, "opacity": 1}, "transform": built},
            {
                "mark": {"type": "point", "shape": "circle", "filled": False, "size": 50, "strokeWidth": 2, "opacity": 1},
                "transform": learned,
            },
            {
                "data": {"values": list(last.values())},
                "mark": {"type": "text", "align": "left", "dx": 9, "fontSize": 12},
                "encoding": {"text": {"field": "of", "type": "nominal"}},
            },
        ],
    }


def side_by_side(*panels: dict[str, Any]) -> dict[str, Any]:
    """Several panels as one figure; each keeps its own names for its curves."""
    return {"concat": list(panels), "columns": 2, "resolve": {"scale": dict.fromkeys(("color", "strokeDash", "shape"), "independent")}}


def nothing_run(title: str) -> dict[str, Any]:
    """What stands in place of a figure while no cell of its study has been run."""
    return side_by_side(blank(title))


def blank(title: str) -> dict[str, Any]:
    """What stands in place of a panel while none of its cells has been run."""
    words = {"mark": {"type": "text", "fontSize": 12}, "encoding": {"text": {"value": "nothing has been run yet"}}}
    return {**_frame([{}], title), "height": HEIGHT // 4, "view": {"stroke": "#888888", "strokeDash": [2, 2]}, **words}


def headed(title: str, missing: str = "") -> dict[str, Any]:
    """The title of a panel, and below it what has not been run."""
    return {"text": title, "anchor": "start", **({"subtitle": missing} if missing else {})}


def legend(names: Sequence[str]) -> dict[str, Any]:
    """Names above the panel, which shows dashes; in two columns if there are many short ones."""
    columns = 2 if len(names) > TALL and max(map(len, names)) <= NARROW else 1
    strokes = {"symbolType": "stroke", "symbolSize": 300}
    return {"title": None, "orient": "top", "direction": "vertical", "columns": columns, "labelLimit": 0, **strokes}


def _frame(rows: list[Row], title: str) -> dict[str, Any]:
    return {"title": {"text": title, "anchor": "start"}, "width": WIDTH, "height": HEIGHT, "data": {"values": rows}}


def _linear(axis: Axis) -> dict[str, Any]:
    return {"field": axis[0], "type": "quantitative", "title": axis[1]}


def _decades(values: list[float]) -> tuple[float, float]:
    """The powers of ten around all values."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return (float(f"1e{low}") if low < 0 else 10**low), (float(f"1e{high}") if high < 0 else 10**high)


def _logarithmic(axis: Axis, low: float, high: float) -> dict[str, Any]:
    """A logarithmic axis with ticks at powers of ten, written as such; only every second one if it spans many."""
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    ticks = {
        "values": [float(f"1e{power}") if power < 0 else 10**power for power in powers[:: 1 if len(powers) <= 7 else 2]],
        "labelExpr": f"'10' + (datum.value < 1 ? '⁻' : '') + {list(SUPERSCRIPTS)}[abs(round(log(datum.value) / LN10))]",
    }
    return {"field": axis[0], "type": "quantitative", "title": axis[1], "scale": {"type": "log", "domain": [low, high]}, "axis": ticks}
