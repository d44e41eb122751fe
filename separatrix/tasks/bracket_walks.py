"""Compiled walks over bracket strings: draw members of Dyck-(n, k), corrupt them, decide membership.

The bracket of type a is a when it opens and n + a when it closes. Imported only where a sampler runs: numba takes a while.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from separatrix.tasks.compiled_counter import HALF, below, below_low, stream, word

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


@njit(cache=True)
def members(tokens: Integers, types: int, depth: int) -> Integers:
    """1 for every row that is a member of Dyck-(types, depth), else 0."""
    found, stack = np.empty(len(tokens), dtype=np.int64), np.empty(depth, dtype=np.int64)
    for r in range(len(tokens)):
        found[r] = is_member(tokens[r], types, depth, stack)
    return found


@njit(cache=True)
def is_member(row: Integers, types: int, depth: int, stack: Integers) -> int:
    """Whether one string is well matched and never deeper than `depth`."""
    height = 0
    for bracket in row:
        if bracket < types:
            if height == depth:
                return 0
            stack[height] = bracket
            height += 1
        elif height == 0 or stack[height - 1] != bracket - types:
            return 0
        else:
            height -= 1
    return 1 if height == 0 else 0


@njit(cache=True)
def draw_members(key: np.uint64, first: int, odds: Words, types: int, depth: int, tokens: Integers) -> None:
    """Fill the rows with members, bracket t from draw t: its high half says open or close, its low half the type that opens.

    `odds[height, left] / 2^32` is the probability of opening where both are possible with `left` brackets to come.
    """
    stack, N = np.empty(depth + 1, dtype=np.int64), tokens.shape[1]
    for r in range(len(tokens)):
        start, height = stream(key, first + r), 0
        for t in range(N):
            drawn = word(start, t + 1)
            if height == 0 or (height < depth and height < N - t and (drawn >> HALF) < odds[height, N - t]):
                tokens[r, t] = stack[height] = below_low(drawn, types)
                height += 1
            else:
                height -= 1
                tokens[r, t] = types + stack[height]


@njit(cache=True)
def corrupt(key: np.uint64, first: int, most: int, types: int, depth: int, labels: Integers, tokens: Integers) -> None:
    """Make the rows with label 0 non-members: change 1..most brackets, and again from the same string while it is a member."""
    N = tokens.shape[1]
    member, stack = np.empty(N, dtype=np.int64), np.empty(depth, dtype=np.int64)
    for r in range(len(tokens)):
        if labels[r] == 1:
            continue
        start, draw, row = stream(key, first + r), N + 1, tokens[r]
        member[:] = row
        while is_member(row, types, depth, stack):
            row[:] = member
            changes = 1 + below(word(start, draw), most)
            draw += 1
            while changes > 0:
                drawn = word(start, draw)
                draw += 1
                place = below(drawn, N)
                if row[place] == member[place]:  # else the place was met before: every change changes
                    row[place] = changed(member[place], drawn, types)
                    changes -= 1


@njit(cache=True)
def changed(bracket: np.int64, drawn: np.uint64, types: int) -> np.int64:
    """With probability 1/2 another type, else the other direction; with a single type always the latter."""
    choice = below_low(drawn, 2 * (types - 1)) if types > 1 else types
    if choice < types - 1:
        side = bracket // types * types
        return side + (bracket - side + 1 + choice) % types
    return bracket + types if bracket < types else bracket - types
