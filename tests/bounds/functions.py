"""Functions of strings that several tests of bounds ask about, written apart from the tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def bounded_dyck(depth: int) -> Callable[[tuple[int, ...]], bool]:
    """Whether brackets match and are nested at most so deep: symbol 2i opens type i, 2i + 1 closes it."""

    def member(word: tuple[int, ...]) -> bool:
        stack: list[int] = []
        for symbol in word:
            if symbol % 2 == 0:
                stack.append(symbol // 2)
            elif not stack or stack.pop() != symbol // 2:
                return False
            if len(stack) > depth:
                return False
        return not stack

    return member


def dyck_2_2(word: tuple[str, ...]) -> bool:
    """Two types of brackets, at most two deep, as text."""
    return bounded_dyck(2)(tuple("()[]".index(bracket) for bracket in word))


def recall(x: tuple[Any, ...]) -> Any:
    """The label of the last key in x1 y1 .. xn yn q, with distinct keys and q one of them."""
    keys, labels, query = x[:-1:2], x[1::2], x[-1]
    if len(set(keys)) < len(keys) or query not in keys:
        return None
    return labels[keys.index(query)]
