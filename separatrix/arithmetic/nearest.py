"""Fixed point, rounded to nearest, ties to even: `nearest:p`, and `nearest:p,strict` where overflow raises.

[wen2024 Clarification 3; ties and overflow made precise] [wen2024 Assumption 2; fixed point, as its text defines it]

Sign and magnitude, F = (p - 1) / 2 integer and F fractional bits, so the largest number is 2^F - 2^-F.
A computation is exact and its result is rounded at the end, once per operator; weights are rounded too.
An attention weight is the real softmax of the stored logits, rounded. Overflow saturates, or raises in strict mode:
there, also in a logit that a mask would hide, because the operators know no masks before the softmax.
"""

from __future__ import annotations

from typing import final

from torch import Tensor

from separatrix.arithmetic.exact_softmax import nearest_quotient
from separatrix.arithmetic.fast_softmax import softmax_to_nearest_each
from separatrix.arithmetic.format import Format
from separatrix.arithmetic.grid import GridPoint
from separatrix.arithmetic.integers import INT64_HOLDS, Integers
from separatrix.arithmetic.operators import Values
from separatrix.arithmetic.rounding import clamp, nearest_scaled, nearest_shift
from separatrix.errors import BadInput


@final
class NearestPoint(GridPoint):
    """R_p: multiples of 2^-F of magnitude below 2^F.

    [wen2024 Equation 5]
    """

    def __init__(self, format: Format) -> None:
        super().__init__(format)
        self.highest = (1 << (format.bits - 1)) - 1
        self.lowest = -self.highest

    def round_shift(self, x: Integers, bits: int) -> Integers:
        return nearest_shift(x, bits)

    def round_scaled(self, x: Tensor, bits: int) -> Tensor:
        return nearest_scaled(x, bits)

    def outside(self, x: Tensor) -> Tensor:
        return x.abs() >= 2.0 ** (self.format.bits - 1)

    def fit(self, x: Integers, operator: str) -> Integers:
        if self.format.strict:
            self.refuse_overflow(x, operator)
        return clamp(x, self.lowest, self.highest)

    def refuse_overflow(self, x: Integers, operator: str) -> None:
        """Refuse overflow with one line that names the operator and the first value, in reading order, outside the format."""
        if not isinstance(x, Tensor):
            outside = [value for value in x.flat if abs(value) > self.highest][:1]
        else:
            outside = x[self.outside(x) if x.is_floating_point() else x.abs() > min(self.highest, INT64_HOLDS)][:1].tolist()
        for value in outside:
            raise BadInput(f"{self.format.name}: {operator} overflows: expected magnitudes below 2^{self.f}, found {self._real(value)}")

    def _real(self, value: int | float) -> str:
        try:
            return str(value / 2.0**self.f if isinstance(value, float) else value / (1 << self.f))
        except OverflowError:
            return f"{'-' * (value < 0)}2^{abs(int(value)).bit_length() - 1 - self.f} and more"

    def parameter(self, x: Tensor, operator: str) -> Integers:
        return self.rounded(x, f"a weight of {operator}")

    def reciprocal(self, count: int) -> int:
        return nearest_quotient(1 << self.f, count)

    def softmax(self, a: Values, visible: Tensor | None) -> Values:
        return softmax_to_nearest_each(a, visible, self.f)
