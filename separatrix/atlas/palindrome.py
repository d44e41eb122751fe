"""A function of a word, to show the task `function` on."""

from __future__ import annotations


def palindrome(word: tuple[str, ...]) -> bool:
    """Whether a word reads the same backwards."""
    return word == word[::-1]
