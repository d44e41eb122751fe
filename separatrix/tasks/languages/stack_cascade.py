"""Cascades of star-free languages, also of brackets of bounded depth, for which the general search finds none that is small enough.

    two types, at most three open    16 states: a counter of depth, a cell for each depth, and whether two brackets did not match

The counter is the same language with one type of brackets. A cell is reset by the bracket that is opened at its depth, and by what closes
there, so that it does not go stale; else it keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from separatrix.tasks.languages.automata import Automaton, numbered
from separatrix.tasks.languages.cascades import Cascade, Coordinate, Values, follow, keep_or_reset
from separatrix.tasks.languages.stacks import stack_moves

Layers = tuple[tuple[Coordinate, ...], ...]
OPEN, CLOSE, STAY = 0, 1, 2  # kinds of letters


def star_free_cascade(automaton: Automaton) -> Cascade:
    """Coordinates that keep or are reset; TooLarge if there are too many states."""
    brackets = brackets_of(automaton)
    return keep_or_reset(automaton) if brackets is None else _cascade(automaton, brackets)


@dataclass(frozen=True)
class Brackets:
    """For each letter whether it opens, closes or changes nothing, and the type of its bracket; at most `depth` are open."""

    letters: tuple[tuple[int, int], ...]
    depth: int


def brackets_of(automaton: Automaton) -> Brackets | None:
    """The brackets if the language is one of several types of them; they may have any names."""
    first = automaton.moves[0]
    stay = {a for a in range(len(first)) if all(row[a] == q for q, row in enumerate(automaton.moves))}
    dead = {q for q, row in enumerate(automaton.moves) if {*row} == {q}}
    opens = [a for a, r in enumerate(first) if a not in stay and r not in dead]
    closes = [[c for c, r in enumerate(automaton.moves[first[o]]) if r == 0 and c not in stay] for o in opens]
    if len(opens) < 2 or any(len(some) != 1 for some in closes):
        return None
    depth, q = 0, 0
    while (q := automaton.moves[q][opens[0]]) not in dead and depth < automaton.states:
        depth += 1
    kinds = {
        **dict.fromkeys(stay, (STAY, 0)),
        **{o: (OPEN, k) for k, o in enumerate(opens)},
        **{c: (CLOSE, k) for k, (c,) in enumerate(closes)},
    }
    if len(kinds) < len(first) or 1 << depth > automaton.states:
        return None
    found = Brackets(tuple(kinds[a] for a in range(len(first))), depth)
    rows = {
        q: tuple(q if kind == STAY else row[k + kind * len(opens)] for kind, k in found.letters)
        for q, row in enumerate(stack_moves(len(opens), depth))
    }
    return found if numbered(automaton.alphabet, rows, 0, {0}).moves == automaton.moves else None


def _cascade(automaton: Automaton, brackets: Brackets) -> Cascade:
    depth, letters = brackets.depth, brackets.letters
    moves = tuple((*row, q) for q, row in enumerate(stack_moves(1, depth)))  # state q: q brackets are open; the last one: never right again
    counter = keep_or_reset(Automaton(("(", ")", "-"), moves, frozenset({0})))
    layers: Layers = tuple(
        tuple(
            Coordinate(c.values, c.initial, {(z, a): c.changes[z, kind] for z, _ in c.changes for a, (kind, _) in enumerate(letters)})
            for c in layer
        )
        for layer in counter.layers
    )
    height, types = len(counter.initial), 1 + max(k for _, k in letters)

    def cell(at: int) -> Callable[[Values, int], int | None]:
        def reset(z: Values, a: int) -> int | None:
            kind, k = letters[a]
            after = counter.state_of[z] + (1 if kind == OPEN else 0)
            return None if kind == STAY or after != at else k if kind == OPEN else 0

        return reset

    def mismatch(z: Values, a: int) -> int | None:
        kind, k = letters[a]
        at = counter.state_of[z[:height]]
        return 1 if kind == CLOSE and 1 <= at <= depth and z[height + at - 1] != k else None

    layers = (*layers, tuple(_coordinate(automaton, layers, types, cell(at)) for at in range(1, depth + 1)))
    layers = (*layers, (_coordinate(automaton, layers, 2, mismatch),))
    return Cascade(automaton, layers, _states(automaton, layers))


def _coordinate(automaton: Automaton, below: Layers, values: int, reset: Callable[[Values, int], int | None]) -> Coordinate:
    """A coordinate that is first 0, from the value to which each thing that it sees resets it, or None."""
    kept, changes = tuple(range(values)), {}
    for z in _states(automaton, below):
        for a in range(len(automaton.alphabet)):
            to = reset(z, a)
            changes[z, a] = kept if to is None else (to,) * values
    return Coordinate(values, 0, changes)


def _states(automaton: Automaton, layers: Layers) -> dict[Values, int]:
    """All values that are reached together, and a state with which they are: with all layers, the state."""
    start = tuple(c.initial for layer in layers for c in layer)
    state_of, queue = {start: 0}, [start]
    for values in queue:  # grows during the loop
        for a, r in enumerate(automaton.moves[state_of[values]]):
            after = follow(layers, values, a)
            if after not in state_of:
                state_of[after] = r
                queue.append(after)
    return state_of
