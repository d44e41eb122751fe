"""Random signs: the paper's own almost orthogonal vectors, and how many dimensions they need.

[bhattamishra2024 Lemma 2; proof B.3]

    N  vectors      k  dimensions      gamma  coherence      S  the sum of k random signs, the law of <X_i, X_j>

The paper       k = (8 / gamma^2) ln 2N   from P(|S| >= gamma k) <= 2 exp(-k gamma^2 / 4)
Hoeffding       k = (4 / gamma^2) ln N    from P(S > gamma k) <= exp(-k gamma^2 / 2): twice the paper's exponent, and one side is enough
First moment    the least k with (N choose 2) P(S > gamma k) < 1, the probability computed exactly

The first two draws succeed with probability above 1/2, the third with a positive one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, log

import numpy as np
import numpy.typing as npt

from separatrix.constructions.parts.codes.sign_code import Signs, check_positions, exact_coherence
from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import stream_key, words

MOST_DRAWN = 1 << 26  # signs drawn at once
EXACT = 1 << 24  # sums of fewer signs are exact in float32
ROWS = 512  # vectors compared at a time


def drawable(N: int, k: int) -> bool:
    """Whether `random_signs` draws this many."""
    return N * k <= MOST_DRAWN and k < EXACT


def random_signs(N: int, k: int | None = None, seed: int = 0) -> Signs:
    """X_1, ..., X_N, [N, k], by default with the paper's k at gamma = 1/4.

    Sign c of X_i is bit c mod 64 of word (i, c div 64) of the counter, so longer vectors extend shorter ones.
    """
    check_positions(N)
    k = paper_dimensions(N) if k is None else k
    if k < 1:
        raise BadInput(f"random signs need at least 1 dimension, found k = {k}")
    if not drawable(N, k):
        raise BadInput(f"random signs: {N} vectors of {k} dimensions are too many, expected at most 2^26 signs and 2^24 dimensions")
    drawn = words(stream_key("random-signs", {}, seed), np.arange(1, N + 1), np.arange(-(-k // 64)))
    bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), axis=1, count=k, bitorder="little")
    return (1 - 2 * bits.astype(np.int8)).astype(np.int8)


def paper_dimensions(N: int, gamma: float | Fraction = Fraction(1, 4)) -> int:
    """k = (8 / gamma^2) ln 2N, rounded up."""
    return ceil(8 / exact_coherence(gamma) ** 2 * Fraction(log(2 * check_positions(N))))


def hoeffding_dimensions(N: int, gamma: float | Fraction = Fraction(1, 4)) -> int:
    """k = (4 / gamma^2) ln N, rounded up, at least 1."""
    return max(1, ceil(4 / exact_coherence(gamma) ** 2 * Fraction(log(check_positions(N)))))


def measured_coherence(vectors: Signs) -> Fraction:
    """The largest <X_i, X_j> / k over two different vectors, by comparing all; -1 if there is only one."""
    k = vectors.shape[1]
    return Fraction(max(int(products.max()) for products in _products(vectors, of_itself=-k)), k)


def measured_two_sided_coherence(vectors: Signs) -> Fraction:
    """The largest |<X_i, X_j>| / k over two different vectors, by comparing all; 0 if there is only one."""
    k = vectors.shape[1]
    return Fraction(max(int(np.abs(products).max()) for products in _products(vectors, of_itself=0)), k)


def _products(vectors: Signs, of_itself: int) -> Iterator[npt.NDArray[np.float32]]:
    """<X_i, X_j> for all j and some i at a time, with another value for j = i."""
    exact = vectors.astype(np.float32)
    for first in range(0, len(vectors), ROWS):
        products = exact[first : first + ROWS] @ exact.T
        rows = np.arange(len(products))
        products[rows, first + rows] = of_itself
        yield products
