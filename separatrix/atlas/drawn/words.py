"""Drawn examples of languages: what a reader must remember, or the pairs that must agree."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq

from markupsafe import Markup

from separatrix.atlas.drawn.example import Drawn, Tokens, words_of
from separatrix.atlas.drawn.strip import BOX, PITCH, answer, arc, box, centre, line, note, picture, row, top_of
from separatrix.tasks.counter_languages import AnBn, Ones
from separatrix.tasks.function import Function
from separatrix.tasks.next_symbol import ParityNext
from separatrix.tasks.parity import Parity
from separatrix.tasks.regular import Regular

EVEN, ODD = BOX + 38, BOX + 66  # heights of the two states


def parity(task: Parity, tokens: Tokens) -> Drawn:
    """The state below the bits changes at every 1."""
    words, ones = words_of(task, tokens), tokens.count(1)
    label = int(ones % 2 == 0)
    parts = [*row(words, {}, first=1), *_states(tokens[:-1]), *answer(len(words) + 1, str(label), "good" if label else "bad")]
    why = f"The number of 1s is {ones}, which is {'even' if label else 'odd'}: {label}."
    return Drawn(picture(parts, len(words) + 3, -4, ODD + 12, why), why)


def parity_next(task: ParityNext, tokens: Tokens) -> Drawn:
    """The state, and what may follow in it."""
    ones = tokens.count(1)
    parts = [*row(words_of(task, tokens), {}, first=1), *_states(tokens), *options(task.symbols, task.law(tokens), len(tokens) + 1)]
    ends = "the end may come" if ones % 2 == 0 else "only a bit can follow"
    why = f"The number of 1s so far is {ones}, which is {'even' if ones % 2 == 0 else 'odd'}: {ends}."
    return Drawn(picture(parts, len(tokens) + 4.5, -4, max(ODD + 12, 3 * PITCH), why), why)


def options(symbols: tuple[str, ...], law: tuple[float, ...] | None, column: float) -> list[Markup]:
    """Dashed boxes for the symbols that may follow, one below the other, each with its probability."""
    allowed = [(symbol, p) for symbol, p in zip(symbols, law or (), strict=False) if p > 0]
    parts = [note(column, BOX / 2 + 5, "?")]
    for i, (symbol, p) in enumerate(allowed):
        parts += [box(column + 1, PITCH * i, symbol, "open"), note(column + 2, PITCH * i + BOX / 2 + 5, f"{p:.3g}", "quiet", "start")]
    return parts


def ones(task: Ones, tokens: Tokens) -> Drawn:
    """A single 0 is enough to leave the language."""
    words, zeros = words_of(task, tokens), [i for i, bit in enumerate(tokens) if bit == 0]
    parts = [*row(words, dict.fromkeys(zeros, "bad")), *answer(len(words), str(int(not zeros)), "bad" if zeros else "good")]
    why = f"There is a 0 at place {zeros[0] + 1}: 0." if zeros else "No 0 anywhere: 1."
    return Drawn(picture(parts, len(words) + 2, -4, BOX + 20, why), why)


def an_bn(task: AnBn, tokens: Tokens) -> Drawn:
    """The i-th symbol from the left must be a, and the i-th from the right b; the one in the middle of an odd word cannot be both."""
    n = len(tokens) - 1
    pairs = [*_nested(n), *([(n // 2, n // 2)] if n % 2 else [])]
    return paired(words_of(task, tokens), pairs, lambda left, right: (left, right) == ("a", "b"), "an a and a b")


def palindrome(task: Function, tokens: Tokens) -> Drawn:
    """The i-th symbol from the left must be the i-th from the right."""
    return paired(words_of(task, tokens), _nested(len(tokens)), eq, "the same symbol twice")


def regular(task: Regular, tokens: Tokens) -> Drawn:
    """The state of the minimal automaton after each symbol."""
    words, automaton, y = words_of(task, tokens), task.automaton, BOX + 26
    states = [automaton.run(tokens[:t]) for t in range(len(tokens))]
    lost = [all(r == q for r in automaton.moves[q]) and q not in automaton.accepting for q in range(automaton.states)]
    label = int(states[-1] in automaton.accepting)
    tone = ["good" if q in automaton.accepting else "bad" if lost[q] else "" for q in range(automaton.states)]
    parts = [*row(words, {}, first=1, places=None), *(box(t, y, str(q), tone[q]) for t, q in enumerate(states))]
    parts += [note(0, y - 6, "start"), note(len(states), y + BOX / 2 + 5, "state", "quiet", "start")]
    parts += answer(len(words) + 1, str(label), "good" if label else "bad")
    verdict = "accepts" if label else "does not accept"
    why = f"Below: the state of the minimal automaton. It ends in state {states[-1]}, which {verdict}: {label}."
    return Drawn(picture(parts, len(words) + 3, -4, y + BOX + 4, why), why)


def paired(words: list[str], pairs: list[tuple[int, int]], fit: Callable[[str, str], bool], goal: str) -> Drawn:
    """Arcs between places whose symbols must match; one mismatch is enough."""
    wrong = [pair for pair in pairs if not fit(words[pair[0]], words[pair[1]])]
    label, tone = str(int(not wrong)), "bad" if wrong else "good"
    parts = [*row(words, {place: "bad" for pair in wrong for place in pair}), *answer(len(words), label, tone)]
    parts += [arc(*pair, "bad" if pair in wrong else "good") for pair in pairs]
    where = f"places {wrong[0][0] + 1} and {wrong[0][1] + 1} do not" if wrong else "every pair does"
    why = f"Each arc must join {goal}; {where}: {label}."
    return Drawn(picture(parts, len(words) + 2, top_of(pairs), BOX + 20, why), why)


def _nested(symbols: int) -> list[tuple[int, int]]:
    """The first place with the last, the second with the last but one, .."""
    return [(i, symbols - 1 - i) for i in range(symbols // 2)]


def _states(bits: Tokens) -> list[Markup]:
    """Even or odd after each bit, as a line that changes its height at every 1."""
    level = [EVEN if sum(bits[:t]) % 2 == 0 else ODD for t in range(len(bits) + 1)]
    parts = [note(0, EVEN + 4, "even", anchor="end"), note(0, ODD + 4, "odd", anchor="end")]
    for t, bit in enumerate(bits):
        middle, x = centre(1 + t), PITCH * (1 + t)
        parts += [line((x, level[t]), (middle, level[t]), "mark"), line((middle, level[t + 1]), (x + PITCH, level[t + 1]), "mark")]
        if bit:
            parts.append(line((middle, EVEN), (middle, ODD), "mark"))
    return parts
