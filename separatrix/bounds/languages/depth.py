"""The least number of layers of keep-or-reset coordinates that recognise a language.

    0 layers: what the last letter decides     over two letters, of the 4,098 star-free languages of at most 4 states: 8, 20, 1,424, 2,646

A coordinate that keeps on a set K of letters and is otherwise reset knows at most the last letter outside K. All of them together know in
which order the letters occurred last, and nothing more. So the largest layer over an alphabet lists its letters by their last occurrence,
and the largest layer above it does the same with pairs (letter, lists before it). A language has depth d iff the lists of d layers after
the last letter, and that letter, decide membership.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from separatrix.tasks.languages.automata import Automaton

MOST_LISTS = 20_000  # reachable lists of a stack of layers; beyond that the depth is not said
DEEPEST = 3


def least_depth(automaton: Automaton, deepest: int = DEEPEST) -> int | None:
    """The least depth at which the language is recognised; None if it is more than `deepest`, or too large to say."""
    for depth in range(deepest + 1):
        stack = universal_stack(len(automaton.alphabet), depth)
        if stack is None:
            return None
        if _decides(automaton, stack):
            return depth
    return None


@lru_cache(maxsize=32)
def universal_stack(letters: int, depth: int) -> tuple[tuple[int, ...], ...] | None:
    """The moves of the stack of so many largest layers, from state 0; None if it has too many states."""
    start: tuple[Any, ...] = ((),) * depth
    number, queue, rows = {start: 0}, [start], []
    for lists in queue:  # grows during the loop
        row = []
        for letter in range(letters):
            after, seen = [], letter
            for listed in lists:
                after.append((seen, *(x for x in listed if x != seen)))
                seen = (letter, *lists[: len(after)])  # type: ignore[assignment]
            key = tuple(after)
            if key not in number:
                number[key] = len(number)
                queue.append(key)
            row.append(number[key])
        rows.append(tuple(row))
        if len(queue) > MOST_LISTS:
            return None
    return tuple(rows)


def _decides(automaton: Automaton, stack: tuple[tuple[int, ...], ...]) -> bool:
    """Whether the state of the stack after a letter, and the letter, determine membership; at the start there is no letter yet."""
    answers: dict[tuple[int, int], bool] = {}
    met, queue = {(0, 0)}, [(0, 0)]
    for state, q in queue:  # grows during the loop
        for letter, r in enumerate(automaton.moves[q]):
            pair = (stack[state][letter], r)
            inside = r in automaton.accepting
            if answers.setdefault((pair[0], letter), inside) != inside:
                return False
            if pair not in met:
                met.add(pair)
                queue.append(pair)
    return True
