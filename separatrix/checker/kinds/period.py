"""Certificates of periods: a regular language that counts a word modulo some p, which no stack of monotone coordinates can do.

A coordinate is *monotone* if its numbers form a finite chain (-0 below +0; NaN, which stays, apart) and each token moves it by a
non-decreasing map. The last w inputs of its layer choose the map, and no coordinate of the same layer does. Maps between layers may be any,
token by token. There are no positions, and the model runs token by token.

On u, u, u, .. the first layer repeats one such map, once its window holds nothing else. A point that such a map moves goes on in the same
direction, so it stands still after P - 1 blocks, where P is how many numbers there are. From then on the second layer sees one block again
and again. After N = L (P - 1) + sum of ceil((w - 1) / |u|) blocks nothing changes any more: one answer on all x u^i y with i >= N. But the
automaton comes back to one state after p blocks, and among these words members and others alternate.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, require_equal_items, require_fields, whole, within
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, counted, number
from separatrix.checker.specs.automata import language_of, shown_language

FIELDS: dict[str, Any] = {
    "claim": dict, "x": list, "u": list, "y": list, "p": int, "answers": list, "stack": (dict, type(None)), "blocks": (int, type(None)),
    "longest": (int, type(None))
}  # fmt: skip
LONGEST = 1 << 16  # symbols of each word, and blocks of one period
DEEPEST = 1 << 16
SYMBOL = 100  # work of one move of the automaton
NAMED = 40  # symbols of a word that a sentence spells
HYPOTHESES = (
    "a coordinate is monotone if its numbers form a finite chain (-0 below +0, NaN absorbing) and each token moves it by a non-decreasing "
    "map that the last inputs of its layer choose, and no coordinate of the same layer; any maps of single tokens between layers; "
    "no positions; run token by token, not as a parallel scan"
)


def judge(document: dict[str, Any], _beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless the word moves on a cycle on which membership changes."""
    claim = require_fields(document["claim"], "claim", task=str, parameters=dict)
    require_equal(claim["task"], "regular", "claim.task")
    require_fields(claim["parameters"], "claim.parameters", language=str, alphabet=(str, type(None)))
    language = claim["parameters"]["language"], claim["parameters"]["alphabet"]
    letters, (moves, accepting) = language_of(*language)
    x, u, y = (_word(document[name], len(letters), name) for name in "xuy")
    p = within(document["p"], 2, LONGEST, "p")
    budget.allow(SYMBOL * (p * (len(u) + len(y)) + len(x)), 0)
    answers = cycle(moves, accepting, x, u, y, p)
    require_equal_items(document["answers"], answers, "answers")
    least = next(d for d in range(2, p + 1) if p % d == 0 and answers == answers[d:] + answers[:d])  # states may be alike
    said = [_spelled(word, letters) for word in (x, u, y)]
    title = shown_language(*language)
    sentence = (
        f"{title}: no stack of monotone coordinates, of any width and depth and in any finite number format, recognises it at all lengths: "
        f"it counts {said[1]} modulo {least}"
    )
    words = f"whether {' '.join(part for part in (said[0], said[1] + '^i', said[2]) if part)} is a member"
    evidence: list[dict[str, Any]] = [
        {"kind": "period", "text": f"{words} has period {p} in i: {', '.join(map(str, answers))}", "answers": answers},
        {"kind": "hypotheses", "text": HYPOTHESES},
    ]
    blocks, length = _length(document["stack"], (x, u, y), p)
    require_equal(document["blocks"], blocks, "blocks")
    require_equal(document["longest"], length, "longest")
    if blocks is not None and length is not None:
        layers = counted(document["stack"]["layers"], "layer")
        sentence += f"; {layers} of {_format(document['stack']['numbers'])} fail on a word of at most {number(length)} symbols"
        wrong = f"one answer for all i >= {number(blocks)}, so a wrong one for one of i = {number(blocks)} .. {number(blocks + p - 1)}"
        evidence.append({"kind": "length", "text": wrong, "blocks": blocks, "longest": length})
    return Shown(sentence, "proven", tuple(evidence))


def cycle(moves: Sequence[Sequence[int]], accepting: frozenset[int], x: list[int], u: list[int], y: list[int], p: int) -> list[int]:
    """The answers to x u^i y for i < p; refused unless u moves the state after x on a cycle of p states on which they differ."""

    def after(state: int, word: list[int]) -> int:
        for symbol in word:
            state = moves[state][symbol]
        return state

    if not u:
        raise Refused("u: expected at least one symbol")
    states = [after(0, x)]
    while len(states) <= p:
        states.append(after(states[-1], u))
    if p < 2 or states[0] != states[p] or states[0] in states[1:p]:
        raise Refused(f"p: expected {p} blocks to lead back to the state after x, and no fewer")
    answers = [int(after(state, y) in accepting) for state in states[:p]]
    if len(set(answers)) < 2:
        raise Refused("answers: all are equal, so nothing is shown")
    return answers


def _word(symbols: list[Any], letters: int, name: str) -> list[int]:
    if len(symbols) > LONGEST:
        raise Refused(f"{name}: expected at most {LONGEST} symbols, found {len(symbols)}")
    return [within(whole(symbol, name), 0, letters - 1, name) for symbol in symbols]


def _length(stack: dict[str, Any] | None, words: tuple[list[int], ...], p: int) -> tuple[int | None, int | None]:
    """After how many blocks every stack of these sizes stands still, and the longest word of the period that begins there."""
    if stack is None:
        return None, None
    require_fields(stack, "stack", layers=int, numbers=(int, str), windows=list)
    layers, windows = within(stack["layers"], 1, DEEPEST, "stack.layers"), stack["windows"]
    if len(windows) != layers:
        raise Refused(f"stack.windows: expected one for each of {layers} layers, found {len(windows)}")
    each = stack["numbers"]
    most = 1 << numbers(each).bits if isinstance(each, str) else within(each, 1, 1 << 1024, "stack.numbers")
    x, u, y = words
    blocks = layers * (most - 1) + sum(-(-(within(whole(w, "stack.windows"), 1, LONGEST, "stack.windows") - 1) // len(u)) for w in windows)
    return blocks, len(x) + len(u) * (blocks + p - 1) + len(y)


def _format(each: int | str) -> str:
    return each if isinstance(each, str) else f"{number(each)} numbers a coordinate"


def _spelled(word: list[int], letters: Sequence[str]) -> str:
    """A word in quotation marks, as a list where a symbol has several characters; of a long one the first symbols, and how many it has."""
    first = [letters[symbol] for symbol in word[:NAMED]]
    text = ascii("".join(first) if len(word) == 1 or max(map(len, letters)) == 1 else first)
    return "" if not word else text if len(word) <= NAMED else f"{text}.. ({number(len(word))} symbols)"
