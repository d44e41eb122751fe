"""A sign address T(i) = (-1)^(G bits(i)) with its coherence and the proof of it.

[bhattamishra2024 Remark 10]

Only G is stored. T(i) is computed on demand from the log2 N digits of i, and one coordinate of it from one row of G.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from separatrix.constructions.parts.codes.codewords import Generator, coherence_of, two_sided_coherence_of, weight_enumerator
from separatrix.errors import BadInput

Signs = npt.NDArray[np.int8]
Proof = Literal["enumeration", "theorem", "measured"]

MOST_STORED = 1 << 24  # the most entries of a generator


@dataclass(frozen=True, eq=False)
class Code:
    """Addresses of 2^bits positions, <T(i), T(j)> <= coherence k for i != j and = k for i = j."""

    family: str
    generator: Generator  # [dims, bits], zeros and ones; column t belongs to bit t of the position
    coherence: Fraction  # one-sided, or of absolute values if two_sided
    proof: Proof
    two_sided: bool = False

    @property
    def dims(self) -> int:
        """k, the number of dimensions."""
        return int(self.generator.shape[0])

    @property
    def bits(self) -> int:
        """How many binary digits number the positions."""
        return int(self.generator.shape[1])

    @property
    def stored_bits(self) -> int:
        """Bits of the generator matrix G."""
        return self.dims * self.bits

    def address(self, i: int) -> Signs:
        """T(i), [dims]; i counts modulo 2^bits, so that 1..2^bits are all different."""
        digits = np.array([(i >> t) & 1 for t in range(self.bits)], dtype=np.int64)
        return (1 - 2 * ((self.generator @ digits) & 1)).astype(np.int8)

    def addresses(self, N: int) -> Signs:
        """T(1), ..., T(N), [N, dims]."""
        if check_positions(N) > 1 << self.bits:
            raise BadInput(f"N = {N} lies outside [1, 2^{self.bits}], the positions that this {self.family} distinguishes")
        digits = (np.arange(1, N + 1)[:, None] >> np.minimum(np.arange(self.bits), 62)) & 1
        # at most `bits` ones are added, exactly; floating point makes the product fast
        return (1 - 2 * ((digits.astype(np.float32) @ self.generator.T.astype(np.float32)) % 2)).astype(np.int8)


def enumerated(code: Code) -> Code:
    """The code with its exact coherence, by counting all codewords."""
    counts = weight_enumerator(code.generator)
    exact = two_sided_coherence_of(counts) if code.two_sided else coherence_of(counts)
    return Code(code.family, code.generator, exact, "enumeration", code.two_sided)


def check_positions(N: int) -> int:
    """N, if it is a number of positions."""
    if isinstance(N, bool) or not isinstance(N, int) or N < 1:
        raise BadInput(f"the number of positions N must be an integer of at least 1, found {N!r:.40}")
    return N


def exact_coherence(gamma: float | Fraction) -> Fraction:
    """gamma as a fraction, a float read as the decimal it is printed as: 0.1 means 1/10."""
    try:
        exact = gamma if isinstance(gamma, Fraction) else Fraction(str(gamma))
    except ValueError:
        exact = Fraction(0)
    if not 0 < exact < 1:
        raise BadInput(f"the coherence must lie strictly between 0 and 1, found {gamma!s:.40}")
    return exact


def check_stored(family: str, dims: int, bits: int) -> None:
    """Refuse a generator that is too large."""
    if dims * bits > MOST_STORED:
        raise BadInput(f"{family}: a generator of {dims} x {bits} bits is too large, expected at most 2^24 bits")
