"""The constants of the depth reduction: how long the lists of its proof must be, and on how many inputs a vector then depends.

[hahn2020 Lemma 4] [hahn2020 Claim 2] [hahn2020 Equation 10]

Notation   c  inputs that a vector depends on        k  places on the list of a head        C'  share of inputs that stays free

The printed count of events leaves out that each of the 2^c values of a vector has a list of its own; `events` is the factor for that.
Of k places of which each shares inputs with at most D = c^2/(eta C) others, k/(D + 1) can be chosen that share none, and not k/D, as
printed: the first one chosen rules out D others and itself. `printed_set` takes the printed number.
"""

from __future__ import annotations

from functools import cache
from math import ceil, inf, log, log1p, sqrt

GRID = 400  # values of eta
MOST = 1e10  # places on a list


@cache
def least_k(c: int, left: float, events: int, printed_set: bool = False) -> int:
    """The least k from C = 1 to C' = left with one head, over a grid of eta; `events` counted per head, 2^c or, as printed, 1."""

    def enough(k: float, eta: float) -> bool:
        free = 1 - left / (1 - 2 * eta)  # (1 + delta) q
        budget = -3 * 2**c * log1p(-1 / k**2) / (1 - 2 * eta) / free  # equation 11 for large n: delta^2 / (1 + delta) is at least this
        delta = (budget + sqrt(budget**2 + 4 * budget)) / 2
        if 2**c * c / k > eta or delta >= 1:
            return False
        q, f = free / (1 + delta), events * 2 ** (2 * c) * c**2 * k**2 / eta
        independent = k * eta / c**2 if printed_set else k / (1 + c**2 / eta)
        return bool(independent * log1p(-((q / 2) ** c)) <= f * log1p(-1 / k**2) - 2 * log(k) - log(2))  # equation 10 with A and B

    best, first, last = inf, 0.001, (1 - left) / 2
    for number in range(GRID):
        eta = first + (last - first) * number / GRID
        low, high = 2.0, MOST
        while high - low > 0.5 and enough(high, eta):
            middle = (low + high) / 2
            low, high = (low, middle) if enough(middle, eta) else (middle, high)
        best = min(best, high)
    return ceil(best)


def next_c(c: int, k: int, heads: int = 1) -> int:
    """On how many inputs a vector depends after one layer is absorbed: c (2^c k H + 1)."""
    result: int = c * (2**c * k * heads + 1)
    return result
