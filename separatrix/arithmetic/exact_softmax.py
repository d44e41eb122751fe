"""Softmax of grid numbers, the true real value rounded to the nearest grid number, ties to even.

[wen2024 Clarification 3; ties and termination made precise]

With integers a_j and x_j = a_j / 2^f, the weight of key i is 1 / sum_j exp(x_j - x_i). Exponentials of distinct rational
numbers are linearly independent over the rationals (Lindemann-Weierstrass), so the weight is rational only if all x_j are equal.
Then it is 1/m, both bounds equal that fraction, and a tie is recognised. Otherwise it is irrational, never a tie, and bounds that
converge decide it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from separatrix.arithmetic.exponential import GUARD, exp_bounds


def softmax_to_nearest(a: Sequence[int], f: int) -> list[int]:
    """The integers nearest to 2^f softmax(a / 2^f); `a` holds the visible keys alone, at least one."""
    top = max(a)
    keys = Counter(logit - top for logit in a)
    guard = GUARD
    while True:
        weights = _decided(keys, f, f + guard)
        if weights is not None:
            return [weights[logit - top] for logit in a]
        guard *= 2


def _decided(keys: Counter[int], f: int, bits: int) -> dict[int, int] | None:
    """The rounded weight of each distinct a_j - max a, or None if `bits` are too few to decide one of them."""
    bounds = {d: exp_bounds(d, f, bits) for d in keys}
    least = sum(count * bounds[d][0] for d, count in keys.items())  # of the normaliser
    most = sum(count * bounds[d][1] for d, count in keys.items())
    weights = {}
    for d, (low, high) in bounds.items():
        weight = nearest_quotient(low << f, most)
        if weight != nearest_quotient(high << f, least):
            return None
        weights[d] = weight
    return weights


def nearest_quotient(a: int, b: int) -> int:
    """The integer nearest to a / b, b > 0, ties to even."""
    quotient, rest = divmod(a, b)
    return quotient + (2 * rest > b or (2 * rest == b and quotient & 1))
