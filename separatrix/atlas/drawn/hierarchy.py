"""Classes as boxes and containments as numbered arrows that lead to their evidence; a dashed arrow has none."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from separatrix.atlas.page import architecture_path, statement_link
from separatrix.atlas.reading.hierarchy import CLASSES, STATED, Class, ShownArrow, class_named

WIDE, HIGH = 166, 48  # of a box
ACROSS, DOWN = 186, 142  # from one box to the next
MARGIN = 3
RADIUS = 13  # of the circle around a number
LABEL = (
    "Classes of problems as boxes; each numbered arrow leads from a class to one that contains it. The list below has the same in words."
)


def hierarchy_picture(arrows: Sequence[ShownArrow]) -> Markup:
    """An `<svg>` element whose arrows and boxes are links."""
    width, height = 2 * ACROSS + WIDE + 2 * MARGIN, 3 * DOWN + HIGH + 2 * MARGIN
    parts = [_shaft(one) for one in arrows] + [_box(one) for one in CLASSES] + [_number(one) for one in arrows]
    return Markup(
        '<svg class="strip hierarchy" role="group" aria-label="{}" viewBox="{} {} {} {}" style="width:{}px;min-width:{:g}px">{}</svg>'
    ).format(LABEL, -MARGIN, -MARGIN, width, height, width, 0.78 * width, Markup("").join(parts))


def _corner(one: Class) -> tuple[float, float]:
    return one.column * ACROSS, one.row * DOWN


def _ends(one: ShownArrow) -> tuple[float, float, float, float]:
    """From the upper side of a box to the lower side of another, bent towards the side on which the other stands."""
    tail, head = class_named(one.arrow.tail), class_named(one.arrow.head)
    (a, b), (c, d) = _corner(tail), _corner(head)
    lean = 50 * (head.column > tail.column) - 50 * (head.column < tail.column)
    far = 22 if tail.row - head.row > 1 and lean else 0  # two arrows that arrive at one box from one side
    return a + WIDE / 2 + lean - far, b, c + WIDE / 2 - 0.8 * lean - far, d + HIGH


def _shaft(one: ShownArrow) -> Markup:
    a, b, c, d = _ends(one)
    length = ((a - c) ** 2 + (b - d) ** 2) ** 0.5
    x, y = (c - a) / length, (d - b) / length  # where it points
    tip = (c - x, d - y + 1)
    left, right = ((tip[0] - 11 * x + side * 5 * y, tip[1] - 11 * y - side * 5 * x) for side in (1, -1))
    line = Markup('<path class="arc{}" d="M{:.4g} {:.4g}L{:.4g} {:.4g}"/>').format(
        " stated" if one.stated else "", a, b, tip[0] - 9 * x, tip[1] - 9 * y
    )
    return line + Markup('<path class="head" d="M{:.4g} {:.4g}L{:.4g} {:.4g}L{:.4g} {:.4g}z"/>').format(*tip, *left, *right)


def _number(one: ShownArrow) -> Markup:
    """The number of an arrow, as a link to its first piece of evidence, or to the statement."""
    a, b, c, d = _ends(one)
    x, y = a + 0.5 * (c - a), b + 0.5 * (d - b)
    target = statement_link(one.arrow.cites[0]) if one.stated else one.links[0].target
    tail, head = (" ".join(class_named(name).lines) for name in (one.arrow.tail, one.arrow.head))
    label = f"Arrow {one.number}, from {tail} to {head}: {STATED if one.stated else one.links[0].text}"
    said = Markup('<text class="note" x="{:.4g}" y="{:.4g}">stated</text>').format(x, y + RADIUS + 14) if one.stated else ""
    return Markup(
        '<a href="{}" aria-label="{}"><circle class="number{}" cx="{:.4g}" cy="{:.4g}" r="{}"/><text x="{:.4g}" y="{:.4g}">{}</text>{}</a>'
    ).format(target, label, " stated" if one.stated else "", x, y, RADIUS, x, y + 5, one.number, said)


def _box(one: Class) -> Markup:
    x, y = _corner(one)
    words = Markup("").join(
        Markup('<text class="class" x="{:g}" y="{:g}">{}</text>').format(x + WIDE / 2, y + 20 + 17 * i, line)
        for i, line in enumerate(one.lines)
    )
    frame = Markup('<rect class="class{}" x="{:g}" y="{:g}" width="{}" height="{}" rx="{}"/>').format(
        "" if one.architecture else " bare", x, y, WIDE, HIGH, 4 if one.architecture else HIGH // 2
    )
    if one.architecture is None:
        return frame + words
    return Markup('<a href="{}">{}{}</a>').format(architecture_path(one.architecture), frame, words)
