"""The inverse temperature at which an attention weight rounds to 1, as printed and as needed.

[bhattamishra2024 Theorem 6; proof F.2]

Notation   N    places                  eta  inverse temperature: the logit is eta on the place meant, and at most eta/2 elsewhere
           K    numbers have a grid of N^-K, and a weight within N^-K / 2 of 1 is to become 1

The weight is at least 1 / (1 + (N - 1) e^(-eta/2)). The paper derives that and then loses the factor 2. The constructions of this
package need neither: a threshold after the head makes 3/4 of the weight as good as all of it.
"""

from __future__ import annotations

import math


def printed_temperature(N: int, K: int) -> float:
    """eta = ln N + K ln 2N, as the proof ends."""
    return math.log(N) + K * math.log(2 * N)


def needed_temperature(N: int, K: int) -> float:
    """eta = 2 ln((N - 1)(2 N^K - 1)), where the weight is exactly N^-K / 2 below 1."""
    return 2 * math.log((N - 1) * (2 * N**K - 1))


def deficit(N: int, eta: float) -> float:
    """1 - w, by how much the weight may fall short of 1."""
    others = (N - 1) * math.exp(-eta / 2)
    return others / (1 + others)
