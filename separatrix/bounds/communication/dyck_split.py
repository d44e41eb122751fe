"""Bounded Dyck over odd and even places: each half of a word determines the other.

[bhattamishra2024 Lemma 1; proof E]

Notation   x_1 y_1 x_2 y_2 ..  a word of N brackets, Alice holds the x, Bob the y      outer  the bracket open at depth 1

All words of depth at most 2 are a fooling set, 2^(N-1) of them with two types of brackets. Their matrix is a partial permutation, so it
costs N + 1 bits, and N + 1 suffice: Alice sends the number of her half among the possible ones, or "none", and Bob answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from separatrix.errors import BadInput

OPENING, CLOSING = "([{<", ")]}>"
PARTNER = dict(zip(OPENING + CLOSING, CLOSING + OPENING, strict=True))

Half = tuple[str, ...]


def even_half(odd: Half) -> Half | None:
    """The only y for which x_1 y_1 x_2 y_2 .. is balanced with depth at most 2; None if there is none.

    [bhattamishra2024 Lemma 1; proof E]
    """
    _check(odd)
    outer = odd[0]
    if outer in CLOSING:
        return None
    even: list[str] = []
    for follows in (*odd[1:], None):
        if follows is not None and follows in CLOSING:
            even.append(PARTNER[follows])  # y_j opens what x_(j+1) closes, inside the outer bracket
        else:
            even.append(PARTNER[outer])  # nothing else is open: y_j closes the outer bracket, and x_(j+1) opens the next one
            outer = follows or outer
    return tuple(even)


def split_words(N: int, types: int = 2) -> Iterator[tuple[Half, Half]]:
    """Every balanced word of N brackets and depth at most 2, as Alice's and Bob's halves: a fooling set of n^(N/2) 2^(N/2-1) inputs.

    [bhattamishra2024 Lemma 1]
    """
    if N < 2 or N % 2:
        raise BadInput(f"the words have an even number N of brackets, at least 2, found {N}")
    if not 1 <= types <= len(OPENING):
        raise BadInput(f"types of brackets must lie in 1..{len(OPENING)}, found {types}")
    brackets = OPENING[:types] + CLOSING[:types]
    for first, *rest in product(OPENING[:types], *[brackets] * (N // 2 - 1)):
        odd = (first, *rest)
        even = even_half(odd)
        assert even is not None
        yield odd, even


def _check(half: Half) -> None:
    if not half or any(bracket not in PARTNER for bracket in half):
        raise BadInput(f"a half must consist of the brackets {OPENING}{CLOSING}, at least one, found {half!r:.80}")
