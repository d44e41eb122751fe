"""The documented random words, written a second time: Python integers, one at a time.

key          first 8 bytes (big-endian) of the SHA-256 of the canonical JSON {"parameters", "seed", "task"}
word(j, c)   mix(mix(key + G (j + 1)) + G (c + 1)) modulo 2^64
below(n)     ((word >> 32) n) >> 32
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from separatrix.checker.numbers import arrays
from separatrix.checker.seal import canonical

MASK = (1 << 64) - 1
G = 0x9E3779B97F4A7C15


class Words:
    """The random words of one example."""

    def __init__(self, task: str, parameters: Mapping[str, Any], seed: int, example: int) -> None:
        document = canonical({"task": task, "parameters": dict(parameters), "seed": seed})
        key = int.from_bytes(hashlib.sha256(document.encode()).digest()[:8], "big")
        self.start = _mix((key + G * (example + 1)) & MASK)

    def word(self, draw: int) -> int:
        """Draw number `draw` as a word of 64 bits."""
        return _mix((self.start + G * (draw + 1)) & MASK)

    def below(self, draw: int, n: int) -> int:
        """Draw number `draw` as an integer 0 .. n - 1."""
        return ((self.word(draw) >> 32) * n) >> 32

    def many(self, first: int, count: int) -> arrays.Array:
        """Words first .. first + count - 1; through NumPy if there are many."""
        if count < 64:
            return arrays.array([self.word(first + c) for c in range(count)], dtype=arrays.uint64)
        z = arrays.uint64(self.start) + arrays.uint64(G) * (arrays.arange(first, first + count, dtype=arrays.uint64) + arrays.uint64(1))
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ (z >> arrays.uint64(shift))) * arrays.uint64(factor)
        return arrays.asarray(z ^ (z >> arrays.uint64(31)))

    def many_below(self, first: int, count: int, n: int) -> arrays.Integers:
        """Draws first .. first + count - 1 as integers 0 .. n - 1."""
        return (((self.many(first, count) >> arrays.uint64(32)) * arrays.uint64(n)) >> arrays.uint64(32)).astype(arrays.int64)


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)
