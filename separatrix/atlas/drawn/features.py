"""Drawn examples of thresholds: the bits, and below them one line for each feature with the bits it reads."""

from __future__ import annotations

from separatrix.atlas.drawn.example import Drawn, Tokens, words_of
from separatrix.atlas.drawn.strip import BOX, answer, centre, dot, line, note, picture, row
from separatrix.tasks.normal_forms import Formula, KDnf
from separatrix.tasks.sparse_threshold import Feature, Thresholds

APART = 22  # from one feature to the next


def thresholds(task: Thresholds, tokens: Tokens) -> Drawn:
    """A filled circle is a 1 that a feature reads, an empty one a 0."""
    bits, features = tokens[1:], task.sparse_features
    values_of_features = [feature.value(bits) for feature in features]
    label = int(sum(values_of_features) > task.bound)
    parts = [*row(words_of(task, tokens), {}, places=0)]
    for number, (feature, value) in enumerate(zip(features, values_of_features, strict=True)):
        y, tone = BOX + 38 + APART * number, "good" if value else "quiet"
        if feature.places:
            parts.append(line((centre(min(feature.places)), y), (centre(max(feature.places)), y), tone))
        parts += [dot(place, y, tone, filled=bits[place - 1] == 1) for place in feature.places]
        parts.append(note(len(tokens), y + 4, f"{_name(task, feature)}{'holds' if value else 'fails'}", tone, "start"))
    parts += answer(len(tokens), str(label), "good" if label else "mark")
    values = "" if isinstance(task, Formula) else " The digits are its values on 0..0 to 1..1."
    lines = f"Each line is one of the {_kind(task)} with the bits it reads, filled where they are 1.{values}"
    why = f"{lines} {sum(values_of_features)} of {len(values_of_features)} hold; {_needed(task)}: {label}."
    return Drawn(picture(parts, len(tokens) + 4, -4, BOX + 38 + APART * len(features), why), why)


def _name(task: Thresholds, feature: Feature) -> str:
    """A term or clause as written; the table of any other feature."""
    if not isinstance(task, Formula):
        return f"{''.join(map(str, feature.table))}: "
    meant = 1 if isinstance(task, KDnf) else 0  # the one row of the table that stands out
    if feature.table.count(meant) != 1:
        return ""
    row_number, k = feature.table.index(meant), len(feature.places)
    signs = [(row_number >> (k - 1 - i) & 1) == meant for i in range(k)]
    sign = " ∧ " if isinstance(task, KDnf) else " ∨ "
    return sign.join(f"{'' if want else '¬'}x{place}" for want, place in zip(signs, feature.places, strict=True)) + ": "


def _kind(task: Thresholds) -> str:
    return "terms" if isinstance(task, KDnf) else "clauses" if isinstance(task, Formula) else "features"


def _needed(task: Thresholds) -> str:
    if isinstance(task, KDnf):
        return "one is enough"
    return "all are needed" if isinstance(task, Formula) else f"more than {task.bound} are needed"
