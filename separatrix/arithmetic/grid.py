"""Shared by the grid formats: a number is an integer times 2^-f, and every operator is exact, then rounded once.

Numbers of at most 53 bits are carried by float64 tensors of integers, longer ones by NumPy arrays of Python integers.
Inside an operator the carrier is chosen by the magnitudes at hand (products.py), so a result depends on the numbers alone.
Attention weights lie between 0 and 1 with f fractional bits; 1 itself is a weight even where the format has no integer bit.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import torch
from torch import Tensor

from separatrix.arithmetic.format import Format
from separatrix.arithmetic.integers import Integers, Objects, float64, objects
from separatrix.arithmetic.operators import Arithmetic, Values
from separatrix.arithmetic.products import Scaled, matmul, multiply
from separatrix.arithmetic.rounding import clamp, left_shift
from separatrix.arithmetic.visible import first_largest, visible_array
from separatrix.errors import BadInput

FLOAT64_BITS = 53  # p up to here: differences of two numbers are at most 2^53, hence exact in float64


class GridPoint(Arithmetic):
    """Integers times 2^-f between `lowest` and `highest`, which count in units of 2^-f."""

    lowest: int
    highest: int

    def __init__(self, format: Format) -> None:
        self.format = format
        self.f = format.fraction

    # What a format on a grid chooses.

    @abstractmethod
    def round_shift(self, x: Integers, bits: int) -> Integers:
        """x / 2^bits, rounded to an integer."""

    @abstractmethod
    def round_scaled(self, x: Tensor, bits: int) -> Tensor:
        """Real numbers x 2^bits, rounded to integers."""

    def fit(self, x: Integers, operator: str) -> Integers:  # noqa: ARG002 (a strict format names the operator)
        """Integers clamped to lowest .. highest."""
        return clamp(x, self.lowest, self.highest)

    @abstractmethod
    def outside(self, x: Tensor) -> Tensor:
        """Where integers in float64 lie outside lowest .. highest; these bounds may themselves have too many bits for float64."""

    @abstractmethod
    def parameter(self, x: Tensor, operator: str) -> Integers:
        """Weights or biases in units of 2^-f; a value that the format does not have is rounded or refused."""

    @abstractmethod
    def reciprocal(self, count: int) -> int:
        """1 / count in units of 2^-f."""

    # Numbers in and out.

    def enter(self, x: Tensor) -> Values:
        return self.contain(self.rounded(x, "enter"))

    def rounded(self, x: Tensor, operator: str) -> Integers:
        """Real numbers as integers in units of 2^-f."""
        real = x.detach().to(torch.float64)
        finite = torch.isfinite(real)
        if not bool(finite.all()):
            raise BadInput(f"{self.format.name}: {operator}: expected finite numbers, found {real[~finite][0].item()}")
        return self.fit(self.round_scaled(real, self.f), operator)

    def leave(self, x: Values) -> Tensor:
        if isinstance(x, Tensor):
            return x * 2.0**-self.f + 0.0  # turns -0.0 into 0.0
        unit = 1 << self.f
        return torch.tensor([value / unit for value in x.flat], dtype=torch.float64).reshape(x.shape)  # each quotient correctly rounded

    def integers(self, x: Values) -> Objects:
        """The exact numbers in units of 2^-f, as Python integers."""
        return objects(x).copy()

    def on_grid(self, x: Tensor) -> bool:
        return self.off_grid(x) is None

    def off_grid(self, x: Tensor) -> float | None:
        """The first entry of x that is not a number of the format."""
        real = x.detach().to(torch.float64).flatten()
        scaled = real * 2.0**self.f
        off = (scaled != scaled.floor()) | self.outside(scaled)  # NaN differs from its own floor
        return real[off][0].item() if bool(off.any()) else None

    def contain(self, x: Integers) -> Values:
        """Integers in the carrier of this format's numbers."""
        return float64(x) if self.format.bits <= FLOAT64_BITS else objects(x)

    # The operators.

    def linear(self, x: Values, weight: Tensor, bias: Tensor | None = None) -> Values:
        w = self.parameter(weight, "linear")
        if bias is None:
            return self.store(matmul(x, w.swapaxes(-1, -2)), "linear")
        b = self.parameter(bias, "linear")
        return self.store(matmul(x, w.swapaxes(-1, -2), objects(b) << self.f), "linear")

    def logits(self, q: Values, k: Values) -> Values:
        return self.store(matmul(q, k.swapaxes(-1, -2)), "logits")

    def mix(self, w: Values, v: Values) -> Values:
        return self.store(matmul(w, v), "mix")

    def product(self, x: Values, y: Values) -> Values:
        return self.store(multiply(x, y), "product")

    def store(self, x: Scaled, operator: str) -> Values:
        """A product or a sum of products, in units of 2^-2f, as a number of the format."""
        bits = self.f - x.bits
        rounded = self.round_shift(x.units, bits) if bits > 0 else left_shift(x.units, -bits)
        return self.contain(self.fit(rounded, operator))

    def add(self, x: Values, y: Values) -> Values:
        return self.contain(self.fit(x + y, "add"))

    def relu(self, x: Values) -> Values:
        return torch.relu(x) if isinstance(x, Tensor) else np.maximum(x, 0)

    def hard(self, a: Values, visible: Tensor | None) -> Values:
        if isinstance(a, Tensor):
            return first_largest(a, visible).to(torch.float64) * 2.0**self.f
        see = visible_array(a.shape, visible)
        largest = see & (a == np.where(see, a, self.lowest).max(axis=-1, keepdims=True))
        return (largest & (largest.cumsum(axis=-1) == 1)).astype(object) * (1 << self.f)

    def uniform(self, a: Values, visible: Tensor | None) -> Values:
        see = visible_array(tuple(a.shape), visible)
        counts, which = np.unique(see.sum(axis=-1, keepdims=True), return_inverse=True)
        shares = np.array([self.reciprocal(int(count)) if count else 0 for count in counts], dtype=object)
        share = self.contain(shares[which.reshape(*see.shape[:-1], 1)])
        if isinstance(share, Tensor):
            return (share if visible is None else share * visible).expand(a.shape)
        return share * see
