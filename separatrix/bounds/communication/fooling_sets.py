"""Largest fooling sets: many inputs with one answer, no two of which a protocol may treat the same.

[bhattamishra2024 Definition 1; bhattamishra2024 Fact 4]

Two cells of one value clash iff both crossed cells have that value too, that is, iff they lie in one rectangle of that value. A fooling
set is a set of cells without a clash, and every rectangle of the value holds at most one of its cells. So the largest one is an integer
program with one constraint per rectangle; CP-SAT solves it or reports a bound. Its effort is counted in the solver's own
deterministic units, not in seconds, so that the same call gives the same answer on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.errors import BadInput

Cells = NDArray[np.bool_]  # [rows, columns]

SOLVED_CELLS = 3000  # with more cells of the value than this: the greedy set and a cover by rectangles, without a solver
COVERED_SIDE = 1100  # larger matrices get no cover
EFFORT = 10.0


@dataclass(frozen=True)
class FoolingCells:
    """Cells (row, column) of a fooling set, and a proven bound on the size of any for this value."""

    cells: tuple[tuple[int, int], ...]
    upper: int


def clashes(loose: Cells, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Cells:
    """Which pairs of cells a protocol might treat the same; `loose` marks cells with the value or outside the promise."""
    crossed = loose[np.ix_(rows, columns)]
    return np.asarray(crossed & crossed.T)


def largest_fooling_cells(value: Cells, known: Cells, effort: float = EFFORT, more_than: int = 0) -> FoolingCells:
    """The largest fooling set among the cells marked `value`, as far as the effort reaches.

    [bhattamishra2024 Definition 1]

    If plainly none has more than `more_than` cells, the search is skipped.
    """
    loose = value | ~known
    first_rows, first_columns = first_of_equals(loose, value), first_of_equals(loose.T, value.T)  # equal rows clash with one another
    small, small_loose = value[np.ix_(first_rows, first_columns)], loose[np.ix_(first_rows, first_columns)]
    upper = min(int(small.any(axis=1).sum()), int(small.any(axis=0).sum()))  # one cell per row and per column
    rows, columns = np.nonzero(small)
    selected = _greedy(small_loose, rows, columns)
    if len(selected) < upper > more_than:
        if len(rows) > SOLVED_CELLS:
            covered = rectangles_greedily(small, small_loose, upper)  # a fooling set has at most one cell in each
            upper = upper if covered is None else len(covered)
        else:
            selected, proven = _solved(small_loose, rows, columns, selected, effort)
            upper = min(upper, proven) if proven is not None else upper
    cells = tuple((int(first_rows[rows[k]]), int(first_columns[columns[k]])) for k in sorted(selected))
    return FoolingCells(cells, upper)


def first_of_equals(loose: Cells, value: Cells) -> NDArray[np.int64]:
    """The first of each set of equal rows, in order."""
    both = np.concatenate([loose, value], axis=1)
    _, first = np.unique(both, axis=0, return_index=True)
    return np.sort(first)


def _greedy(loose: Cells, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> list[int]:
    """Take cells in the order of how little their row and column contain of the value, unless they clash with one taken before."""
    weight = loose.sum(axis=1)[rows] * loose.sum(axis=0)[columns]
    free = np.ones(len(rows), dtype=np.bool_)
    selected: list[int] = []
    for k in np.argsort(weight, kind="stable").tolist():
        if free[k]:
            selected.append(k)
            free &= ~(loose[rows[k], columns] & loose[rows, columns[k]])
    return selected


def _solved(
    loose: Cells, rows: NDArray[np.int64], columns: NDArray[np.int64], start: list[int], effort: float
) -> tuple[list[int], int | None]:
    """The best set found, and a proven bound on all sets if the solver reached one."""
    cp_model = solver()
    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in rows]
    for clique in _cliques(loose, rows, columns):
        model.add_at_most_one([taken[k] for k in clique])
    model.maximize(sum(taken))
    hinted = set(start)
    for k, variable in enumerate(taken):
        model.add_hint(variable, k in hinted)
    search = cp_model.CpSolver()
    search.parameters.max_deterministic_time = effort
    search.parameters.num_workers = 1
    search.parameters.random_seed = 0
    if search.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return start, None  # its bound is meaningless: it stays 0
    solution = [k for k, variable in enumerate(taken) if search.value(variable)]
    upper = math.floor(search.best_objective_bound + 1e-6)  # a bound on a whole number, in floating point
    return (solution if len(solution) > len(start) else start), upper


def _cliques(loose: Cells, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Iterable[list[int]]:
    """Rectangles grown around the clashes until every clash lies in one; a large rectangle is a stronger constraint than its pairs."""
    place = np.full(loose.shape, -1, dtype=np.int64)
    place[rows, columns] = np.arange(len(rows))
    open_clashes = clashes(loose, rows, columns)
    np.fill_diagonal(open_clashes, False)
    for k in range(len(rows)):
        while open_clashes[k].any():
            other = int(np.argmax(open_clashes[k]))
            in_rows = loose[:, [columns[k], columns[other]]].all(axis=1)
            in_columns = loose[in_rows].all(axis=0)
            inside = place[np.ix_(in_rows, in_columns)].ravel()
            clique = inside[inside >= 0]
            open_clashes[np.ix_(clique, clique)] = False
            yield clique.tolist()


def rectangles_greedily(value: Cells, loose: Cells, most: int) -> list[tuple[Cells, Cells]] | None:
    """Rectangles (rows, columns) that cover all cells of the value, if `most` are enough for a greedy search."""
    if max(value.shape) > COVERED_SIDE:
        return None
    left = value.astype(np.float32)  # 1 where uncovered; a product with a mask of columns counts what each row would cover
    rectangles: list[tuple[Cells, Cells]] = []
    while left.any():
        if len(rectangles) == most:
            return None
        rectangles.append(_wide_rectangle(left, loose))
        left[np.ix_(*rectangles[-1])] = 0
    return rectangles


def _wide_rectangle(left: NDArray[np.float32], loose: Cells) -> tuple[Cells, Cells]:
    """Repeatedly add the row that preserves most uncovered cells; return the best rectangle along the way."""
    rows, columns = np.zeros(left.shape[0], dtype=np.bool_), np.ones(left.shape[1], dtype=np.bool_)
    best, most = (rows, columns), 0
    for _ in range(len(rows)):
        gained = np.where(rows, -1, left @ columns)
        row = int(np.argmax(gained))
        if gained[row] <= 0:
            break
        rows, columns = rows.copy(), columns & loose[row]
        rows[row] = True
        covered = int((left @ columns)[rows].sum())
        if covered > most:
            best, most = (rows, columns), covered
    return best


def solver() -> Any:
    """The CP-SAT module, imported when it is first needed."""
    try:
        return import_module("ortools.sat.python.cp_model")
    except ImportError:
        raise BadInput("a largest fooling set needs ortools, which is not installed: pip install 'separatrix[bounds]'") from None
