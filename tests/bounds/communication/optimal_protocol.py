"""The exact deterministic communication complexity of a small matrix, by dynamic programming over rectangles.

[bhattamishra2024 Appendix B.1]

A protocol is a tree: whoever speaks splits the rows, or the columns, of the rectangle that both know they are in, until it has one
answer. The least depth of such a tree is the complexity; both parties know the answer at the end.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.errors import BadInput

LARGEST_SIDE = 8


def optimal_bits(entries: NDArray[np.integer[Any]]) -> int:
    """Bits of the best two-way protocol for a matrix with at most 8 distinct rows and columns."""
    matrix = np.unique(np.unique(entries, axis=0), axis=1)
    rows, columns = matrix.shape
    if max(rows, columns) > LARGEST_SIDE:
        raise BadInput(
            f"the search for the best protocol takes at most {LARGEST_SIDE} distinct rows and columns, found {rows} and {columns}"
        )
    values = {int(value): place for place, value in enumerate(np.unique(matrix))}
    # marks[v][i]: the columns, as bits, at which row i has value v
    marks = [[sum(1 << j for j in range(columns) if values[int(matrix[i, j])] == v) for i in range(rows)] for v in range(len(values))]

    def one_answer(row_set: int, column_set: int) -> bool:
        first = (row_set & -row_set).bit_length() - 1
        return any(
            mark[first] & column_set == column_set and all(mark[i] & column_set == column_set for i in range(rows) if row_set >> i & 1)
            for mark in marks
        )

    @cache
    def within(row_set: int, column_set: int, depth: int) -> bool:
        """Whether `depth` bits are enough inside this rectangle."""
        if one_answer(row_set, column_set):
            return True
        if depth == 0:
            return False
        by_rows = any(within(part, column_set, depth - 1) and within(row_set ^ part, column_set, depth - 1) for part in _halves(row_set))
        return by_rows or any(
            within(row_set, part, depth - 1) and within(row_set, column_set ^ part, depth - 1) for part in _halves(column_set)
        )

    depth = 0
    while not within(2**rows - 1, 2**columns - 1, depth):
        depth += 1
    return depth


def _halves(members: int) -> list[int]:
    """The proper subsets that contain the lowest member: every split into two, once."""
    lowest = members & -members
    rest = members ^ lowest
    parts, part = [], rest
    while part:
        part = (part - 1) & rest
        parts.append(part | lowest)
    return parts
