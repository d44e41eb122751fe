"""Covers by rectangles: why no fooling set is larger.

[bhattamishra2024 Definition 1; bhattamishra2024 Fact 4]

A fooling set has at most one cell in a rectangle whose cells have the value or lie outside the promise. So if weighted rectangles
cover every cell of the value with a sum of at least D, no fooling set has more cells than the sum of all weights over D. D = 1 is a
plain cover. A solver may search for one; its result is checked by adding up, here and again by every reader of the certificate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from separatrix.bounds.communication.fooling_sets import EFFORT, Cells, first_of_equals, rectangles_greedily, solver

POOL = 4096  # maximal rectangles among which a cover is searched
DENOMINATORS = (1, 2, 3)
SIDE = 63  # rows and columns of a matrix whose maximal rectangles are listed


@dataclass(frozen=True)
class Rectangle:
    """Rows times columns, with a weight."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    weight: int = 1


@dataclass(frozen=True)
class Cover:
    """Rectangles whose weights add up to at least the denominator on every cell of the value."""

    denominator: int
    rectangles: tuple[Rectangle, ...]

    @property
    def upper(self) -> int:
        """An upper bound on the cells of any fooling set for the value."""
        return sum(rectangle.weight for rectangle in self.rectangles) // self.denominator

    def covers(self, value: Cells, known: Cells) -> bool:
        """Whether it is a cover: no rectangle contains a cell of another answer, and every cell of the value is covered."""
        loose, covered = value | ~known, np.zeros(value.shape, dtype=np.int64)
        for rectangle in self.rectangles:
            block = np.ix_(rectangle.rows, rectangle.columns)
            if rectangle.weight < 1 or not loose[block].all():
                return False
            covered[block] += rectangle.weight
        return bool((covered[value] >= self.denominator).all())


def rectangle_cover(value: Cells, known: Cells, size: int, effort: float = EFFORT) -> Cover | None:
    """A cover that excludes fooling sets of more than `size` cells; None if none was found."""
    loose = value | ~known
    rows, columns = first_of_equals(loose, value), first_of_equals(loose.T, value.T)
    small_cover = _small_cover(value[np.ix_(rows, columns)], loose[np.ix_(rows, columns)], size, effort)
    if small_cover is None:
        return None
    like_row, like_column = _equals(loose, value, rows), _equals(loose.T, value.T, columns)
    grown = tuple(
        Rectangle(_members(like_row, r.rows), _members(like_column, r.columns), r.weight) for r in small_cover.rectangles
    )  # equal rows are covered in the same way
    cover = Cover(small_cover.denominator, grown)
    assert cover.covers(value, known), "a rectangle cover misses a cell"
    assert cover.upper <= size, "a rectangle cover gives too weak a bound"
    return cover


def _small_cover(value: Cells, loose: Cells, size: int, effort: float) -> Cover | None:
    greedy = rectangles_greedily(value, loose, size)
    if greedy is not None:
        return Cover(1, tuple(Rectangle(_places(rows), _places(columns)) for rows, columns in greedy))
    if max(value.shape) > SIDE:
        return None
    pool = maximal_rectangles(loose)
    for denominator in DENOMINATORS:
        weights = _weights(value, pool, denominator, (size + 1) * denominator - 1, effort)
        if weights is not None:
            rectangles = (Rectangle(*block, weight) for block, weight in zip(pool, weights, strict=True) if weight)
            return Cover(denominator, tuple(rectangles))
    return None


def maximal_rectangles(loose: Cells) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Rows and columns of the maximal rectangles of loose cells; only the first of them if there are very many.

    Their sets of columns are the intersections of rows.
    """
    masks = [sum(1 << int(c) for c in np.flatnonzero(row)) for row in loose]
    closed: dict[int, None] = {}
    for mask in masks:
        for other in [*closed, (1 << loose.shape[1]) - 1]:
            if len(closed) < POOL and mask & other:
                closed[mask & other] = None
    blocks = []
    for columns in closed:
        rows = tuple(r for r, mask in enumerate(masks) if mask & columns == columns)
        blocks.append((rows, tuple(c for c in range(loose.shape[1]) if columns >> c & 1)))
    return blocks


def _weights(
    value: Cells, pool: list[tuple[tuple[int, ...], tuple[int, ...]]], denominator: int, most: int, effort: float
) -> list[int] | None:
    """Integer weights that cover every cell of the value with the denominator and add up to at most `most`."""
    cp_model = solver()
    model = cp_model.CpModel()
    weights = [model.new_int_var(0, denominator, "") for _ in pool]
    over: dict[tuple[int, int], list[int]] = {(int(r), int(c)): [] for r, c in np.argwhere(value)}
    for number, (rows, columns) in enumerate(pool):
        for cell in ((r, c) for r in rows for c in columns):
            if cell in over:
                over[cell].append(number)
    for numbers in over.values():
        model.add(sum(weights[number] for number in numbers) >= denominator)
    model.add(sum(weights) <= most)
    search = cp_model.CpSolver()
    search.parameters.max_deterministic_time = effort
    search.parameters.num_workers = 1
    search.parameters.random_seed = 0
    if search.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [int(search.value(weight)) for weight in weights]


def _equals(loose: Cells, value: Cells, first: np.ndarray) -> dict[int, list[int]]:
    """For the number of each remaining row, all rows equal to it."""
    both = np.concatenate([loose, value], axis=1)
    return {number: np.flatnonzero((both == both[row]).all(axis=1)).tolist() for number, row in enumerate(first.tolist())}


def _members(like: dict[int, list[int]], numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(member for number in numbers for member in like[number]))


def _places(marked: Cells) -> tuple[int, ...]:
    return tuple(int(place) for place in np.flatnonzero(marked))
