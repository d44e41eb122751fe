"""The states that any recurrent model needs, as bars: bits after each token."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from markupsafe import Markup

from separatrix.atlas.drawn.strip import PITCH, bar, centre, line, note, picture

TALL, BIT = 110, 26  # the largest bar, and the largest height of one bit


def bit_bars(lower: Sequence[int], upper: Sequence[int], label: str) -> Markup:
    """A bar for each cut t = 0, 1, ..; if the bits known to suffice exceed those needed, an outline shows them."""
    scale = min(BIT, TALL / max(1, *upper))
    parts = [line((0, 0), (PITCH * len(lower), 0), "quiet")]
    for t, (needed, enough) in enumerate(zip(lower, upper, strict=True)):
        if enough > needed:
            parts += [bar(t, 0, scale * enough, "open", width=24), note(t, -scale * enough - 5, str(enough))]
        parts.append(bar(t, 0, scale * needed, "mark", width=24))
        if enough == needed or scale * (enough - needed) > 16:  # otherwise the two numbers would overlap
            parts.append(note(t, -scale * needed - 5, str(needed), ""))
        parts.append(note(t, 16, str(t)))
    return picture(parts, len(lower), -scale * max(1, *upper) - 20, 24, label)


DOUBLING = 14  # height of a factor of two, so that the names of two lines a factor apart do not touch
NAMED = 3  # columns to the right of the last bar, for the names of the lines


def state_lines(needed: Sequence[int], models: Sequence[tuple[str, Sequence[int]]], label: str) -> Markup:
    """The bars on a logarithmic scale, with the state bits of models as lines over them, each named at its right end."""
    cuts = len(needed)
    parts = [line((0, 0), (PITCH * cuts, 0), "quiet")]
    for t, bits in enumerate(needed):
        parts += [bar(t, 0, height_of(bits), "mark", width=24), note(t, 16, str(t))]
    for name, carried in models:
        heights = [-height_of(bits) for bits in carried]
        parts += [line((centre(t), heights[t]), (centre(t + 1), heights[t + 1])) for t in range(cuts - 1)]
        parts.append(note(cuts, heights[-1] + 4, f"{name}: {carried[-1]:,}", "", "start"))
    top = max(height_of(bits) for _, carried in models for bits in carried)
    return picture(parts, cuts + NAMED, -top - 20, 24, label)


def height_of(bits: int) -> float:
    """A height that grows by a fixed step when the bits double."""
    return DOUBLING * log2(1 + bits)
