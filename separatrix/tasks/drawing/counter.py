"""Random words by counting: word c of example j under a key, with no state anywhere.

    key           first 8 bytes (big-endian) of the SHA-256 of the canonical JSON {"parameters", "seed", "task"}
    mix(z)        z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31
    word(j, c)    mix(mix(key + G (j + 1)) + G (c + 1)),  G = 0x9E3779B97F4A7C15, all modulo 2^64
    below(w, n)   ((w >> 32) n) >> 32, for n <= 2^32: uniform up to n / 2^32, exactly uniform when n is a power of two

Every sampler draws from this alone, so an example is a function of (task, parameters, seed, j)
and depends neither on the batch nor on the machine. The checker has its own implementation.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
BLOCK = 8192  # words that fit into the first-level cache together with their shifted copy


def stream_key(task: str, parameters: Mapping[str, Any], seed: int) -> int:
    """The key of a task's examples under a seed."""
    document = {"task": task, "parameters": dict(parameters), "seed": seed}
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return int.from_bytes(hashlib.sha256(canonical.encode()).digest()[:8], "big")


def mix(z: Words) -> Words:
    """A bijection of 64-bit words that scatters (the finaliser of splitmix64)."""
    mixed = np.array(z, dtype=np.uint64)
    _mix_in_place(mixed.reshape(-1))
    return mixed


def words(key: int, examples: npt.ArrayLike, draws: npt.ArrayLike) -> Words:
    """word(j, c) for all examples j (rows) and draws c (columns)."""
    j, c = (np.asarray(numbers, dtype=np.uint64) for numbers in (examples, draws))
    start = mix(np.uint64(key) + GOLDEN * (j + np.uint64(1)))
    drawn: Words = np.add.outer(start, GOLDEN * (c + np.uint64(1)))
    _mix_in_place(drawn.reshape(-1))
    return drawn


def streams(key: int | np.uint64, first: int, count: int) -> Words:
    """Where the words of `count` examples from `first` on begin."""
    return mix(np.uint64(key) + GOLDEN * (np.arange(first, first + count, dtype=np.uint64) + np.uint64(1)))


def word(starts: Words, draw: int | npt.NDArray[np.int64]) -> Words:
    """Word `draw` of the examples that begin at `starts`; each may have a draw of its own."""
    return mix(starts + GOLDEN * (np.array(draw, dtype=np.uint64, ndmin=1) + np.uint64(1)))


def below(word: Words, n: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Integers 0..n-1 from words; `n` may be an array that broadcasts."""
    bound = np.asarray(n, dtype=np.uint64)
    return (((word >> HALF) * bound) >> HALF).view(np.int64)


def below_low(word: Words, n: int) -> npt.NDArray[np.int64]:
    """Integers 0..n-1 from the low halves of words, for a second choice at the same draw."""
    return (((word & LOW) * np.uint64(n)) >> HALF).view(np.int64)


def integers(key: int, examples: npt.ArrayLike, draws: npt.ArrayLike, n: int) -> npt.NDArray[np.int64]:
    """below(word(j, c), n) for all examples j (rows) and draws c (columns), in one array."""
    drawn = words(key, examples, draws)
    drawn >>= np.uint64(32)
    drawn *= np.uint64(n)
    drawn >>= np.uint64(32)
    return drawn.view(np.int64)


def balanced(key: int, examples: int, draws: int, n: int) -> npt.NDArray[np.int64]:
    """Uniform integers 0..n-1, examples by draws, in which every n examples from the first on have each value once in every column."""
    groups = integers(key, np.arange(-(-examples // n)), np.arange(draws), n)
    return ((np.repeat(groups, n, axis=0) + np.tile(np.arange(n), len(groups))[:, None]) % n)[:examples]


def _mix_in_place(z: Words) -> None:
    """`mix` block by block: fresh memory costs more than the arithmetic, so one small buffer serves all."""
    buffer = np.empty(min(BLOCK, z.size), dtype=np.uint64)
    for first in range(0, z.size, BLOCK):
        part = z[first : first + BLOCK]
        shifted = buffer[: part.size]
        for shift, factor in ((30, FIRST), (27, SECOND), (31, None)):
            np.right_shift(part, np.uint64(shift), out=shifted)
            part ^= shifted
            if factor is not None:
                part *= factor
