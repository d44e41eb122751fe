"""The state profile of a task that is scored at several tokens: answers due along the way separate prefixes too.

[bhattamishra2024 Theorem 2]

    x_1 .. x_h # x_1 .. x_h      two halves lead to two answers right after the first i common symbols

After t tokens a model has given the answers due so far and must still give later ones, whatever valid input follows. Two prefixes are
apart if they owe different answers now, or if some token leads both to prefixes that are apart. Prefixes that are pairwise apart need
different states: a lower bound. Prefixes that agree wherever both are defined may be merged: an upper bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.states.profile import StateProfile
from separatrix.bounds.states.residuals import first_fit
from separatrix.errors import BadInput

COMPARED = 4096  # most classes of one level that are compared in pairs

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Level:
    """Classes of prefixes after some tokens: the answer each owes now (-1: none), and its class after each further token (-1: none)."""

    due: Integers  # [classes]
    children: Integers  # [classes, symbols]


def profile_along(strings: Sequence[Sequence[int]], due: Sequence[Sequence[int]]) -> StateProfile:
    """The profile of valid strings of one length; `due[r][t]` is the answer due at token t of string r, -1 for none."""
    levels = classes_along(np.array(strings, dtype=np.int64), np.array(due, dtype=np.int64))
    method = "counted: answers along the way; lower = prefixes apart in pairs, upper = compatible prefixes merged first fit"
    return StateProfile(_apart(levels), _merged(levels), method)


def classes_along(strings: Integers, due: Integers) -> list[Level]:
    """Prefixes that owe the same answers, now and later, form one class; level t is after t tokens."""
    count, n = strings.shape
    if len(np.unique(strings, axis=0)) != count:
        raise BadInput("every string must occur exactly once")
    symbols = int(strings.max()) + 1
    owed = np.concatenate([np.full((count, 1), -1, dtype=np.int64), due], axis=1)  # owed[:, t]: after t tokens
    below = np.full(count, -1, dtype=np.int64)  # the class of every string one level down
    levels: list[Level] = []
    for t in reversed(range(n + 1)):
        _, first, prefix = np.unique(strings[:, :t], axis=0, return_index=True, return_inverse=True) if t else (0, np.array([0]), 0)
        prefix = np.broadcast_to(np.asarray(prefix).reshape(-1), (count,))
        rows = np.full((len(first), 1 + symbols), -1, dtype=np.int64)
        rows[:, 0] = owed[first, t]
        if (owed[:, t] != rows[prefix, 0]).any():
            raise BadInput(f"what is due at token {t} must follow from the {t} tokens read, found two answers after the same ones")
        if t < n:
            rows[prefix, 1 + strings[:, t]] = below
        distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
        below = np.asarray(inverse).reshape(-1)[prefix]
        levels.append(Level(distinct[:, 0], distinct[:, 1:]))
    return levels[::-1]


def _apart(levels: list[Level]) -> tuple[int, ...]:
    """Per level a set of pairwise separated classes, chosen greedily."""
    sizes: list[int] = []
    after: NDArray[np.bool_] = np.zeros((0, 0), dtype=np.bool_)
    for level in reversed(levels):
        if len(level.due) > COMPARED:
            raise BadInput(f"{len(level.due):,} classes of prefixes are too many to compare in pairs: choose a shorter length")
        owes = level.due >= 0
        apart = (level.due[:, None] != level.due) & owes[:, None] & owes
        for child in level.children.T if len(after) else ():
            both = (child >= 0)[:, None] & (child >= 0)
            apart |= both & after[np.ix_(child, child)]
        sizes.append(_clique(apart))
        after = apart
    return tuple(reversed(sizes))


def _clique(apart: NDArray[np.bool_]) -> int:
    free = np.ones(len(apart), dtype=np.bool_)
    size = 0
    for c in np.argsort(-apart.sum(axis=1), kind="stable").tolist():
        if free[c]:
            size += 1
            free &= apart[c]
    return size


def _merged(levels: list[Level]) -> tuple[int, ...]:
    """Per level the groups of a merging that one machine can follow throughout."""
    widths: list[int] = []
    group_of: Integers = np.zeros(0, dtype=np.int64)
    for level in reversed(levels):
        further = np.where(level.children >= 0, group_of[level.children], -1) if len(group_of) else level.children
        groups, group_of = first_fit(np.column_stack([level.due, further]))
        widths.append(len(groups))
    return tuple(reversed(widths))
