"""The words of `counter`, one at a time inside compiled loops. Imported by `separatrix.kernels` alone: numba may be missing.

numba stores compiled kernels beside their own file and does not notice a change in this one.
The definition of the words is fixed, so nothing here ever changes the numbers.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from separatrix.tasks.drawing.counter import FIRST, GOLDEN, HALF, LOW, SECOND

ONE = np.uint64(1)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


@njit(cache=True, inline="always")
def mix(z: np.uint64) -> np.uint64:
    """`counter.mix` of one word."""
    z = (z ^ (z >> SHIFTS[0])) * FIRST
    z = (z ^ (z >> SHIFTS[1])) * SECOND
    return z ^ (z >> SHIFTS[2])


@njit(cache=True, inline="always")
def stream(key: np.uint64, example: int) -> np.uint64:
    """Where the words of one example begin: word(j, c) = word(stream(key, j), c)."""
    return mix(key + GOLDEN * (np.uint64(example) + ONE))


@njit(cache=True, inline="always")
def word(start: np.uint64, draw: int | np.int64) -> np.uint64:
    """Word `draw` of the example that begins at `start`."""
    return mix(start + GOLDEN * (np.uint64(draw) + ONE))


@njit(cache=True, inline="always")
def below(drawn: np.uint64, n: int | np.int64) -> np.int64:
    """0..n-1 from the high half of a word, as `counter.below`."""
    return np.int64(((drawn >> HALF) * np.uint64(n)) >> HALF)


@njit(cache=True, inline="always")
def below_low(drawn: np.uint64, n: int | np.int64) -> np.int64:
    """0..n-1 from the low half of a word, for a second choice at the same draw."""
    return np.int64(((drawn & LOW) * np.uint64(n)) >> HALF)
