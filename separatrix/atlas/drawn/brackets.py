"""Drawn examples of brackets: arcs over the pairs that match, the depth below, and the first bracket at which it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from separatrix.atlas.drawn.example import Drawn, Tokens, words_of
from separatrix.atlas.drawn.strip import BOX, PITCH, answer, arc, note, picture, row, top_of
from separatrix.atlas.drawn.words import options
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.dyck_languages import DyckLanguage
from separatrix.tasks.next_symbol import Dyck2Next


@dataclass(frozen=True)
class Matched:
    """A parsed string of brackets: pairs, depths, and the first error."""

    pairs: tuple[tuple[int, int], ...]
    depths: tuple[int, ...]  # after each bracket up to the first misplaced one
    open: tuple[int, ...]  # brackets that are still open
    wrong: tuple[int, int] | None  # a closing bracket, and the open one that it does not close (or itself, if none is open)


def match(brackets: Sequence[int], types: int) -> Matched:
    """Read brackets: type a opens with id a and closes with id types + a."""
    stack: list[int] = []
    pairs: list[tuple[int, int]] = []
    depths: list[int] = []
    for i, bracket in enumerate(brackets):
        if bracket < types:
            stack.append(i)
        elif not stack or brackets[stack[-1]] != bracket - types:
            return Matched(tuple(pairs), tuple(depths), tuple(stack), (i, stack[-1] if stack else i))
        else:
            pairs.append((stack.pop(), i))
        depths.append(len(stack))
    return Matched(tuple(pairs), tuple(depths), tuple(stack), None)


def recognised(task: Dyck | DyckLanguage, tokens: Tokens) -> Drawn:
    """Whether a string is well matched and never too deep."""
    words, ended = words_of(task, tokens), isinstance(task, DyckLanguage)
    parsed = match(tokens[: len(tokens) - ended], task.types)
    deepest = task.depth if isinstance(task, Dyck) else None
    deep = [i for i, depth in enumerate(parsed.depths) if deepest is not None and depth > deepest]
    tones, why = _verdict(words, parsed, deep, deepest)
    label = int(not tones)
    parts = [*row(words, tones, places=None), *_arcs(parsed, tones), *_depths(parsed, deepest)]
    parts += answer(len(words), str(label), "good" if label else "bad")
    arcs = [*parsed.pairs, *([parsed.wrong] if parsed.wrong else [])]
    return Drawn(picture(parts, len(words) + 2, top_of(arcs), BOX + 22, why), why)


def next_bracket(task: Dyck2Next, tokens: Tokens) -> Drawn:
    """What may follow: any bracket may open, and only the innermost open one may close."""
    words, parsed = words_of(task, tokens), match(tokens, task.types)
    tones = dict.fromkeys(parsed.open[-1:], "mark")
    parts = [
        *row(words, tones, places=None),
        *_arcs(parsed, {}),
        *_depths(parsed, None),
        *options(task.symbols, task.law(tokens), len(words)),
    ]
    inner = f"the innermost open bracket is at place {parsed.open[-1] + 1}, and only it may close" if parsed.open else "all are closed"
    why = f"A bracket may open at any time; {inner}{'' if parsed.open else ', so the end may come'}."
    return Drawn(picture(parts, len(words) + 3.5, top_of(parsed.pairs), 3 * PITCH, why), why)


def _verdict(words: list[str], parsed: Matched, deep: list[int], deepest: int | None) -> tuple[dict[int, str], str]:
    """The brackets to mark, none for a member, and the reason."""
    if deep and (parsed.wrong is None or deep[0] < parsed.wrong[0]):
        return {deep[0]: "bad"}, f"Place {deep[0] + 1} is nested {parsed.depths[deep[0]]} deep, but at most {deepest} are allowed: 0."
    if parsed.wrong is not None:
        place, opened = parsed.wrong
        what = "closes no open bracket" if place == opened else f"cannot close the {words[opened]} at place {opened + 1}"
        return {place: "bad", opened: "bad"}, f"The {words[place]} at place {place + 1} {what}: 0."
    if parsed.open:
        return {parsed.open[-1]: "bad"}, f"The {words[parsed.open[-1]]} at place {parsed.open[-1] + 1} is never closed: 0."
    return {}, f"Every bracket is matched{f', and at most {deepest} are open at once' if deepest is not None else ''}: 1."


def _arcs(parsed: Matched, tones: dict[int, str]) -> list[Markup]:
    parts = [arc(*pair, "" if tones else "good") for pair in parsed.pairs]
    if parsed.wrong is not None and parsed.wrong[0] != parsed.wrong[1]:
        parts.append(arc(parsed.wrong[1], parsed.wrong[0], "bad"))
    return parts


def _depths(parsed: Matched, deepest: int | None) -> list[Markup]:
    """How many brackets are open after each."""
    parts = [note(i, BOX + 15, str(d), "bad" if deepest is not None and d > deepest else "quiet") for i, d in enumerate(parsed.depths)]
    return [*parts, note(len(parsed.depths), BOX + 15, "open", "quiet", "start")]
