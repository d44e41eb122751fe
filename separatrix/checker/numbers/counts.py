"""Sums of boxes over parts of which so many hold: bounds for every count.

Let part i add between l_i and h_i where it does not hold, and between l'_i and h'_i where it does. Over all inputs on which exactly k parts
hold, the sum lies between sum l_i plus the k smallest l'_i - l_i, and sum h_i plus the k largest h'_i - h_i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.formats import Numbers


@dataclass(frozen=True, eq=False)
class Steps:
    """The values of one token, where its predicate does not hold and where it does: the ends of two boxes, [values] each."""

    low: tuple[Array, Array]
    high: tuple[Array, Array]

    @classmethod
    def of(cls, ops: Numbers, off: Box, on: Box) -> Steps:
        """From the two boxes; integers of any size in exact formats, so that sums of them do not overflow."""
        if ops.exact:
            off, on = (Box(box.low.astype(object), box.high.astype(object)) for box in (off, on))
        return cls((off.low, on.low), (off.high, on.high))

    def plus(self, other: Steps) -> Steps:
        """Two tokens that show the same predicate."""
        low, high = (tuple(a + b for a, b in zip(*ends, strict=True)) for ends in ((self.low, other.low), (self.high, other.high)))
        return Steps((low[0], low[1]), (high[0], high[1]))


def sums(ops: Numbers, steps: list[Steps], others: list[Box], width: int) -> Box:
    """The sum of all values where k parts hold, for k = 0, 1, .., and of the boxes of all others."""
    kind = object if ops.exact else np.float64

    def rows(some: list[Array]) -> Array:
        return np.array(some, dtype=kind).reshape(-1, width)

    low = rows([box.low for box in others] + [each.low[0] for each in steps]).sum(axis=0)
    high = rows([box.high for box in others] + [each.high[0] for each in steps]).sum(axis=0)
    up = np.sort(rows([each.low[1] - each.low[0] for each in steps]), axis=0)
    far = np.sort(rows([each.high[1] - each.high[0] for each in steps]), axis=0)[::-1]
    none = np.zeros((1, width), dtype=kind)
    return Box(low + np.concatenate([none, up.cumsum(axis=0)]), high + np.concatenate([none, far.cumsum(axis=0)]))
