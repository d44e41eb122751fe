"""How far W_2 relu(W_1 y + b_1) + b_2 may be off where units cancel: a step is relu(a) - relu(a - 1), and does not move once both are on.

With e the error of y, h = W_1 y + b_1 and r what adding up h loses: a unit that is on for every program passes y on as it is, one that is
off for every program passes nothing, and any other is off by its error e_h at most. So the result is off by no more than

    |W_2 P W_1| e + |W_2| P r + |W_2| (1 - P) e_h + (what adding up the result loses),      P the units that are on

where a bound that takes each unit by itself has |W_2| P |W_1| e in the first place.
"""

from __future__ import annotations

import numpy as np

from separatrix.checker.numbers.rounding import SLACK, gamma
from separatrix.checker.numbers.values import Array, Values

PATTERNS = 1 << 10  # sets of units that are on, looked at one by one


def tightened(y: Values, h: Values, active: Values, z: Values, inner: Array, outer: Array) -> Values:
    """The result z of the part with the smaller of both bounds; `h` before and `active` after the non-linearity."""
    if y.error is None or h.error is None or z.error is None or active.error is None:
        return z
    e, e_h, e_active = (x.error.reshape(-1, x.shape[-1]) for x in (y, h, active) if x.error is not None)
    on = (h.value - 2 * h.error > 0).reshape(e_h.shape)
    patterns, which = np.unique(on, axis=0, return_inverse=True)
    which = which.reshape(-1)
    if len(patterns) > min(PATTERNS, 8 + len(on) // 4):
        return z
    through, size = e @ np.abs(inner).T, np.abs(outer).T
    lost = np.maximum(e_h - through, 0.0) + 2.0**-40 * e_h  # in adding up h
    left = np.where(on, lost, e_active) @ size + 2 * gamma(len(inner) + inner.shape[1] + 2, 2.0**-53) * (through @ size)
    moved = np.empty(left.shape)
    for number, units in enumerate(patterns):
        rows = which == number
        moved[rows] = e[rows] @ np.abs(outer[:, units] @ inner[units]).T
    last = z.error.reshape(left.shape)
    rounding = np.maximum(last - e_active @ size, 0.0) + 2.0**-40 * last
    bound = (moved + left + rounding) * SLACK
    return Values(z.value, np.where(bound < last, bound, last).reshape(z.shape))
