"""Two parties: who holds which places of a string, and strings composed of both parts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from separatrix.checker.fields import whole
from separatrix.checker.seal import Refused

NAMED = 6  # stretches of places that a sentence lists


def places(alice: Any, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Alice's places, in order and without repetition, and Bob's: both hold some."""
    if not isinstance(alice, list):
        raise Refused("alice: expected a list of places")
    own = [whole(i, "alice") for i in alice]
    if any(not 0 <= i < n for i in own) or not 0 < len(own) < n:
        raise Refused(f"alice: expected some, not all, of the places 0..{n - 1}")
    if any(one >= other for one, other in pairwise(own)):
        raise Refused("alice: expected places in rising order, each once")
    theirs = set(own)
    return tuple(own), tuple(i for i in range(n) if i not in theirs)


def together(a: Sequence[int], b: Sequence[int], alice: Sequence[int], bob: Sequence[int]) -> tuple[int, ...]:
    """The string composed of Alice's and Bob's symbols."""
    at = dict(zip(alice, a, strict=True)) | dict(zip(bob, b, strict=True))
    return tuple(at[i] for i in range(len(at)))


def worded(places: Sequence[int]) -> str:
    """Places, counted from 1, in words: `tokens 1 to 3, 7`."""
    stretches: list[list[int]] = []
    for place in places:
        if stretches and stretches[-1][-1] == place - 1:
            stretches[-1].append(place)
        else:
            stretches.append([place])
    words = [str(s[0] + 1) if len(s) == 1 else f"{s[0] + 1} to {s[-1] + 1}" for s in stretches]
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return f"token{'s' if len(places) > 1 else ''} {', '.join(words[:NAMED])}{more}"
