"""Two prefixes that leave a recurrent model in one state, and the suffix after which two answers are due."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from separatrix.atlas.drawn.example import Drawn
from separatrix.atlas.drawn.strip import BOX, PITCH, answer, box, line, note, picture, row

APART = BOX + 34  # from the first prefix to the second
WIDE = 2.4  # columns of the state


def collision_picture(record: dict[str, Any], *, noted: bool = True) -> Drawn:
    """Both prefixes lead into one box, the state; from it the suffix leads to what the model says both times."""
    prefixes, suffix, said = record["prefixes"], record["suffix"], record["said"]
    cut = len(prefixes[0])
    middle = APART / 2
    parts: list[Markup] = []
    for i, prefix in enumerate(prefixes):
        y = i * APART
        parts += row(prefix, {}, y=y, places=None)
        parts.append(line((PITCH * cut, y + BOX / 2), (PITCH * (cut + 1), middle + BOX / 2), "mark"))
    parts.append(box(cut + 1, middle, f"state {record['state']}", "mark", WIDE))
    after = cut + 1 + WIDE
    parts += [*row(suffix, {}, first=after, y=middle, places=None), *answer(after + len(suffix), said, "mark", y=middle)]
    end = after + len(suffix) + 2
    for i, right in enumerate(record["expected"]):
        tone = "good" if right == said else "bad"
        words = f"after the {('first', 'second')[i]} prefix {'right' if right == said else 'wrong: it is ' + right}"
        if noted:
            parts.append(note(end + 0.2, i * APART + BOX / 2 + 5, words, tone, "start"))
    why = (
        f"After {' '.join(prefixes[0])} and after {' '.join(prefixes[1])} the model is in state {record['state']}. "
        f"Then it reads {' '.join(suffix)} and says {said} both times; the right answers are {' and '.join(record['expected'])}."
    )
    return Drawn(picture(parts, end + 6 * noted, -4, APART + BOX + 8, why), why)
