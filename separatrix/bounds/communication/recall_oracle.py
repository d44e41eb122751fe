"""Recall as an oracle is not enough for Index: on some inputs its answers are known beforehand.

[wen2024 Proposition 5.1; corrected: the inputs hold a fixed set of tokens, so that asking for an absent token reveals nothing]

A recurrent model may ask for the token behind the first occurrence of any token in the prompt, as often as it likes. The inputs here have a
filler at every even place, and at the odd places the numbers 1 .. n/2, of which neighbours are swapped or not: one bit for each pair.
Behind every number stands the filler; behind the first filler stands the third token; a token that does not occur has no answer.
So whoever knows the third token can give every answer, and the model is no better off than with one bit more of state.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from separatrix.bounds.communication.facts import Bits
from separatrix.errors import BadInput


def swapped_pairs(a: Bits) -> tuple[int, ...]:
    """The input of n = 4 N numbers from [n] for N bits: x_(4i+1), x_(4i+3) = 2i + 1, 2i + 2 or swapped; the filler is n."""
    if not a:
        raise BadInput("expected at least 1 bit, found none")
    n = 4 * len(a)
    return tuple(x for i, bit in enumerate(a) for x in (2 * i + 1 + bit, n, 2 * i + 2 - bit, n))


def recall(x: Sequence[int], q: int) -> int | None:
    """The oracle: what follows the first occurrence of q, None if it does not occur before the last place."""
    return x[x.index(q) + 1] if q in x[:-1] else None


def simulated_recall(n: int, third: int, q: int) -> int | None:
    """What it says on any of these inputs, from their third token alone."""
    if q == n:
        return third
    return n if 1 <= q <= n // 2 else None


def bits_despite_recall(n: int) -> int:
    """Bits of state that a recurrent model needs for Index on n numbers although it may ask for recall: one for each pair but the first."""
    return max(0, n // 4 - 1)


def oracle_reveals_nothing(N: int) -> bool:
    """Over all strings of N bits: the oracle is simulated, and Index still reveals every bit."""
    n = 4 * N
    for a in product((0, 1), repeat=N):
        x = swapped_pairs(a)
        if any(recall(x, q) != simulated_recall(n, x[2], q) for q in range(1, n + 1)):
            return False
        if any(x[4 * i] != 2 * i + 1 + a[i] for i in range(N)):
            return False
    return True
