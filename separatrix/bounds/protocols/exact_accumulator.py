"""Sums of floats without rounding: whole numbers in units of the smallest float, rounded once at the end.

[bhattamishra2024 Footnote 4]

Notation   f  the smallest float above 0 is 2^-f      E  every float is below 2^E      p  bits of a float

Every float is a whole number of 2^-f and every product of two floats one of 2^-2f, so integers add them up exactly, in any order and
in any number of parts. Two parties need this, because floating-point addition is not associative.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import ldexp
from typing import Any

import numpy as np

from separatrix.errors import BadInput


@dataclass(frozen=True)
class FloatFormat:
    """A native binary floating-point format."""

    name: str
    bits: int
    significant: int  # bits of a normal number's significand, including the leading 1
    f: int
    E: int
    dtype: type[np.floating[Any]]
    packed: str  # of `struct`, most significant byte first

    @property
    def fixed_bits(self) -> int:
        """p of the smallest fixed-point format `fixed:p,f` that holds every float: a sign, E integer and f fractional bits."""
        return 1 + self.E + self.f

    def whole(self, x: float) -> int:
        """A finite float in units of 2^-f."""
        numerator, denominator = x.as_integer_ratio()
        return numerator << (self.f - (denominator.bit_length() - 1))

    def rounded(self, number: int, bits: int) -> float:
        """The float nearest to number / 2^bits, ties to even, gradual underflow; refuses numbers beyond the largest float."""
        magnitude = abs(number)
        drop = max(magnitude.bit_length() - self.significant, bits - self.f)  # digits below the last one of the float
        if drop > 0:
            quotient, rest = divmod(magnitude, 1 << drop)
            half = 1 << (drop - 1)
            magnitude = quotient + (rest > half or (rest == half and quotient & 1))
        else:
            drop = 0
        if (magnitude << drop) >> bits >= 1 << self.E:
            raise BadInput(f"a sum over keys lies beyond the largest {self.name}")
        return ldexp(magnitude if number >= 0 else -magnitude, drop - bits)

    def written(self, x: float) -> str:
        """The bits of a float as the machine stores it."""
        return "".join(format(byte, "08b") for byte in struct.pack(self.packed, x))


FLOATS = {
    "float64": FloatFormat("float64", 64, 53, 1074, 1024, np.float64, ">d"),
    "float32": FloatFormat("float32", 32, 24, 149, 128, np.float32, ">f"),
}
