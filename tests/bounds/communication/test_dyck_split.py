"""Bounded Dyck over odd and even places."""

from __future__ import annotations

from itertools import product

import pytest

from separatrix.bounds.communication.dyck_split import even_half, split_words
from separatrix.bounds.communication.matrix import communication_matrix
from separatrix.errors import BadInput


def balanced(word: tuple[str, ...]) -> bool:
    stack: list[str] = []
    for bracket in word:
        if bracket in "([{":
            stack.append(bracket)
        elif not stack or stack.pop() + bracket not in ("()", "[]", "{}"):
            return False
        if len(stack) > 2:
            return False
    return not stack


def woven(odd: tuple[str, ...], even: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(bracket for pair in zip(odd, even, strict=True) for bracket in pair)


@pytest.mark.parametrize("N", [2, 4, 6, 8])
def test_each_half_has_exactly_the_partner_that_is_computed(N: int) -> None:
    halves = list(product("()[]", repeat=N // 2))
    for odd in halves:
        partners = [even for even in halves if balanced(woven(odd, even))]
        assert partners == ([] if even_half(odd) is None else [even_half(odd)])


@pytest.mark.parametrize("N", [2, 4, 6, 8, 10, 12])
def test_there_are_half_as_many_words_as_strings_of_n_bits(N: int) -> None:
    words = list(split_words(N))
    assert len(words) == 2 ** (N - 1)
    assert len({odd for odd, _ in words}) == len({even for _, even in words}) == len(words)
    assert all(balanced(woven(odd, even)) for odd, even in words)


def test_more_types_of_brackets_make_more_words() -> None:
    words = list(split_words(6, types=3))
    assert len(words) == 3**3 * 2**2
    assert {woven(*word) for word in words} == {word for word in product("()[]{}", repeat=6) if balanced(word)}


def test_the_words_are_a_fooling_set_of_the_matrix() -> None:
    matrix = communication_matrix(balanced, "()[]", 6, alice=[0, 2, 4])
    assert matrix.is_fooling_set(list(split_words(6)), True)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: even_half(("(", "x")), r"a half must consist of the brackets"),
        (lambda: even_half(()), r"a half must consist of the brackets"),
        (lambda: list(split_words(5)), "an even number N of brackets, at least 2, found 5"),
        (lambda: list(split_words(4, types=5)), r"types of brackets must lie in 1\.\.4, found 5"),
    ],
)
def test_what_is_no_word_is_refused(call: object, says: str) -> None:
    assert callable(call)
    with pytest.raises(BadInput, match=says):
        call()
