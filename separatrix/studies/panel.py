"""Panels of a figure, as Vega-Lite: curves over logarithmic axes, and bars.

Every curve has a description of what it counts. The descriptions are above the panel, one line each, because they are sentences.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any, Literal

from separatrix.studies.study import Row

PRINTED = "in the paper"  # in the name of a curve that is a paper's, not ours
TALL, NARROW = 3, 20  # names, and letters of a name, that make a legend of two columns
WIDTH, HEIGHT = 270, 210  # a panel with its axis fits a phone's screen, and three fit a page
SUPERSCRIPTS = ("⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "¹⁰", "¹¹", "¹²", "¹³", "¹⁴", "¹⁵", "¹⁶", "¹⁷", "¹⁸")


Axis = tuple[str, str]  # the field of the rows, and the label of the axis
DASHES = ([1, 0], [8, 4], [4, 2], [2, 2], [1, 3], [8, 3, 2, 3], [14, 4], [2, 2, 8, 2])  # as many curves can be told apart without colour


COLOURS = {  # an architecture has one colour in every figure; each at least 3 : 1 against a light and a dark page
    "TF": "#2f7dc9", "LSTM": "#c8591e", "LinTF": "#3a8a5f", "RetNet": "#8a63c0", "DSS": "#7d7a1c", "Mamba": "#b3487f",
    "Mamba2": "#e0457b", "DeltaNet": "#8a6d3b", "GRU": "#b5800f", "hybrid": "#178a8f",
    "standard": "#2f7dc9", "linear": "#3a8a5f", "sparse": "#c2403f",  # kinds of attention: of the first two the model's own
}  # fmt: skip
OTHERS = ("#2f7dc9", "#c8591e", "#8a63c0", "#3a8a5f", "#b3487f", "#7d7a1c")  # of what is no architecture, in order
PAPER_INK = "#888888"  # of a paper's numbers beside ours, of chance and of guides
MANY = 8  # more names than this have a legend, fewer stand at the ends of their lines
LETTERS, LINE = 24, 14  # of a line of a name at the end of a curve; its pixels
LEADER = 22  # pixels between the last place of the axis and the names


def architecture(name: str) -> str | None:
    """The architecture that a series is of, by the first word of its name: `lstm-2-64 + memory`, `Mamba-(6,256)`, `TF: N^0.3`."""
    first = re.match(r"[A-Za-z]+\d?(?![A-Za-z])", name)
    return next((known for known in COLOURS if first is not None and known.lower() == first[0].lower()), None)


def inks(names: Sequence[str]) -> list[str]:
    """A colour for each name: of a paper's numbers grey, of an architecture its own, of others those that are left, one after the other."""
    taken = {COLOURS[known] for name in names if (known := architecture(name))}
    left = iter([ink for ink in OTHERS if ink not in taken] * len(names))
    return [PAPER_INK if PRINTED in name else COLOURS[known] if (known := architecture(name)) else next(left) for name in names]


def coloured(names: Sequence[str]) -> dict[str, Any]:
    """The scale of names among which are known architectures: their colours; of others: those of the renderer."""
    known = any(PRINTED in name or architecture(name) for name in names)
    return {"domain": list(names), **({"range": inks(names)} if known else {})}


def named_at_ends(panel: dict[str, Any], ends: Mapping[str, tuple[float, float]], ink: Mapping[str, str]) -> dict[str, Any]:
    """The panel with each name beside the last point of its curve, in a column at the right, apart from each other, with dotted
    leaders."""
    (low, high), width = panel["encoding"]["x"]["scale"]["domain"], panel["width"]
    edge = (
        high * (high / low) ** (LEADER / width)
        if panel["encoding"]["x"]["scale"].get("type") == "log"
        else high + (high - low) * LEADER / width
    )
    words = {name: wrap(name, LETTERS) for name in ends}
    tops = _apart({name: _pixel(panel, y) - LINE / 2 for name, (_, y) in ends.items()}, words, panel["height"])
    rows = [
        {
            "x": x, "y": y, "edge": edge, "at": _value(panel, tops[name] + LINE / 2),
            "name": "\n".join(words[name]), "ink": ink[name],
        }
        for name, (x, y) in ends.items()
    ]  # fmt: skip
    own = {"field": "ink", "type": "nominal", "scale": None, "legend": None}
    leaders: dict[str, Any] = {
        "data": {"values": rows},
        "mark": {"type": "rule", "strokeWidth": 1, "strokeDash": [1, 2], "opacity": 0.7},  # never a whole line: no curve goes on there
        "encoding": {"x": {"field": "x"}, "y": {"field": "y"}, "x2": {"field": "edge"}, "y2": {"field": "at"}, "color": own},
    }
    names: dict[str, Any] = {
        "data": {"values": rows},
        "mark": {"type": "text", "align": "left", "baseline": "middle", "dx": 4, "lineBreak": "\n", "lineHeight": LINE, "fontSize": 12},
        "encoding": {"x": {"field": "edge"}, "y": {"field": "at"}, "text": {"field": "name", "type": "nominal"}, "color": None},
    }
    for part in names["encoding"], leaders["encoding"]:
        part["x"], part["y"] = ({**panel["encoding"][axis], **part[axis]} for axis in ("x", "y"))
    return {**panel, "layer": [*panel["layer"], leaders, names]}


