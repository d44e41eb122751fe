"""Residual functions of all prefixes at once: the prefix tree with equal subtrees shared, bottom up.

[bhattamishra2024 Theorem 2]

Two prefixes may share a state of a recurrent model iff no continuation separates their answers. Level by level, from the
last token to the first, a prefix is the row of its children's classes, and equal rows are one class. A row is packed into one integer,
so that a level costs one pass over an array.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bounds.states.answers import LEAVES, about
from separatrix.errors import BadInput

MERGED_ROWS = 4096  # a level with more distinct partial rows than this is left unmerged
SLICE = 2**20  # entries handled at once: NumPy widens indices to 64 bits, which would be too large for a whole table

Ids = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Residuals:
    """Classes of prefixes per number of tokens read, and how they follow one another.

    `children[t][c, a]` is the class after token a from class c of level t, or -1 if no valid string continues this way.
    `answers[c]` is the answer code of class c of the last level.
    """

    children: tuple[NDArray[np.int64], ...]
    answers: NDArray[np.int64]

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of classes at every level, 0..tokens."""
        return (*(len(level) for level in self.children), len(self.answers))

    @property
    def partial(self) -> bool:
        """Whether some string lies outside the promise."""
        return any(bool((level < 0).any()) for level in self.children)


def residuals(table: Ids, sizes: Sequence[int]) -> Residuals:
    """Share the equal subtrees of an answer table; prefixes without a valid completion have no class."""
    flat = _checked(table, sizes)
    hole = 1 if int(flat.min()) < 0 else 0  # with a promise, id 0 means 'no valid completion'
    shifted = np.where(flat < 0, 0, flat.astype(np.int64) + 1) if hole else flat
    ids, values = _ranked(shifted, int(shifted.max()) + 1, hole)
    answers = values[hole:].astype(np.int64) - hole
    classes = len(values)
    children: list[NDArray[np.int64]] = []
    for size in reversed(sizes):
        ids, rows = shared_rows(ids.reshape(-1, size), classes, hole)
        children.append(rows[hole:].astype(np.int64) - hole)
        classes = len(rows)
    return Residuals(tuple(reversed(children)), answers)


def _checked(table: Ids, sizes: Sequence[int]) -> Ids:
    total = math.prod(sizes)
    if any(size < 1 for size in sizes) or not sizes:
        raise BadInput(f"every position needs at least one symbol, found sizes {tuple(sizes)!r:.80}")
    if total > LEAVES:
        raise BadInput(f"{about(total)} answers are above the limit of {LEAVES:,}: use a closed form or a shorter length")
    flat = np.asarray(table).reshape(-1)
    if flat.dtype.kind not in "biu" or flat.size != total:
        raise BadInput(
            f"a table for sizes {tuple(sizes)!r:.80} must hold {total:,} whole numbers, found {flat.size:,} of type {flat.dtype}"
        )
    if int(flat.max()) < 0:
        raise BadInput(f"all {total:,} answers are negative: nothing is inside the promise")
    if int(flat.max()) >= 2**62:
        raise BadInput(f"answers of a table must be below 2^62, found {int(flat.max())}")
    return flat.view(np.uint8) if flat.dtype.kind == "b" else flat.astype(np.int64) if flat.dtype.itemsize == 8 else flat


def shared_rows(rows: Ids, classes: int, hole: int) -> tuple[Ids, Ids]:
    """The class of every row of class ids, and the distinct rows in lexicographic order; row 0 is all zero if `hole`."""
    size = rows.shape[1]
    kind = np.dtype(np.int64) if classes**size > 2**32 else np.min_scalar_type(classes**size)
    code: Ids = rows[:, 0].astype(kind)
    bound = classes
    prefixes: Ids = np.arange(classes).reshape(-1, 1)  # prefixes[code] = the columns packed so far, once they were ranked
    packed = 1  # how many columns prefixes spans
    for column in range(1, size):
        if bound * classes > 2**62:
            ranks, values = _ranked(code, bound, hole)
            prefixes = _unpacked(values, prefixes, classes, column - packed)
            code, bound, packed = ranks.astype(kind), len(values), column
        code = code * kind.type(classes) + rows[:, column].astype(kind)
        bound *= classes
    ids, values = _ranked(code, bound, hole)
    return ids, _unpacked(values, prefixes, classes, size - packed)


