"""Classes of languages as nested areas, each as large as the number of its languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from separatrix.atlas.typography import number

WIDE, HIGH, LINE, MARGIN = 760, 460, 19, 3


class Area(NamedTuple):
    """A class: its name, how many languages it has, what it bounds (one line each), and how that is known."""

    name: str
    size: int
    says: tuple[str, ...]
    evidence: str  # proven, argued or cited: the look of its border


def nested_picture(areas: Sequence[Area]) -> Markup:
    """An `<svg>` element; the areas rise in size, and all of them lie in the lower left corner of the last."""
    most = areas[-1].size
    parts = [_area(one, (one.size / most) ** 0.5) for one in reversed(areas)]
    label = "Nested areas: " + ", ".join(f"{one.name} {one.size:,}" for one in areas)
    return Markup(
        '<svg class="strip nested" role="img" aria-label="{}" viewBox="{} {} {} {}" style="width:{}px;min-width:{:g}px">{}</svg>'
    ).format(label, -MARGIN, -MARGIN, WIDE + 2 * MARGIN, HIGH + 2 * MARGIN, WIDE, 0.78 * WIDE, Markup("").join(parts))


def _area(one: Area, scale: float) -> Markup:
    width, height = WIDE * scale, HIGH * scale
    top = HIGH - height
    frame = Markup('<rect class="{}" x="0" y="{:.4g}" width="{:.4g}" height="{:.4g}" rx="4"/>').format(one.evidence, top, width, height)
    head = Markup('<text x="8" y="{:.4g}"><tspan class="name">{}</tspan> {}</text>').format(top + LINE, one.name, number(one.size))
    lines = [Markup('<text class="says" x="8" y="{:.4g}">{}</text>').format(top + LINE * (2 + i), line) for i, line in enumerate(one.says)]
    return frame + head + Markup("").join(lines)
