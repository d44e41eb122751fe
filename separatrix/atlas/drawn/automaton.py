"""A finite automaton as circles in a row: moves to the right above, moves to the left below."""

from __future__ import annotations

from collections import defaultdict

from markupsafe import Markup

from separatrix.atlas.drawn.strip import centre, note, picture, rise
from separatrix.tasks.languages.automata import Automaton

APART = 2.2  # columns from one state to the next
RADIUS, EDGE = 15, 12.0  # of a state; how far above its middle a move leaves it
SIDE, BASE, LOOP = 10, 5, 48  # how far beside its middle, and the form of a loop
MARGIN = 0.3  # columns at both sides: the arrow at the start needs room


def states_and_moves(automaton: Automaton, label: str) -> Markup:
    """All states except the sink, which is left out with the moves that lead there."""
    shown = [q for q in range(automaton.states) if q not in dead(automaton)]
    at = {q: MARGIN + APART * i for i, q in enumerate(shown)}
    moves: dict[tuple[int, int], list[str]] = defaultdict(list)
    for q in shown:
        for symbol, r in zip(automaton.alphabet, automaton.moves[q], strict=True):
            if r in at:
                moves[q, r].append(symbol)
    parts = [part for q, r in moves for part in _move(at[q], at[r])]
    parts += [_named(at[q], at[r], " ".join(symbols)) for (q, r), symbols in moves.items()]  # last, so that no curve crosses them
    parts += [part for q in shown for part in _state(at[q], str(q), q in automaton.accepting)]
    spans = [at[r] - at[q] for q, r in moves]
    right, left = max([0.0, *spans]), -min([0.0, *spans])
    above, below = (RADIUS + rise(span) + 22 if span else RADIUS + 4 for span in (right, left))
    loops = LOOP + 6 if 0.0 in spans else 0
    return picture(parts, APART * (len(shown) - 1) + 1 + 2 * MARGIN, -max(above, loops), below, label)


def dead(automaton: Automaton) -> set[int]:
    """States from which no word is accepted; a minimal automaton has at most one."""
    return {q for q, row in enumerate(automaton.moves) if q not in automaton.accepting and all(r == q for r in row)}


def _state(column: float, name: str, accepts: bool) -> list[Markup]:
    x = centre(column)
    ring = Markup('<circle class="ring {}" cx="{:g}" cy="0" r="{}"/>').format("good" if accepts else "", x, RADIUS)
    inner = [Markup('<circle class="ring good" cx="{:g}" cy="0" r="{}"/>').format(x, RADIUS - 4)] if accepts else []
    start = [Markup('<path class="head" d="M {:g} 0 l -7 -4 v 8 z"/>').format(x - RADIUS - 1)] if name == "0" else []
    return [ring, *inner, *start, note(column, 5, name, "")]


def _move(one: float, other: float) -> list[Markup]:
    """A loop, an arc above to the right, or an arc below to the left."""
    if one == other:
        return _curve((centre(one) - BASE, -EDGE), (centre(one) + BASE, -EDGE), -LOOP)
    up = -1 if other > one else 1
    side = -SIDE * up  # the two directions leave and arrive on different sides, and clear of loops
    return _curve((centre(one) + side, up * EDGE), (centre(other) - side, up * EDGE), up * (RADIUS + 4 / 3 * rise(other - one)))


def _named(one: float, other: float, symbols: str) -> Markup:
    """The symbols of a move, at its peak."""
    if one == other:
        return note(one, -0.75 * LOOP - 10, symbols, "")
    up = -1 if other > one else 1
    peak = up * (0.75 * (RADIUS + 4 / 3 * rise(other - one)) + 0.25 * EDGE)
    return note((one + other) / 2, peak + (-5 if up < 0 else 14), symbols, "")


def _curve(start: tuple[float, float], end: tuple[float, float], lift: float) -> list[Markup]:
    """A curve that leaves upwards or downwards, comes back the same way, and ends in an arrow."""
    (a, y), (b, _), away = start, end, 8 if lift > 0 else -8
    path = Markup('<path class="arc" d="M {:g} {:g} C {:g} {:g} {:g} {:g} {:g} {:g}"/>').format(a, y, a, lift, b, lift, b, y + away)
    return [path, Markup('<path class="head" d="M {:g} {:g} l -4 {} h 8 z"/>').format(b, y, away)]
