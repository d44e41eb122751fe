"""Hidden units that share a direction: relu(c x + b) for several (c, b) and one linear form x of the stream.

Their sum is a piecewise linear function of one number, whose extremes over an interval lie at its ends and at the bends between them.
Bounded one by one, the units of a step would add up to [1/2, 3/2] where the step is 1.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from separatrix.checker.numbers.values import Array


@dataclass(frozen=True, eq=False)
class Direction:
    """Units `units` with inner weights c_u times `form`."""

    form: Array
    units: list[int]
    factors: list[int] | list[float]


def float_directions(inner: Array) -> list[Direction]:
    """Rows of one direction together: each is c times the form up to 2^-52 of its entries."""
    found: dict[bytes, Direction] = {}
    for unit, row in enumerate(inner):
        top = float(row[int(np.abs(row).argmax())])
        form = row / top + 0.0 if top else np.zeros(len(row))  # + 0.0 makes -0.0 into 0.0
        _put(found, form.tobytes(), form, unit, top)
    return list(found.values())


def whole_directions(inner: Array) -> list[Direction]:
    """Rows of integers: each is exactly c times the form, whose entries have no common divisor."""
    found: dict[bytes, Direction] = {}
    for unit, row in enumerate(inner):
        entries = [int(v) for v in row]
        divisor = math.gcd(*entries)
        lead = next((v for v in entries if v), 0)
        factor = divisor if lead >= 0 else -divisor
        form = np.array([v // factor if factor else 0 for v in entries] + [None], dtype=object)[:-1]
        _put(found, repr([*form]).encode(), form, unit, factor)
    return list(found.values())


def _put(found: dict[bytes, Direction], key: bytes, form: Array, unit: int, factor: float) -> None:
    direction = found.setdefault(key, Direction(form, [], []))
    direction.units.append(unit)
    direction.factors.append(factor)  # type: ignore[arg-type]


def by_output(outer: Array, units: list[int]) -> dict[int, list[int]]:
    """For each output that some of these units reach, those that do."""
    found: dict[int, list[int]] = defaultdict(list)
    for unit in units:
        for output in np.flatnonzero(outer[:, unit]).tolist():
            found[output].append(unit)
    return found
