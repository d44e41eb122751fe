"""A string as boxes in a row, with arcs above and marks below: small pictures that follow the page's colours, light or dark.

Columns are as wide as a box with its gap. A tone is a class of the style sheet: `mark`, `good`, `bad`, `quiet` or `open` (dashed).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

PITCH, BOX = 40, 34  # from one column to the next; the side of a box
SMALLEST = 0.66  # on a narrow page a picture shrinks to this; then it scrolls in its box
PHONE, STILL_READ = 290, 0.55  # a picture that fits a phone at this scale is not scrolled at all
LOW, STEP, HIGH = 10, 6, 78  # an arc rises by LOW and by STEP for each column it spans, and never above HIGH


def centre(column: float) -> float:
    """The horizontal middle of a column, in pixels."""
    return PITCH * column + PITCH / 2


def picture(parts: Iterable[Markup], columns: float, top: float, bottom: float, label: str) -> Markup:
    """An `<svg>` element from the first column to the last; `top` and `bottom` are heights, the row of boxes begins at 0."""
    width, height = PITCH * columns, bottom - top
    frame = Markup(
        '<svg class="strip" role="img" aria-label="{}" viewBox="0 {:g} {:g} {:g}" style="width:{:g}px;min-width:{:g}px">{}</svg>'
    )
    least = STILL_READ if STILL_READ * width <= PHONE else SMALLEST
    return frame.format(label, top, width, height, width, least * width, Markup("").join(parts))


def box(column: float, y: float, text: str, tone: str = "", columns: float = 1) -> Markup:
    """A box with a short text; a longer one needs more columns."""
    x, width = PITCH * column + (PITCH - BOX) / 2, PITCH * columns - (PITCH - BOX)
    size = 15 if len(text) * 9 <= width - 6 else min(15.0, (width - 4) / (0.61 * len(text)))
    smaller = Markup(' style="font-size:{:.3g}px"').format(size) if size < 15 else ""
    wider = Markup(' style="width:{:g}px"').format(width) if columns != 1 else ""  # the style sheet has the sides of a box
    return Markup('<g class="{}"><rect x="{:g}" y="{:g}"{}/><text x="{:g}" y="{:g}"{}>{}</text></g>').format(
        _class("box", tone), x, y, wider, x + width / 2, y + BOX / 2 + 5, smaller, text
    )


def note(column: float, y: float, text: str, tone: str = "quiet", anchor: str = "middle") -> Markup:
    """Small text whose baseline is at y; at the `start` or the `end` of a column, or in its middle."""
    x = centre(column) + {"start": -BOX / 2, "middle": 0, "end": BOX / 2}[anchor]
    beside = Markup(' text-anchor="{}"').format(anchor) if anchor != "middle" else ""
    return Markup('<text class="{}" x="{:g}" y="{:g}"{}>{}</text>').format(_class("note", tone), x, y, beside, text)


def row(words: Sequence[str], tones: dict[int, str], first: float = 0, y: float = 0, places: int | None = 1) -> list[Markup]:
    """Boxes from column `first` on, each with its place in the string below it; `places` is the number of the first one."""
    parts = [box(first + i, y, word, tones.get(i, "")) for i, word in enumerate(words)]
    if places is not None:
        parts += [note(first + i, y + BOX + 15, str(places + i)) for i in range(len(words))]
    return parts


def answer(column: float, text: str, tone: str = "mark", y: float = 0, columns: float = 1) -> list[Markup]:
    """An arrow to the right and the answer."""
    x, middle = PITCH * column, y + BOX / 2
    shaft = line((x + 8, middle), (x + PITCH - 8, middle))
    head = Markup('<path class="head" d="M {:g} {:g} l -7 -4 v 8 z"/>').format(x + PITCH - 4, middle)
    return [shaft, head, box(column + 1, y, text, tone, columns)]


def rise(span: float) -> float:
    """The height of an arc over `span` columns."""
    return min(LOW + STEP * abs(span), HIGH)


def arc(one: float, other: float, tone: str = "", y: float = 0, arrow: bool = False) -> Markup:
    """An arc above the boxes from one column to another; with an arrow it points at the second."""
    a, b, lift = centre(one), centre(other), 4 / 3 * rise(other - one)
    end = y - 6 if arrow else y
    path = Markup('<path class="{}" d="M{:g} {:g}C{:g} {:.4g} {:g} {:.4g} {:g} {:g}"/>').format(
        _class("arc", tone), a, y - 2, a, y - lift, b, y - lift, b, end - 2
    )
    head = Markup('<path class="head {}" d="M {:g} {:g} l -4 -7 h 8 z"/>').format(tone, b, y - 1)
    return path + head if arrow else path


def line(start: tuple[float, float], end: tuple[float, float], tone: str = "") -> Markup:
    """A straight line."""
    return Markup('<path class="{}" d="M{:g} {:g}L{:g} {:g}"/>').format(_class("arc", tone), *start, *end)


def dot(column: float, y: float, tone: str = "", filled: bool = True) -> Markup:
    """A small circle."""
    kind = f"dot {tone}" if filled else f"ring {tone}"
    return Markup('<circle class="{}" cx="{:g}" cy="{:g}" r="5"/>').format(kind, centre(column), y)


def bar(column: float, base: float, height: float, tone: str = "", width: float = BOX / 2) -> Markup:
    """A bar upwards from the base, or downwards if the height is negative."""
    return Markup('<rect class="column {}" x="{:g}" y="{:g}" width="{:g}" height="{:g}"/>').format(
        tone, centre(column) - width / 2, base - max(height, 0), width, abs(height)
    )


def step(number: int, *parts: Markup) -> Markup:
    """Parts that belong to one step, for a reader who goes through them one by one."""
    return Markup('<g data-step="{}">{}</g>').format(number, Markup("").join(parts))


def top_of(arcs: Iterable[tuple[float, float]]) -> float:
    """The height that arcs between these columns need, as a `top`."""
    return -max((rise(b - a) for a, b in arcs), default=0) - 6


def _class(kind: str, tone: str) -> str:
    return f"{kind} {tone}" if tone else kind
