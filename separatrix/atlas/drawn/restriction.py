"""A restriction layer by layer: which tokens are fixed after each layer, what the last vector still depends on, and two completions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.atlas.drawn.example import Drawn, listed
from separatrix.atlas.drawn.strip import BOX, answer, arc, note, picture, rise, row, step

FREE = "·"
TITLE, GAP = 24, 16  # above a row; below one


def restriction_picture(record: dict[str, Any]) -> Drawn:
    """A row for the input, one after each layer, and one for each completion."""
    words, before, y = record["words"], record["first"], 0.0
    rows = [{"restriction": before, "supports": [[]]}, *record["layers"]]
    parts, captions, last = [], [], len(before) - 1
    for number, layer in enumerate(rows):
        fixed = layer["restriction"]
        new = [i for i, token in enumerate(fixed) if token is not None and before[i] is None]
        support = [place for place in layer["supports"][-1] if place != last]
        tones = {i: "open" if token is None else "mark" if i in new else "" for i, token in enumerate(fixed)}
        title = note(0, y + 14, _title(number, fixed), "", "start")
        y += TITLE + max((rise(last - place) for place in support), default=0)
        boxes = row([FREE if token is None else words[token] for token in fixed], tones, y=y, places=None if number else 1)
        parts.append(step(number + 1, title, *(arc(last, place, "mark", y=y, arrow=True) for place in support), *boxes))
        captions.append(_said(number, fixed, new, layer["supports"], words))
        before, y = fixed, y + BOX + GAP + (0 if number else 8)
    ends = [note(0, y + 14, f"two completions, and what the model says: {record['said']} both times", "", "start")]
    y += TITLE
    differ = [i for i, (a, b) in enumerate(zip(*record["completions"], strict=True)) if a != b]
    for tokens, right in zip(record["completions"], record["expected"], strict=True):
        tone = "good" if right == record["said"] else "bad"
        ends += [
            *row([words[token] for token in tokens], dict.fromkeys(differ, "bad"), y=y, places=None),
            *answer(last + 1, record["said"], tone, y),
        ]
        ends.append(note(last + 3.2, y + BOX / 2 + 5, f"right: {right}" if tone == "good" else f"wrong: it is {right}", tone, "start"))
        y += BOX + GAP / 2
    captions.append(_confused(record, differ))
    parts.append(step(len(captions), *ends))
    return Drawn(picture(parts, last + 6, 0, y, " ".join(captions)), captions[-1], tuple(captions))


def _free(fixed: Sequence[int | None]) -> int:
    return sum(token is None for token in fixed)


def _title(number: int, fixed: Sequence[int | None]) -> str:
    name = f"after layer {number}" if number else "the input"
    return f"{name}: {_free(fixed)} of {len(fixed)} places free"


def _said(number: int, fixed: Sequence[int | None], new: Sequence[int], supports: Sequence[Sequence[int]], words: Sequence[str]) -> str:
    """One row of the restriction as a sentence."""
    if not number:
        return f"All {_free(fixed)} places that can be free are free."
    fixing = ", ".join(f"place {i + 1} to {words[token]}" for i in new if (token := fixed[i]) is not None) or "nothing more"
    depends = f"depends on {_places(supports[-1])}" if supports[-1] else "depends on nothing"
    others = f"no vector depends on more than {max(map(len, supports))} free places, and " if len(supports) > 1 else ""
    return f"Layer {number}: {fixing} fixed; {others}the last one {depends}."


def _confused(record: dict[str, Any], differ: Sequence[int]) -> str:
    one, other = record["expected"]
    return (
        f"The model now says {record['said']} whatever the {_free(record['layers'][-1]['restriction'])} free places hold. Two completions "
        f"that differ at {_places(differ)} need the answers {one} and {other}, so it is wrong on one of them."
    )


def _places(places: Sequence[int]) -> str:
    """place 3, or places 3 and 5, counted from 1."""
    return f"place{'s' if len(places) > 1 else ''} {listed([i + 1 for i in places])}"
