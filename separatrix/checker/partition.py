"""Two parties: who holds which places of a string, and strings put together from two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.checker.functions import whole
from separatrix.checker.seal import Refused


def places(alice: Any, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Alice's places, in order and each once, and Bob's: both hold some."""
    if not isinstance(alice, list):
        raise Refused("alice: expected a list of places")
    held = [whole(i, "alice") for i in alice]
    if held != sorted(set(held)) or not held or held[0] < 0 or held[-1] >= n or len(held) == n:
        raise Refused(f"alice: expected some, not all, of the places 0..{n - 1} in order")
    return tuple(held), tuple(i for i in range(n) if i not in set(held))


def together(a: Sequence[int], b: Sequence[int], alice: Sequence[int], bob: Sequence[int]) -> tuple[int, ...]:
    """The string of Alice's symbols and Bob's."""
    at = dict(zip(alice, a, strict=True)) | dict(zip(bob, b, strict=True))
    return tuple(at[i] for i in range(len(at)))
