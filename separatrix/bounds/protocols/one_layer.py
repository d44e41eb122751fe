"""The cost of a one-layer Transformer as a protocol, in bits: as the paper claims, as its steps add up, and repaired.

[bhattamishra2024 Theorem 4; proof D]

Notation   N  tokens          m  width of the values     d  width of the embeddings     H  heads
           p  bits a number   f  fractional bits of p    s  symbols of the token read out

Any partition of the input gives a two-way protocol, so the model cannot compute a function that needs more bits. The paper's
four steps add up to more than the constant it states; a protocol that sends the token instead of its embedding, and the partial sums in
one direction only, stays below the claim from width 4 on.
"""

from __future__ import annotations

from math import log2

from separatrix.bits import ceil_log2
from separatrix.errors import BadInput


def claimed_bits(m: int, p: int, N: int, H: int) -> float:
    """The constant of the theorem: 3 m (p + log2 N) H.

    [bhattamishra2024 Theorem 4]
    """
    return 3 * m * (p + log2(N)) * H


def step_bits(m: int, d: int, p: int, N: int, H: int) -> int:
    """The four steps of the printed proof: the embedding; per head the largest logits, the sums of exponentials, the sums of values.

    [bhattamishra2024 Theorem 4; proof D]
    """
    return d * p + H * (2 * p + 2 * (p + ceil_log2(N + 1)) + 4 * m * p)


def repaired_bits(m: int, p: int, f: int, N: int, H: int, s: int) -> int:
    """The repaired protocol, after which both know the answer.

    [bhattamishra2024 Theorem 4; proof D]
    """
    token = ceil_log2(s)  # 1. the party with the last position sends its token
    logits = 2 * p  # 2. both largest logits
    sums = 2 * (f + ceil_log2(N + 1))  # 3. both sums of exponentials, each at most N at f fractional bits
    values = m * (p + f)  # 4. one partial sum of weighted values, exact at 2 f fractional bits
    return token + H * (logits + sums + values) + 1  # 5. the answer comes back


def least_width(bits: int, p: int, f: int, N: int, H: int, s: int) -> int:
    """The smallest m, at least 1, whose repaired protocol has this many bits: a model of smaller width is refuted.

    [bhattamishra2024 Theorem 4]
    """
    check_precision(p, f)
    without = repaired_bits(0, p, f, N, H, s)
    return max(1, -(-(bits - without) // (H * (p + f))))


def least_width_times_heads(bits: int, p: int, f: int, N: int, s: int) -> int:
    """The smallest m H over all numbers of heads; heads of width 1 have the longest protocol for their product.

    [bhattamishra2024 Theorem 4]
    """
    check_precision(p, f)
    once = repaired_bits(0, p, f, N, 0, s)
    return max(1, -(-(bits - once) // (repaired_bits(1, p, f, N, 1, s) - once)))


def check_precision(p: int, f: int) -> None:
    """Refuse impossible formats: p bits hold a sign and at most p - 1 fractional bits."""
    if p < 1:
        raise BadInput(f"precision p must be at least 1 bit, found {p}")
    if not 0 <= f < p:
        raise BadInput(f"fractional bits f must lie in 0..p-1 with p = {p}, found {f}")
