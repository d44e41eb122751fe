"""State profiles in closed form: lookup, equality, intersection, parity and bounded Dyck.

[bhattamishra2024 Theorem 3; bhattamishra2024 Theorem 11]

Notation   N  the task's length      s  symbols      n, k  types of brackets and depth      t  tokens read

Each task has its whole profile, and the most states over all cuts for lengths at which the whole profile would fill the memory.
"""

from __future__ import annotations

from separatrix.bounds.states.profile import StateProfile, ceil_log2
from separatrix.errors import BadInput

LISTED_BITS = 4 * 10**9  # half a gigabyte of digits


def index_lookup_profile(length: int, symbols: int = 64) -> StateProfile:
    """N symbols, then a position.

    [bhattamishra2024 Theorem 3; proof C.1]
    """
    at_least("index-lookup", 1, "length", length)
    at_least("index-lookup", 1, "symbols", symbols)
    listable("index-lookup", length, length * ceil_log2(symbols))
    return exact([symbols**t for t in range(length + 1)] + [symbols], "closed form: s^t, then s")


def index_lookup_widest(length: int, symbols: int = 64) -> tuple[int, int]:
    """The cut before the index."""
    at_least("index-lookup", 1, "length", length)
    at_least("index-lookup", 1, "symbols", symbols)
    return (symbols**length,) * 2


def equality_profile(length: int, symbols: int = 2, separator: bool = False) -> StateProfile:
    """Two halves that are equal or not; with a separator token between them or without.

    [bhattamishra2024 Theorem 11; proof F.1]
    """
    half = half_of("equality", length)
    at_least("equality", 2, "symbols", symbols)
    listable("equality", length, half * ceil_log2(symbols))
    first = [symbols**t for t in range(half + 1)]
    second = [symbols ** (half - j) + 1 for j in range(1, half + 1)]  # what is left of the first half, or 'already different'
    between = [symbols**half] if separator else []
    return exact(first + between + second, "closed form: s^t up to the middle, then s^(N-t) + 1")


def equality_widest(length: int, symbols: int = 2, separator: bool = False) -> tuple[int, int]:  # noqa: ARG001
    """The cut in the middle."""
    half = half_of("equality", length)
    at_least("equality", 2, "symbols", symbols)
    return (symbols**half,) * 2


def intersects_profile(length: int, separator: bool = False) -> StateProfile:
    """Two sets that meet or not: the profile of equality over two symbols, for 'already met' takes the place of 'already different'.

    [bhattamishra2024 Fact 1]
    """
    half_of("intersects", length)
    return equality_profile(length, 2, separator)


def intersects_widest(length: int, separator: bool = False) -> tuple[int, int]:
    """The cut in the middle."""
    half_of("intersects", length)
    return equality_widest(length, 2, separator)


def parity_profile(length: int, end: bool = False) -> StateProfile:
    """The number of ones among N bits, modulo 2; with an end token after them or without.

    [hahn2020 Task 1]
    """
    at_least("parity", 1, "length", length)
    return exact([1] + [2] * (length + end), "closed form: 2")


def parity_widest(length: int, end: bool = False) -> tuple[int, int]:  # noqa: ARG001
    """Any cut."""
    at_least("parity", 1, "length", length)
    return 2, 2


def dyck_profile(length: int, types: int = 2, depth: int = 2) -> StateProfile:
    """Balanced words of exactly N brackets of n types, never more than k open.

    [bhattamishra2024 Lemma 1; bhattamishra2024 Remark 12]

    After t tokens the stack holds d = t mod 2 brackets or 2, 4, .. more, at most k and at most what N - t tokens can close.
    """
    at_least("dyck", 1, "length", length)
    at_least("dyck", 1, "types", types)
    at_least("dyck", 1, "depth", depth)
    if length % 2:
        return exact([1] * (length + 1), "closed form: no balanced word has odd length, so every word is refused")
    live = [sum(types**d for d in range(t % 2, min(t, depth, length - t) + 1, 2)) for t in range(length + 1)]
    return exact([count + (t > 0) for t, count in enumerate(live)], "closed form: stacks that can still be closed, and a dead state")


def dyck_widest(length: int, types: int = 2, depth: int = 2) -> tuple[int, int]:
    """The cut after k tokens, k of them open; 2 k tokens have it already."""
    return (max(dyck_profile(min(length, 2 * depth + length % 2), types, depth).classes),) * 2


def exact(classes: list[int], method: str) -> StateProfile:
    """A profile whose counts are needed and suffice."""
    return StateProfile(tuple(classes), tuple(classes), method)


def listable(task: str, tokens: int, bits: int) -> None:
    """Refuse a list of numbers that no machine should hold; the widest one alone is always given."""
    if tokens * bits > LISTED_BITS:
        raise BadInput(f"the profile of {task} would list {tokens:,} numbers of up to {bits:,} bits: ask for the bits of state alone")


def half_of(task: str, length: int) -> int:
    """Half of an even length; other lengths are refused."""
    if length < 2 or length % 2:
        raise BadInput(f"{task}: length N must be even and at least 2, found {length}")
    return length // 2


def at_least(task: str, least: int, name: str, value: int) -> None:
    """Refuse a parameter that is too small."""
    if value < least:
        raise BadInput(f"{task}: {name} must be at least {least}, found {value}")
