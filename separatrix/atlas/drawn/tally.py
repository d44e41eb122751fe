"""Counts as rows of small squares, one row for each paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

TONES = {"error": "bad", "gap": "care", "misprint": "quiet"}
SIDE, PITCH, LINE, LEFT, ACROSS = 6, 8, 11, 150, 24  # pixels; squares in one line


def tally_picture(counts: Sequence[tuple[str, Mapping[str, int]]]) -> Markup:
    """A square for each entry, coloured by how severe it is."""
    parts: list[Markup] = []
    y = 14
    for name, row in counts:
        tones = [TONES[kind] for kind, count in row.items() for _ in range(count)]
        parts.append(Markup('<text x="0" y="{}">{}</text>').format(y + 7, name))
        for i, tone in enumerate(tones):
            x, down = LEFT + PITCH * (i % ACROSS), y + LINE * (i // ACROSS)
            parts.append(Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(tone, x, down, SIDE, SIDE))
        y += LINE * max(1, -(-len(tones) // ACROSS)) + 9
    label = "; ".join(f"{name}: {', '.join(f'{count} {kind}s' for kind, count in row.items())}" for name, row in counts)
    frame = Markup('<svg class="tally" role="img" aria-label="{}" viewBox="0 0 {} {}">{}</svg>')
    return frame.format(label, LEFT + PITCH * ACROSS, y, Markup("").join(parts))
