"""Fixed point, rounded toward minus infinity and clamped: `fixed:p,f`.

[bhattamishra2024 Appendix B.2; order of rounding made precise]

    store(x) = clamp(floor(x 2^f)) / 2^f        clamp to [-2^r, 2^r - 2^-f],  p = 1 + r + f
    logit    A = store(exact dot product)
    softmax  M = max A,  e = floor(exp(A - M) 2^f),  Z = sum of e,  w = floor(e 2^f / Z)

The order matters. A real softmax value 1 - eps rounds down to 1 - 2^-f. With the exponentials floored first, competitors
below 2^-f are 0 and the weight is exactly 1, which is what the papers' constructions need.
"""

from __future__ import annotations

from typing import final

import numpy as np
import torch
from torch import Tensor

from separatrix.arithmetic.fast_exponential import floor_exp_each
from separatrix.arithmetic.format import Format
from separatrix.arithmetic.grid import GridPoint
from separatrix.arithmetic.integers import Integers, floor_quotient, total
from separatrix.arithmetic.operators import Values
from separatrix.arithmetic.rounding import floor_scaled, floor_shift
from separatrix.arithmetic.visible import hide, visible_array
from separatrix.errors import BadInput


@final
class FixedPoint(GridPoint):
    """Sign, r integer and f fractional bits. Weights and biases must lie on the grid."""

    def __init__(self, format: Format) -> None:
        super().__init__(format)
        self.lowest, self.highest = -(1 << (format.bits - 1)), (1 << (format.bits - 1)) - 1

    def round_shift(self, x: Integers, bits: int) -> Integers:
        return floor_shift(x, bits)

    def round_scaled(self, x: Tensor, bits: int) -> Tensor:
        return floor_scaled(x, bits)

    def outside(self, x: Tensor) -> Tensor:
        return (x >= 2.0 ** (self.format.bits - 1)) | (x < -(2.0 ** (self.format.bits - 1)))

    def parameter(self, x: Tensor, operator: str) -> Integers:
        wrong = self.off_grid(x)
        if wrong is not None:
            r = self.format.integer_bits
            raise BadInput(f"{self.format.name}: weights of {operator} must be multiples of 2^-{self.f} in [-2^{r}, 2^{r}), found {wrong}")
        return x.detach().to(torch.float64) * 2.0**self.f

    def reciprocal(self, count: int) -> int:
        return (1 << self.f) // count

    def softmax(self, a: Values, visible: Tensor | None) -> Values:
        e = self.exponentials(a, visible)
        Z = total(e)
        least = Z.clamp(min=1) if isinstance(Z, Tensor) else np.maximum(Z, 1)  # Z >= 2^f, but 0 where no key is visible
        return self.contain(floor_quotient(e, least, self.f))

    def exponentials(self, a: Values, visible: Tensor | None) -> Integers:
        """e = floor(exp(A - M) 2^f), and 0 at hidden keys, which have no part in M."""
        if isinstance(a, Tensor):
            hidden = hide(a, visible)
            M = hidden.amax(dim=-1, keepdim=True)
            return floor_exp_each(hidden - M.masked_fill(M.isneginf(), 0.0), self.f)
        see = visible_array(a.shape, visible)
        M = np.where(see, a, self.lowest).max(axis=-1, keepdims=True)
        return np.where(see, floor_exp_each(np.where(see, a - M, 0), self.f), 0)