def _unpacked(values: Ids, prefixes: Ids, classes: int, columns: int) -> Ids:
    tail: list[Ids] = []
    for _ in range(columns):
        values, digit = np.divmod(values, classes)
        tail.append(digit)
    return np.column_stack([prefixes[values], *reversed(tail)])


def _ranked(code: Ids, bound: int, hole: int) -> tuple[Ids, Ids]:
    """Ranks of integers below `bound`, and the distinct integers in order; rank 0 is reserved for the integer 0 if `hole`."""
    if bound > max(4 * code.size, 2**16):  # else a counter per possible value beats sorting
        values, inverse = np.unique(code, return_inverse=True)
        if hole and values[0] != 0:
            values, inverse = np.concatenate([np.zeros(1, values.dtype), values]), inverse + 1
        return inverse.astype(np.min_scalar_type(len(values))), values
    parts = [code[start : start + SLICE] for start in range(0, code.size, SLICE)]
    counts = np.zeros(bound, dtype=np.int64)
    for part in parts:
        counts += np.bincount(part, minlength=bound)
    counts[0] += hole
    values = np.flatnonzero(counts)
    rank_of: Ids = np.zeros(bound, dtype=np.min_scalar_type(len(values)))
    rank_of[values] = np.arange(len(values))
    ranks: Ids = np.empty(code.size, dtype=rank_of.dtype)
    for start, part in zip(range(0, code.size, SLICE), parts, strict=True):
        np.take(rank_of, part, out=ranks[start : start + SLICE], mode="clip")
    return ranks, values


def largest_domain_class(shared: Residuals) -> tuple[int, ...]:
    """Per level, the most classes with the same set of valid suffixes.

    Such classes differ on a suffix that is valid for both, so no correct model may merge any two of them: a lower bound.
    """
    domains = np.zeros(len(shared.answers), dtype=np.int64)
    most = [len(shared.answers)]
    for level in reversed(shared.children):
        known = np.where(level < 0, -1, domains[level])
        _, inverse = np.unique(known, axis=0, return_inverse=True)
        domains = np.asarray(inverse).reshape(-1)
        most.append(int(np.bincount(domains).max()))
    return tuple(reversed(most))


def merged(shared: Residuals) -> Residuals:
    """Merge classes that agree wherever both are defined, last level first; every valid string keeps its answer.

    First fit, the most defined rows first: the automaton exists, so its widths are upper bounds, but not always the least.
    """
    if not shared.partial:
        return shared
    target = np.arange(len(shared.answers))
    levels: list[NDArray[np.int64]] = []
    for level in reversed(shared.children):
        rows, inverse = np.unique(np.where(level < 0, -1, target[level]), axis=0, return_inverse=True)
        groups, group_of = first_fit(rows)
        target = group_of[np.asarray(inverse).reshape(-1)]
        levels.append(groups)
    return Residuals(tuple(reversed(levels)), shared.answers)


def first_fit(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Groups of rows that agree where both are defined, and the group of every row."""
    if len(rows) > MERGED_ROWS or not (rows < 0).any():
        return rows, np.arange(len(rows))
    groups = np.full_like(rows, -1)
    group_of = np.zeros(len(rows), dtype=np.int64)
    count = 0
    for index in np.argsort((rows < 0).sum(axis=1), kind="stable"):
        row, used = rows[index], groups[:count]
        fits = np.flatnonzero(~((used != row) & (used >= 0) & (row >= 0)).any(axis=1))
        group = int(fits[0]) if len(fits) else count
        count = max(count, group + 1)
        groups[group] = np.where(row >= 0, row, groups[group])
        group_of[index] = group
    return groups[:count].copy(), group_of
