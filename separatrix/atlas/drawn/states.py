"""The states that any recurrent model needs, as bars: bits after each token."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from separatrix.atlas.drawn.strip import PITCH, bar, line, note, picture

TALL, BIT = 110, 26  # the largest bar, and the largest height of one bit


def bit_bars(lower: Sequence[int], upper: Sequence[int], label: str) -> Markup:
    """A bar for each cut t = 0, 1, ..; where more bits are known to suffice than are needed, an outline goes up to those."""
    scale = min(BIT, TALL / max(1, *upper))
    parts = [line((0, 0), (PITCH * len(lower), 0), "quiet")]
    for t, (needed, enough) in enumerate(zip(lower, upper, strict=True)):
        if enough > needed:
            parts += [bar(t, 0, scale * enough, "open", width=24), note(t, -scale * enough - 5, str(enough))]
        parts.append(bar(t, 0, scale * needed, "mark", width=24))
        if enough == needed or scale * (enough - needed) > 16:  # else the two numbers would stand on one another
            parts.append(note(t, -scale * needed - 5, str(needed), ""))
        parts.append(note(t, 16, str(t)))
    return picture(parts, len(lower), -scale * max(1, *upper) - 20, 24, label)
