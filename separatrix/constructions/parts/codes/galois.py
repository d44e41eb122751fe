"""The fields GF(2^m) by tables of powers and logarithms.

An element is an integer 0..2^m - 1 whose bits are the coefficients of a polynomial in x over GF(2), lowest first.
Addition is exclusive or. x generates the non-zero elements because each modulus is primitive.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from separatrix.errors import BadInput

Elements = npt.NDArray[np.int64]

PRIMITIVE = {  # m -> a primitive polynomial of degree m, bit j the coefficient of x^j
    1: 0b11,
    2: 0b111,
    3: 0b1011,
    4: 0b10011,  # x^4 + x + 1
    5: 0b100101,  # x^5 + x^2 + 1
    6: 0b1000011,  # x^6 + x + 1
    7: 0b10001001,  # x^7 + x^3 + 1
    8: 0b100011101,
    9: 0b1000010001,
    10: 0b10000001001,
    11: 0b100000000101,
    12: 0b1000001010011,
    13: 0b10000000011011,
    14: 0b100010001000011,
    15: 0b1000000000000011,
    16: 0b10001000000001011,
}


@dataclass(frozen=True, eq=False)
class Field:
    """The finite field GF(2^m)."""

    m: int
    powers: Elements  # powers[e] = x^e for e = 0..2^m - 2
    logarithms: Elements  # logarithms[x^e] = e; the entry of 0 has no meaning

    @property
    def size(self) -> int:
        """q = 2^m, the number of elements."""
        return 1 << self.m

    @property
    def elements(self) -> Elements:
        """Its elements as integers 0 .. 2^m - 1."""
        return np.arange(self.size)

    def product(self, a: npt.ArrayLike, b: npt.ArrayLike) -> Elements:
        """a b, element by element; shapes broadcast."""
        left, right = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        result = self.powers[(self.logarithms[left] + self.logarithms[right]) % (self.size - 1)]
        return np.where((left == 0) | (right == 0), 0, result)

    def power(self, a: npt.ArrayLike, exponent: int) -> Elements:
        """a^exponent for an exponent >= 0, with a^0 = 1 also at a = 0."""
        base = np.asarray(a, dtype=np.int64)
        if exponent == 0:
            return np.ones_like(base)
        return np.where(base == 0, 0, self.powers[(self.logarithms[base] * exponent) % (self.size - 1)])


def galois_field(m: int) -> Field:
    """GF(2^m) with x a generator of the non-zero elements."""
    if m not in PRIMITIVE:
        raise BadInput(f"the field GF(2^m) is tabulated for 1 <= m <= {max(PRIMITIVE)}, found m = {m}")
    q = 1 << m
    powers, logarithms = np.zeros(q - 1, dtype=np.int64), np.zeros(q, dtype=np.int64)
    element = 1
    for exponent in range(q - 1):
        powers[exponent], logarithms[element] = element, exponent
        element <<= 1
        if element & q:
            element ^= PRIMITIVE[m]
    return Field(m, powers, logarithms)
