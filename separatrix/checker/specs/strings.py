"""Strings of a certificate: tokens over the alphabets of a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.checker.seal import Refused

LARGEST = 1 << 21  # answers of a table


def string(tokens: Any, alphabets: Sequence[range], where: str) -> tuple[int, ...]:
    """A string over these alphabets."""
    if not isinstance(tokens, list) or len(tokens) != len(alphabets):
        raise Refused(f"{where}: expected {len(alphabets)} tokens")
    for token, alphabet in zip(tokens, alphabets, strict=True):
        if whole(token, where) not in alphabet:
            raise Refused(f"{where}: token {token} is not one of {alphabet.start}..{alphabet.stop - 1}")
    return tuple(tokens)


def whole(value: Any, where: str) -> int:
    """A whole number; true and 8.0 are not."""
    if type(value) is not int:
        raise Refused(f"{where}: expected a whole number, found {type(value).__name__}")
    return value
