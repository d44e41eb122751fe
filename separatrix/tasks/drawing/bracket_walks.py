"""Walks over bracket strings: draw members of Dyck-(n, k), corrupt them, decide membership. All rows take a step at a time.

The bracket of type a is a when it opens and n + a when it closes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from separatrix.kernels import with_compiled_twin
from separatrix.tasks.drawing.counter import HALF, Words, below, below_low, streams, word

Integers = npt.NDArray[np.int64]
TWINS = "separatrix.tasks.drawing.compiled_bracket_walks"


@with_compiled_twin(TWINS)
def draw_examples(key: np.uint64, first: int, odds: Words, types: int, depth: int, most: int, tokens: Integers) -> Integers:
    """Fill the rows with members, turn those chosen by draw 0 into non-members by 1..most changes, and return the labels."""
    starts = streams(key, first, len(tokens))
    _draw_members(starts, odds, types, depth, tokens)
    labels = 1 - below(word(starts, 0), 2)
    outside = labels == 0
    tokens[outside] = _corrupted(starts[outside], most, types, depth, tokens[outside])
    return labels


@with_compiled_twin(TWINS)
def draw_members(key: np.uint64, first: int, odds: Words, types: int, depth: int, tokens: Integers) -> None:
    """Fill the rows with members."""
    _draw_members(streams(key, first, len(tokens)), odds, types, depth, tokens)


@with_compiled_twin(TWINS)
def members(tokens: Integers, types: int, depth: int) -> Integers:
    """1 for every row that is a member of Dyck-(types, depth), else 0."""
    rows, height, inside = np.arange(len(tokens)), np.zeros(len(tokens), dtype=np.int64), np.ones(len(tokens), dtype=bool)
    stack = np.full((len(tokens), depth + 2), -1)  # below the first bracket, and above the deepest one allowed, lies nothing that matches
    for bracket in tokens.T:
        opens = bracket < types
        inside &= np.where(opens, height < depth, stack[rows, height] == bracket - types)
        height = np.where(inside, height + np.where(opens, 1, -1), 0)
        stack[rows[opens], height[opens]] = bracket[opens]
        stack[:, 0] = -1
    inside &= height == 0
    return inside.astype(np.int64)


def _draw_members(starts: Words, odds: Words, types: int, depth: int, tokens: Integers) -> None:
    """Bracket t from draw t: its high half says open or close, its low half the type that opens.

    `odds[height, t - 1] / 2^32` is the probability that bracket t opens where it may open or close.
    """
    (count, N), rows = tokens.shape, np.arange(len(tokens))
    height, stack = np.zeros(count, dtype=np.int64), np.empty((count, depth + 1), dtype=np.int64)
    for t in range(N):
        drawn = word(starts, t + 1)
        may = (height < depth) & (height < N - t)
        opens = (height == 0) | (may & ((drawn >> HALF) < odds[np.minimum(height, len(odds) - 1), t]))
        stack[rows[opens], height[opens]] = below_low(drawn[opens], types)
        height += np.where(opens, 1, -1)
        tokens[:, t] = np.where(opens, stack[rows, height - opens], types + stack[rows, height])


def _corrupted(starts: Words, most: int, types: int, depth: int, member: Integers) -> Integers:
    """Change 1..most brackets of each member, retrying from the same string while the result is still a member."""
    changed, draw, again = member.copy(), np.full(len(member), member.shape[1] + 1), np.arange(len(member))
    while len(again):
        changed[again] = member[again]
        left = 1 + below(word(starts[again], draw[again]), most)
        draw[again] += 1
        while left.any():
            at = again[left > 0]
            drawn = word(starts[at], draw[at])
            draw[at] += 1
            place = below(drawn, member.shape[1])
            counts = changed[at, place] == member[at, place]  # else the place has changed already: every change must count
            changed[at[counts], place[counts]] = _other(member[at[counts], place[counts]], drawn[counts], types)
            left[left > 0] -= counts
        again = again[members(changed[again], types, depth) == 1]
    return changed


def _other(bracket: Integers, drawn: Words, types: int) -> Integers:
    """With probability 1/2 another type, else the other direction; with a single type always the latter."""
    turned = np.where(bracket < types, bracket + types, bracket - types)
    if types == 1:
        return turned
    choice, side = below_low(drawn, 2 * (types - 1)), bracket // types * types
    return np.where(choice < types - 1, side + (bracket - side + 1 + choice) % types, turned)
