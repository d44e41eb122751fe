"""Almost orthogonal signs from quadratic forms over GF(2^m): subcodes of the second-order Reed-Muller code, extended BCH codes.

[bhattamishra2024 Lemma 2; proof B.3]

    k = 2^m        dimensions, one for each x in GF(2^m)         u = floor(m / 2)
    d              how many Frobenius exponents are used         S = {1} and {1 + 2^j : u - d < j <= u}
    T(i)_x = (-1)^(a_0 + sum over s in S of <a_s, bits(x^s)>),   i = (a_0, a_1, a_s, ...) in binary

Theorem: two different positions have |<T(i), T(j)>| <= 2^(m + d - 1 - u), that is coherence 2^(d - 1 - u), or T(j) = -T(i).
Without a_0 the bound holds for absolute values. For d = 0 different positions are orthogonal or antipodes.
Proof: every linear functional is a trace, so the difference is a sum of Tr(a_j x^(1 + 2^j)) and a linear part. Its bilinear form is
Tr(y L(x)), L(x) = sum_j a_j x^(2^j) + (a_j x)^(2^(m - j)). The Frobenius powers j and m - j lie between u - d + 1 and m - u + d - 1,
so L is, up to an automorphism, a polynomial of degree at most 2^r with r = 2d - 2 + (m mod 2). It is not 0 unless the form is: for
j = m/2 the two terms merge into (a_j + a_j^(2^j)) x^(2^j), whose coefficient is 0 only if the form is. So the radical has dimension
at most r < m, and a quadratic form with a radical of dimension r has |sum_x (-1)^form| = 0 or 2^((m + r) / 2).
A linear form other than 0 sums to 0.

Coherence 1/4 is d = u - 1: m = 3, 4, 5, 6, 7 with S = {1}, {1, 5}, {1, 5}, {1, 5, 9}, {1, 5, 9} carry 2^4, 2^7, 2^11, 2^16, 2^22
positions. The dimension is 2^O(sqrt(log N)), less than a random choice needs for every N in practice, more in the limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil

import numpy as np

from separatrix.bits import ceil_log2
from separatrix.constructions.parts.codes.codewords import Generator
from separatrix.constructions.parts.codes.galois import Elements, galois_field
from separatrix.constructions.parts.codes.sign_code import Code, check_positions, check_stored, exact_coherence

FAMILY = "code-qf"


@dataclass(frozen=True)
class QuadraticForms:
    """The member of the family over GF(2^m) with d quadratic exponents."""

    m: int
    d: int
    two_sided: bool = False  # leave out a_0, so that the bound holds for absolute values

    @property
    def dims(self) -> int:
        """k = 2^m, the number of dimensions."""
        return 1 << self.m

    @property
    def exponents(self) -> tuple[int, ...]:
        """S, the exponents of the forms."""
        u = self.m // 2
        return (1, *(1 + (1 << j) for j in range(u - self.d + 1, u + 1)))

    @property
    def bits(self) -> int:
        """Digits of a position; the exponent 1 + 2^(m/2) of an even m lies in the subfield of half the degree."""
        halved = self.m // 2 if self.d and self.m % 2 == 0 else 0
        return (0 if self.two_sided else 1) + self.m * (1 + self.d) - halved

    @property
    def coherence(self) -> Fraction:
        """2^(d - 1 - u), or 0 for linear forms alone."""
        return Fraction(1, 1 << (self.m // 2 + 1 - self.d)) if self.d else Fraction(0)

    def generator(self) -> Generator:
        """G [k, bits]: columns a_0, then the bits of x^s for each s, the independent ones."""
        check_stored(FAMILY, self.dims, self.bits)
        field = galois_field(self.m)
        columns = [] if self.two_sided else [np.ones(self.dims, dtype=np.int64)]
        for s in self.exponents:
            image = field.power(field.elements, s)
            columns += _independent([(image >> t) & 1 for t in range(self.m)])
        G: Generator = np.stack(columns, axis=1).astype(np.uint8)
        assert G.shape == (self.dims, self.bits)
        return G

    def code(self) -> Code:
        """The addresses, with the coherence of the theorem."""
        return Code(FAMILY, self.generator(), self.coherence, "theorem", self.two_sided)


def quadratic_forms(N: int, gamma: float | Fraction = Fraction(1, 4), two_sided: bool = False) -> QuadraticForms:
    """The smallest member that carries N positions at coherence gamma."""
    check_positions(N)
    e = ceil_log2(ceil(1 / exact_coherence(gamma)))  # the least e with 2^(-e) <= gamma
    members = (QuadraticForms(m, max(0, m // 2 + 1 - e), two_sided) for m in count(1))
    return next(member for member in members if 1 << member.bits >= N)


def _independent(columns: list[Elements]) -> list[Elements]:
    """The columns that are not a sum of earlier ones over GF(2)."""
    independent, reduced = [], dict[int, int]()  # leading bit -> a sum of independent columns with that leading bit
    for column in columns:
        rest = int.from_bytes(np.packbits(column.astype(np.uint8)).tobytes(), "big")
        while rest and rest.bit_length() in reduced:
            rest ^= reduced[rest.bit_length()]
        if rest:
            reduced[rest.bit_length()] = rest
            independent.append(column)
    return independent
