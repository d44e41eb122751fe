"""All codewords of a sign address, counted by weight: a proof for every pair of positions at once.

    G     generator [k, bits] over GF(2)            T(i) = (-1)^(G bits(i))
    wt    number of ones                            <T(i), T(j)> = k - 2 wt(G bits(i xor j))

Because T is linear, the inner products of one position with all others are those of any other position.
So the number of codewords of each weight bounds every pair, and the attention of every query.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput

Generator = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]

BLOCK_BITS = 16  # codewords in memory at a time: 2^16
MOST_BITS = 26
MOST_SIGNS = 1 << 32  # k 2^bits: a few seconds
LANE = 16  # bits that are counted by one table look-up


def enumerable(dims: int, bits: int) -> bool:
    """Whether `weight_enumerator` takes a generator of this shape."""
    return bits <= MOST_BITS and dims << bits <= MOST_SIGNS


def weight_enumerator(generator: Generator) -> Counts:
    """How many of the 2^bits inputs have a codeword of weight 0, 1, ..., k."""
    k, bits = generator.shape
    if not enumerable(k, bits):
        raise BadInput(f"the code has 2^{bits} words of {k} signs: enumeration takes at most 2^{MOST_BITS} words and 2^32 signs")
    columns = _lanes(generator)
    low = min(bits, BLOCK_BITS)
    block = np.zeros((columns.shape[1], 1), dtype=np.uint16)
    for column in columns[:low]:
        block = np.concatenate([block, block ^ column[:, None]], axis=1)
    ones = np.array([half.bit_count() for half in range(1 << LANE)], dtype=np.uint8)
    counts = np.zeros(k + 1, dtype=np.int64)
    leader = np.zeros(columns.shape[1], dtype=np.uint16)
    for step in range(1 << (bits - low)):
        if step:  # in Gray's order the next coset leader differs by one column
            leader ^= columns[low + (step & -step).bit_length() - 1]
        weights = np.zeros(block.shape[1], dtype=np.int64)
        for lane, flip in zip(block, leader, strict=True):
            weights += ones[lane ^ flip]
        counts += np.bincount(weights, minlength=k + 1)
    return counts


def coherence_of(counts: Counts) -> Fraction:
    """The largest <T(i), T(j)> / k over two different inputs, from the number of codewords of each weight; 1 if two share an address."""
    k = len(counts) - 1
    if counts[0] > 1:
        return Fraction(1)
    least = int(np.flatnonzero(counts)[1])
    return Fraction(k - 2 * least, k)


def two_sided_coherence_of(counts: Counts) -> Fraction:
    """The largest |<T(i), T(j)>| / k over two different inputs."""
    k = len(counts) - 1
    heaviest = int(np.flatnonzero(counts)[-1])
    return max(coherence_of(counts), Fraction(2 * heaviest - k, k))


def least_weight(counts: Counts, scale: float, others: int = 1) -> float:
    """The least softmax weight on position p over every p, for logits scale <T(p), T(i)> and `others` keys with logit 0.

    Relative to the target a codeword of weight w counts e^(-2 scale w). The value is attained when all 2^bits inputs are
    positions; with fewer positions it is a bound.
    """
    k = len(counts) - 1
    twins = int(counts[0]) - 1  # other inputs with the same address
    mass = math.fsum(int(counts[w]) * math.exp(-2 * scale * w) for w in range(1, k + 1))
    return 1 / (1 + twins + mass + others * math.exp(-scale * k))


def _lanes(generator: Generator) -> npt.NDArray[np.uint16]:
    """The columns as rows of 16-bit words, padded with zeros."""
    k, bits = generator.shape
    padded = np.zeros((-(-k // LANE) * LANE, bits), dtype=np.uint8)
    padded[:k] = generator
    return np.ascontiguousarray(np.packbits(padded, axis=0).T).view(np.uint16)
