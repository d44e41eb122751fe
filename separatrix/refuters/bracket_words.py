"""Well-matched words of brackets with some tokens fixed: drawn from the grammar, since uniform strings are hardly ever matched.

A word is matched iff it is empty, or its first bracket opens, some later one closes it, and both what lies between and what follows are
matched. `ends[i]` holds, as the bits of a number, the places at which a matched segment that begins at place i may end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from numpy.random import Generator

Options = Sequence[Sequence[int]]  # of every place, the tokens that it may have; type a opens as a and closes as types + a


def matched_word(options: Options, types: int, draw: Generator) -> tuple[int, ...] | None:
    """A matched word with a token of every place's options, its partners drawn at random; None if there is none."""
    ends = _ends(options, types)
    n = len(options)
    if not ends[0] >> n & 1:
        return None
    word, segments = [0] * n, [(0, n)]
    while segments:
        first, end = segments.pop()
        if first == end:
            continue
        partners = [k for k in _closing(options, types, first, ends) if ends[k + 1] >> end & 1]
        k = partners[int(draw.integers(len(partners)))]
        kinds = _kinds(options, types, first, k)
        kind = kinds[int(draw.integers(len(kinds)))]
        word[first], word[k] = kind, types + kind
        segments += [(first + 1, k), (k + 1, end)]
    return tuple(word)


def _ends(options: Options, types: int) -> list[int]:
    """For every place, and the one after the last, where a matched segment that begins there may end."""
    n = len(options)
    ends = [0] * n + [1 << n]
    for i in reversed(range(n)):
        ends[i] = 1 << i
        for k in _closing(options, types, i, ends):
            ends[i] |= ends[k + 1]
    return ends


def _closing(options: Options, types: int, first: int, ends: Sequence[int]) -> Iterator[int]:
    """The places that may close the bracket at `first`: what lies between is matched."""
    for k in range(first + 1, len(options), 2):
        if ends[first + 1] >> k & 1 and _kinds(options, types, first, k):
            yield k


def _kinds(options: Options, types: int, first: int, k: int) -> list[int]:
    """The types that two places may share as partners."""
    return [kind for kind in range(types) if kind in options[first] and types + kind in options[k]]
