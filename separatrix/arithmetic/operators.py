"""The operators of a sequence model: the only places where a number is rounded.

A model's code computes through these alone, so the granularity of rounding is visible in one list:
a linear form, a logit (a whole dot product), an attention weight, a weighted sum, a product, a sum of two numbers.
`Values` is whatever carries numbers: a torch tensor, or a NumPy array of Python integers in an exact format.
Both have `reshape`, `swapaxes`, slicing and `shape`, and a model's code uses no other method of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from separatrix.arithmetic.format import Format

Values = Any
Attention = Literal["softmax", "hard", "uniform"]


class Arithmetic(ABC):
    """What a number format does at each operator."""

    format: Format

    @abstractmethod
    def enter(self, x: Tensor) -> Values:
        """Numbers of the format from a tensor of real numbers; a number outside the format is rounded as a store."""

    @abstractmethod
    def leave(self, x: Values) -> Tensor:
        """The numbers as a floating-point tensor (float64 for emulated formats)."""

    @abstractmethod
    def on_grid(self, x: Tensor) -> bool:
        """Whether every entry of a tensor of real numbers is a number of the format, as a weight must be in fixed point."""

    @abstractmethod
    def linear(self, x: Values, weight: Tensor, bias: Tensor | None = None) -> Values:
        """x [..., d] times weight [out, d], plus bias [out]: the exact sum, stored once."""

    @abstractmethod
    def logits(self, q: Values, k: Values) -> Values:
        """q [..., i, m] against k [..., j, m] -> [..., i, j]: each the exact dot product, stored once."""

    @abstractmethod
    def softmax(self, a: Values, visible: Tensor | None) -> Values:
        """Attention weights over the last axis; `visible` (broadcastable, boolean) hides keys. A row that sees no key gets 0 everywhere."""

    @abstractmethod
    def hard(self, a: Values, visible: Tensor | None) -> Values:
        """Weight 1 on the first largest visible logit, 0 elsewhere."""

    @abstractmethod
    def uniform(self, a: Values, visible: Tensor | None) -> Values:
        """The same weight on every visible key: 1/count, stored."""

    @abstractmethod
    def mix(self, w: Values, v: Values) -> Values:
        """w [..., i, j] times v [..., j, m]: the exact weighted sum, stored once."""

    @abstractmethod
    def add(self, x: Values, y: Values) -> Values:
        """The sum x + y of a residual connection, in this format."""

    @abstractmethod
    def product(self, x: Values, y: Values) -> Values:
        """Elementwise product, stored (a gate)."""

    @abstractmethod
    def relu(self, x: Values) -> Values:
        """max(x, 0), exact."""

    def join(self, parts: Sequence[Values], axis: int) -> Values:
        """Several blocks of numbers as one."""
        return torch.cat(list(parts), dim=axis) if isinstance(parts[0], Tensor) else np.concatenate(parts, axis=axis)

    def attend(self, q: Values, k: Values, v: Values, visible: Tensor | None, kind: Attention) -> Values:
        """One head: logits, weights, weighted sum."""
        return self.mix(self.weights(q, k, visible, kind), v)

    def weights(self, q: Values, k: Values, visible: Tensor | None, kind: Attention) -> Values:
        """The attention weights of one head."""
        a = self.logits(q, k)
        if kind == "softmax":
            return self.softmax(a, visible)
        return self.hard(a, visible) if kind == "hard" else self.uniform(a, visible)
