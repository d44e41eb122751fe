"""Configurations of models that are too large to build: every size is an affine function, through two built ones, of one number.

That number is W = ceil(sqrt L) where blocks or one-hot slots of W tokens make the width, and N where only a mask grows.
The law is compared with every other built configuration, and refused where it misses one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any

from separatrix.errors import BadInput


@dataclass(frozen=True)
class SizeLaw:
    """The configurations of one construction at any length N, from four or more built ones; L is a polynomial of degree 2 in N."""

    built: Mapping[int, Any]
    by_root: bool

    def config(self, length: int) -> Any:
        """The configuration at length N."""
        first, last = min(self.built), max(self.built)
        tokens = self.tokens(length)
        begin, end, here = (self._size(N) for N in (first, last, length))
        found = replace(_between(self.built[first], self.built[last], Fraction(here - begin, end - begin)), length=tokens)
        if length in self.built and found != self.built[length]:
            raise BadInput(f"the sizes at N = {length} are not on the line through those at N = {first} and N = {last}")
        return found

    def tokens(self, length: int) -> int:
        """L at length N."""
        total = sum(
            (self.built[a].length * _product(Fraction(length - b, a - b) for b in self._three if b != a) for a in self._three),
            Fraction(0),
        )
        assert total.denominator == 1, f"{total} tokens"
        return int(total)

    def length_for(self, tokens: int) -> int:
        """The least N of at least so many tokens, all of whose ceil(sqrt L) blocks are used; every built configuration is met first."""
        for length in self.built:
            if self.tokens(length) != self.built[length].length:
                raise BadInput(
                    f"the number of tokens at N = {length} is not on the parabola through N = {', '.join(map(str, self._three))}"
                )
            self.config(length)
        length = 1
        while self.tokens(length) < tokens:
            length *= 2
        low = length // 2
        while length - low > 1:
            middle = (low + length) // 2
            low, length = (low, middle) if self.tokens(middle) >= tokens else (middle, length)
        while self.by_root and not full_blocks(self.tokens(length)):
            length += 1
        return length

    @cached_property
    def _three(self) -> tuple[int, ...]:
        return tuple(sorted(self.built)[:3])

    def _size(self, length: int) -> int:
        return isqrt(self.tokens(length) - 1) + 1 if self.by_root else length


def full_blocks(tokens: int) -> bool:
    """Whether L tokens fill, at least in part, W = ceil(sqrt L) blocks of W."""
    root = isqrt(tokens - 1) + 1
    return tokens > root * (root - 1)


def _product(parts: Any) -> Fraction:
    total = Fraction(1)
    for part in parts:
        total *= part
    return total


def _between(one: Any, other: Any, share: Fraction) -> Any:
    """Each number on the line through two; everything else must be the same."""
    if is_dataclass(one) and type(one) is type(other) and not isinstance(one, type):
        return replace(one, **{f.name: _between(getattr(one, f.name), getattr(other, f.name), share) for f in fields(one) if f.init})
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return tuple(_between(a, b, share) for a, b in zip(one, other, strict=True))
    if type(one) is int and type(other) is int:
        return round(one + share * (other - one))
    if one != other:
        raise BadInput(f"no law of sizes: {one!r:.80} and {other!r:.80} differ")
    return one