def ends_of(rows: Sequence[Row], by: str, x: str, y: str) -> dict[str, tuple[float, float]]:
    """The last point of each curve; of several at one place the mean."""
    last = {row[by]: max(other[x] for other in rows if other[by] == row[by]) for row in rows}
    at = {name: [row[y] for row in rows if (row[by], row[x]) == (name, far)] for name, far in last.items()}
    return {name: (far, sum(at[name]) / len(at[name])) for name, far in last.items()}


def chance_line(chance: float) -> dict[str, Any]:
    """What a guess has, as a dotted line."""
    return {
        "data": {"values": [{"chance": chance}]},
        "mark": {"type": "rule", "strokeDash": [1, 3]},
        "encoding": {"y": {"field": "chance", "type": "quantitative"}, "x": None, "color": {"value": PAPER_INK}},
    }


def over_values(x: Axis, values: Sequence[float]) -> dict[str, Any]:
    """A logarithmic axis from the least to the largest of some numbers, with a tick at each, or at some if there are many."""
    places = sorted(set(values))
    room = (places[-1] / places[0]) ** 0.05 if len(places) > 1 else 2  # no point lies on the edge
    low, high = places[0] / room, places[-1] * room
    axis = {"values": places, "labelOverlap": "greedy", "labelSeparation": 4, "grid": False, "format": "~g" if low < 1 else ",~r"}
    return {
        "field": x[0],
        "title": x[1],
        "type": "quantitative",
        "scale": {"type": "log", "domain": [low, high], "nice": False},
        "axis": axis,
    }


def over_numbers(x: Axis, values: Sequence[float]) -> dict[str, Any]:
    """A linear axis from 0, or from the least of some numbers, to the largest."""
    low, high = min(0, *values), max(values)
    axis = {"grid": False, "labelOverlap": "greedy", "tickCount": 5}
    return {"field": x[0], "title": x[1], "type": "quantitative", "scale": {"domain": [low, high], "nice": False}, "axis": axis}


def standing_alone(figure: dict[str, Any], finding: str, measured: str) -> dict[str, Any]:
    """A figure as a file of its own: its title says what was found, the lines below what was measured and which panels are left out."""
    wide = len(figure.get("concat", [])) > 1
    below = [line for text in (measured, left_out(figure)) for line in wrap(text, 150 if wide else 75)]
    title = {"text": wrap(finding, 100 if wide else 50), "subtitle": below, "anchor": "start", "fontSize": 17, "offset": 24}
    return {**figure, "title": title}


def left_out(figure: dict[str, Any]) -> str:
    """Which panels a figure does not draw, as a sentence; nothing if it draws all."""
    names: list[str] = figure.get("usermeta", {}).get("left_out", [])
    return f"Left out, since nothing of it has been run here: {'; '.join(names)}." if names else ""


def _pixel(panel: dict[str, Any], y: float) -> float:
    """How far below the top of the panel a value is drawn."""
    scale, height = panel["encoding"]["y"]["scale"], panel["height"]
    low, high = scale["domain"]
    share = math.log(y / low) / math.log(high / low) if scale.get("type") == "log" else (y - low) / (high - low)
    return float(height * (1 - share))


def _value(panel: dict[str, Any], pixel: float) -> float:
    """The value that is drawn so far below the top of the panel."""
    scale, share = panel["encoding"]["y"]["scale"], 1 - pixel / panel["height"]
    low, high = scale["domain"]
    return float(low * (high / low) ** share if scale.get("type") == "log" else low + share * (high - low))


def _apart(tops: dict[str, float], words: Mapping[str, Sequence[str]], height: float) -> dict[str, float]:
    """Tops of names moved down as far as they overlap, and up again from the bottom of the panel."""
    order = sorted(tops, key=lambda name: tops[name])
    found, free = {}, -float(LINE)
    for name in order:
        found[name] = max(tops[name], free)
        free = found[name] + LINE * len(words[name]) + 1
    limit = height + LINE
    for name in reversed(order):
        found[name] = min(found[name], limit - LINE * len(words[name]))
        limit = found[name] - 1
    return found


def dashed(named: dict[str, Any]) -> dict[str, Any]:
    """The encoding of a curve's name by dashes; from the ninth curve on they repeat."""
    order = named["scale"]["domain"]
    return {**named, "scale": {"domain": order, "range": [DASHES[place % len(DASHES)] for place in range(len(order))]}}


def curves(rows: list[Row], title: str, x: Axis, y: Axis, by: str, linear: Literal["", "x", "y", "xy"] = "") -> dict[str, Any]:
    """One curve for each value of the field `by`, in the order of the rows; axes are logarithmic unless listed in `linear`.

    A paper's numbers are hollow diamonds."""
    xs, ys = [row[x[0]] for row in rows], [row[y[0]] for row in rows]
    order = list(dict.fromkeys(row[by] for row in rows))
    named = {"field": by, "type": "nominal", "scale": coloured(order), "legend": legend(order)}
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


def side_by_side(*panels: dict[str, Any], left_out: Sequence[str] = ()) -> dict[str, Any]:
    """Several panels as one figure; each keeps its own names for its curves. Those left out are named."""
    scales = {"scale": dict.fromkeys(("color", "strokeDash", "shape"), "independent")}
    return {"concat": list(panels), "columns": 2, "resolve": scales, **({"usermeta": {"left_out": list(left_out)}} if left_out else {})}


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
