"""Almost orthogonal signs for any N and any coherence: Reed-Solomon over biorthogonal words.

[bhattamishra2024 Lemma 2; proof B.3]

    q = 2^b    the field GF(q)                              K    digits of a position in base q, the coefficients of a polynomial
    n <= q     points at which it is evaluated              k    n q / 2 dimensions

Each value of the polynomial, b bits, is written as one of the q words +-(rows of the Hadamard matrix of order q / 2).
Theorem: <T(i), T(j)> / k <= (K - 1) / n for i != j. Proof: two polynomials of degree below K agree in at most K - 1 of n points;
where they agree the words contribute q / 2, elsewhere the words are orthogonal or antipodes and contribute at most 0.
Two-sided: the rows of the Hadamard matrix of order q without signs, k = n q. All products then lie in [0, (K - 1) k / n].

Every step is linear over GF(2), so this too is a generator matrix.
The dimension is O((L / log L)^2) with L = log N / gamma: less than a random choice needs for every N in practice, more in the limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from separatrix.bits import bits_for
from separatrix.constructions.parts.codes.codewords import Generator
from separatrix.constructions.parts.codes.galois import Elements, galois_field
from separatrix.constructions.parts.codes.sign_code import Code, check_positions, check_stored, exact_coherence

FAMILY = "code-rs"


@dataclass(frozen=True)
class ReedSolomon:
    """Polynomials of degree below K over GF(2^b), evaluated at n points."""

    b: int
    K: int
    n: int
    two_sided: bool = False

    @property
    def inner(self) -> int:
        """Length of the word of one value."""
        return 1 << (self.b if self.two_sided else self.b - 1)

    @property
    def dims(self) -> int:
        """k, the number of dimensions."""
        return self.n * self.inner

    @property
    def bits(self) -> int:
        """Digits of a position in base 2."""
        return self.b * self.K

    @property
    def coherence(self) -> Fraction:
        """The largest inner product of two addresses: (K - 1) / n."""
        return Fraction(self.K - 1, self.n)

    def generator(self) -> Generator:
        """G [k, bits]: row (point, y), column (coefficient, bit)."""
        check_stored(FAMILY, self.dims, self.bits)
        field, b = galois_field(self.b), self.b
        powers = np.stack([field.power(field.elements[: self.n], e) for e in range(self.K)], axis=1)  # x^e: [n, K]
        values = field.product(powers[:, :, None], 1 << np.arange(b))  # c x^e at each point, c of one bit: [n, K, b]
        y = np.arange(self.inner)
        masks = y if self.two_sided else 2 * y + 1  # bit 0 of a value is the sign, the others choose the row
        G: Generator = _odd(values[:, None] & masks[:, None, None]).reshape(self.dims, self.bits)
        return G

    def code(self) -> Code:
        """The addresses, with the coherence of the theorem."""
        return Code(FAMILY, self.generator(), self.coherence, "theorem", self.two_sided)


def reed_solomon(N: int, gamma: float | Fraction = Fraction(1, 4), two_sided: bool = False) -> ReedSolomon:
    """The member with the fewest dimensions that carries N positions at coherence gamma."""
    L = bits_for(check_positions(N))
    bound = exact_coherence(gamma)
    members = []
    for b in range(1, L + 1):
        K = -(-L // b)
        n = max(1, ceil((K - 1) / bound))  # one point tells constants apart
        if n <= 1 << b:
            members.append(ReedSolomon(b, K, n, two_sided))
    return min(members, key=lambda member: (member.dims, member.bits))  # b = L always qualifies: K = 1


def _odd(values: Elements) -> Generator:
    """The parity of the number of ones of integers below 2^16."""
    folded = values
    for shift in (8, 4, 2, 1):
        folded = folded ^ (folded >> shift)
    return (folded & 1).astype(np.uint8)
