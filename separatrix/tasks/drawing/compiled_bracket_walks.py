"""`bracket_walks`, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from separatrix.tasks.drawing.compiled_counter import below, below_low, stream, word
from separatrix.tasks.drawing.counter import HALF

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


@njit(cache=True)
def draw_examples(key: np.uint64, first: int, odds: Words, types: int, depth: int, most: int, tokens: Integers) -> Integers:
    """Fill the rows with members, turn those chosen by draw 0 into non-members by 1..most changes, and return the labels."""
    labels, drawn, stack = np.empty(len(tokens), dtype=np.int64), np.empty(tokens.shape[1], dtype=np.uint64), np.empty(depth + 1, np.int64)
    for r in range(len(tokens)):
        start = stream(key, first + r)
        draw_member(start, odds, types, depth, drawn, stack, tokens[r])
        labels[r] = 1 - below(word(start, 0), 2)
        if labels[r] == 0:
            corrupt(start, most, types, depth, stack, tokens[r])
    return labels


@njit(cache=True)
def draw_members(key: np.uint64, first: int, odds: Words, types: int, depth: int, tokens: Integers) -> None:
    """Fill the rows with members."""
    drawn, stack = np.empty(tokens.shape[1], dtype=np.uint64), np.empty(depth + 1, dtype=np.int64)
    for r in range(len(tokens)):
        draw_member(stream(key, first + r), odds, types, depth, drawn, stack, tokens[r])


@njit(cache=True)
def draw_member(start: np.uint64, odds: Words, types: int, depth: int, drawn: Words, stack: Integers, row: Integers) -> None:
    """Bracket t from draw t: its high half says open or close, its low half the type that opens.

    `odds[height, t - 1] / 2^32` is the probability that bracket t opens where it may open or close.
    """
    N, height = len(row), 0
    for t in range(N):
        drawn[t] = word(start, t + 1)
    if depth == 2:
        draw_two_deep(odds[1], types, drawn, row)
        return
    for t in range(N):
        if height == 0 or (height < depth and height < N - t and (drawn[t] >> HALF) < odds[height, t]):
            row[t] = stack[height] = below_low(drawn[t], types)
            height += 1
        else:
            height -= 1
            row[t] = types + stack[height]


@njit(cache=True)
def draw_two_deep(odds: Words, types: int, drawn: Words, row: Integers) -> None:
    """The same for depth 2: between the first bracket and the last, brackets come in twos, a pair inside the outer bracket,
    or the end of it and the beginning of the next. Selected by masks: branch prediction would fail every third time."""
    half, outer = len(row) // 2, below_low(drawn[0], types)
    row[0] = outer
    for i in range(half - 1):
        inner, following = below_low(drawn[2 * i + 1], types), below_low(drawn[2 * i + 2], types)
        inside = -np.int64((drawn[2 * i + 1] >> HALF) < odds[2 * i + 1])  # all ones, or zero
        row[2 * i + 1] = (inner & inside) | ((types + outer) & ~inside)
        row[2 * i + 2] = ((types + inner) & inside) | (following & ~inside)
        outer = (outer & inside) | (following & ~inside)
    row[-1] = types + outer


@njit(cache=True)
def corrupt(start: np.uint64, most: int, types: int, depth: int, stack: Integers, row: Integers) -> None:
    """Change 1..most brackets of a member, retrying from the same string while the result is still a member."""
    member, draw, is_out = row.copy(), len(row) + 1, False
    while not is_out:
        row[:] = member
        changes = 1 + below(word(start, draw), most)
        draw += 1
        while changes > 0:
            drawn = word(start, draw)
            draw += 1
            place = below(drawn, len(row))
            if row[place] == member[place]:  # else the place has changed already: every change must count
                row[place] = changed(member[place], drawn, types)
                changes -= 1
        is_out = not is_member(row, types, depth, stack)


@njit(cache=True)
def changed(bracket: np.int64, drawn: np.uint64, types: int) -> np.int64:
    """With probability 1/2 another type, else the other direction; with a single type always the latter."""
    choice = below_low(drawn, 2 * (types - 1)) if types > 1 else types
    if choice < types - 1:
        side = bracket // types * types
        return side + (bracket - side + 1 + choice) % types
    return bracket + types if bracket < types else bracket - types


@njit(cache=True)
def members(tokens: Integers, types: int, depth: int) -> Integers:
    """1 for every row that is a member of Dyck-(types, depth), else 0."""
    inside, stack = np.empty(len(tokens), dtype=np.int64), np.empty(depth, dtype=np.int64)
    for r in range(len(tokens)):
        inside[r] = is_member(tokens[r], types, depth, stack)
    return inside


@njit(cache=True)
def is_member(row: Integers, types: int, depth: int, stack: Integers) -> bool:
    """Whether one string is well matched and never deeper than `depth`."""
    height = 0
    for bracket in row:
        if bracket < types:
            if height == depth:
                return False
            stack[height] = bracket
            height += 1
        elif height == 0 or stack[height - 1] != bracket - types:
            return False
        else:
            height -= 1
    return height == 0
