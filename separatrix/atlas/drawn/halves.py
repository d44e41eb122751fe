"""Drawn examples of strings in two halves, one below the other: equality in its forms, and sets that may share an element."""

from __future__ import annotations

from operator import eq

from markupsafe import Markup

from separatrix.atlas.drawn.example import Drawn, Tokens, listed, words_of
from separatrix.atlas.drawn.strip import BOX, PITCH, answer, centre, line, note, picture, row
from separatrix.atlas.drawn.words import paired
from separatrix.tasks.equality import EqNcp, Halves
from separatrix.tasks.intersects import Intersects
from separatrix.tasks.partition_equality import PartitionEquality

BELOW = BOX + 40  # where the second half begins
MIDDLE = BELOW / 2


def halves(task: Halves, tokens: Tokens) -> Drawn:
    """Symbols that should be equal are joined."""
    words, half, gap = words_of(task, tokens), len(tokens) // 2, int(task.separated)
    first, second = words[:half], words[half + gap :]
    differ = [i for i in range(half) if first[i] != second[i]]
    parts = _folded(words, half, gap, dict.fromkeys(differ, "bad"))
    parts += [_joined(gap + i, "bad" if i in differ else "good") for i in range(half)]
    if differ:
        parts += [note(gap + i + 0.28, MIDDLE + 23, "≠", "bad") for i in differ]
        why = f"The halves differ at place{'s' if len(differ) > 1 else ''} {listed([i + 1 for i in differ])} of each half: 0."
    else:
        why = "The second half repeats the first: 1."
    parts += answer(gap + half, str(int(not differ)), "bad" if differ else "good", y=MIDDLE)
    return Drawn(_framed(parts, gap + half + 2, why), why)


def repeated(task: EqNcp, tokens: Tokens) -> Drawn:
    """Every symbol of the second half is predicted before it is read."""
    words, half = words_of(task, tokens), len(tokens) // 2
    parts = _folded(words, half, 1, {}, second=dict.fromkeys(range(1, half + 1), "mark"))
    parts += [_joined(1 + i, "mark") for i in range(half)]
    why = f"From # on, each symbol must be predicted before it is read: it is the one above. All {half} must be right."
    return Drawn(_framed(parts, half + 1, why), why)


def intersects(task: Intersects, tokens: Tokens) -> Drawn:
    """An element is shared where both sets have a 1."""
    words, half = words_of(task, tokens), len(tokens) // 2
    one, other = ([i for i in range(half) if tokens[start + i]] for start in (0, half))
    shared = [i for i in one if i in other]
    tones = dict.fromkeys(shared, "good")
    parts = [*_folded(words, half, 0, tones), *(_joined(i, "good") for i in shared)]
    parts += answer(half, str(int(bool(shared))), "good" if shared else "mark", y=MIDDLE)
    verdict = f"share {listed([i + 1 for i in shared])}: 1" if shared else "have nothing in common: 0"
    why = f"The sets {_set(one)} and {_set(other)} {verdict}."
    return Drawn(_framed(parts, half + 2, why), why)


def scattered(task: PartitionEquality, tokens: Tokens) -> Drawn:
    """Scattered halves: arcs join the places that are compared."""
    return paired(words_of(task, tokens), [(a - 1, b - 1) for a, b in task.pairs], eq, "the same symbol twice")


def _folded(words: list[str], half: int, gap: int, tones: dict[int, str], second: dict[int, str] | None = None) -> list[Markup]:
    """The second half below the first, after a separator if there is one."""
    under = second if second is not None else {gap + i: tone for i, tone in tones.items()}
    parts = [*row(words[:half], tones, first=gap, places=None), *row(words[half:], under, y=BELOW, places=half + 1)]
    return [*parts, *(note(gap + i, -6, str(i + 1)) for i in range(half))]


def _joined(column: int, tone: str) -> Markup:
    return line((centre(column), BOX + 4), (centre(column), BELOW - 4), tone)


def _framed(parts: list[Markup], columns: int, why: str) -> Markup:
    return picture(parts, columns, -PITCH / 2, BELOW + BOX + 20, why)


def _set(places: list[int]) -> str:
    return "{" + ", ".join(str(i + 1) for i in places) + "}"
