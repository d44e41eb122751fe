"""Boxes: for every number of a model, an interval that holds it on every input that is spoken of, whichever program computes it.

In floats an interval has float64 ends, and covers every order of summation, with fused multiplication or without. In exact formats its
ends are integers, multiples of 1 / scale. Every operator gives the smallest box that is easily shown, never a smaller one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from separatrix.checker.models.description import FeedForward
from separatrix.checker.models.mixers import Weights
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.values import Array, Values
from separatrix.checker.rules.proof import Unproven


@dataclass(frozen=True, eq=False)
class Box:
    """Intervals [low, high], entry by entry. Where both are one array, every program has exactly these numbers."""

    low: Array
    high: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array."""
        return self.low.shape

    @property
    def exact(self) -> bool:
        """Whether nothing is open."""
        return self.low is self.high

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, part: Any) -> Box:
        low = self.low[part]
        return Box(low, low if self.exact else self.high[part])

    @property
    def reach(self) -> Array:
        """The largest magnitude of each entry."""
        return np.maximum(np.abs(self.low), np.abs(self.high))

    def hull(self, first: Array) -> Box:
        """The smallest boxes that hold rows first[0] .. first[1] - 1, then first[1] .. first[2] - 1, and so on to the end."""
        low, high = np.minimum.reduceat(self.low, first, axis=0), np.maximum.reduceat(self.high, first, axis=0)
        return Box(low, low) if np.array_equal(low, high) else Box(low, high)

    def closed(self) -> Box:
        """The same box, known to be exact where both ends are equal everywhere."""
        return Box(self.low, self.low) if not self.exact and np.array_equal(self.low, self.high) else self


@dataclass(frozen=True, eq=False)
class Sum:
    """A weighted sum before it is rounded: its ends, and the sum of magnitudes that its rounding goes by."""

    low: Array
    high: Array
    size: Array


class Boxes(ABC):
    """The operators of a number format on boxes."""

    ops: Numbers
    one: Any  # 1, as a number of the format

    @abstractmethod
    def of(self, x: Values) -> Box:
        """What the forward pass has computed."""

    @abstractmethod
    def linear(self, x: Box, weight: Array, bias: Array | None = None) -> Box:
        """x times the transposed weight, plus bias."""

    @abstractmethod
    def add(self, x: Box, y: Box) -> Box:
        """A sum."""

    @abstractmethod
    def relu_part(self, w: Weights, y: Box) -> Box:
        """W_2 relu(W_1 y + b_1) + b_2; hidden units that share a direction are bounded together."""

    @abstractmethod
    def logits(self, q: Box, k: Box, where: str) -> Box:
        """All dot products, of the head that is said."""

    @abstractmethod
    def attention(self, a: Box, visible: Array, kind: str) -> Box:
        """Attention weights, none of them below 0."""

    @abstractmethod
    def uniform(self, count: int) -> Box:
        """The weight of each of so many tokens, [1, 1]."""

    @abstractmethod
    def sums(self, w: Box, v: Box) -> Sum:
        """Sums of v with weights w >= 0."""

    @abstractmethod
    def weighted(self, w: Box, v: Box) -> Box:
        """Products of weights w >= 0 and values, entry by entry, before they are rounded."""

    @abstractmethod
    def plus(self, x: Array, y: Array) -> Array:
        """Sums of ends, before they are rounded."""

    @abstractmethod
    def mixed(self, total: Sum, terms: int) -> Box:
        """A sum of so many terms, as the format stores it."""

    @abstractmethod
    def lead(self, logits: Box, targets: Array) -> Any:
        """The least amount by which the logit of each row's target exceeds every other: a Fraction, or a float that is not above it."""

    def feedforward(self, part: FeedForward, w: Weights, y: Box, where: str) -> Box:
        """A feed-forward part of ReLU units."""
        if part.activation != "relu":
            raise Unproven(where, f"expected hidden units with ReLU, found {part.activation}")
        return self.relu_part(w, y)


def joined(parts: Sequence[Box]) -> Box:
    """Side by side."""
    if len(parts) == 1:
        return parts[0]
    low = np.concatenate([part.low for part in parts], axis=-1)
    return Box(low, low if all(part.exact for part in parts) else np.concatenate([part.high for part in parts], axis=-1))


def stacked(parts: Sequence[Box]) -> Box:
    """Below each other."""
    if len(parts) == 1:
        return parts[0]
    low = np.concatenate([part.low for part in parts])
    return Box(low, low if all(part.exact for part in parts) else np.concatenate([part.high for part in parts]))
