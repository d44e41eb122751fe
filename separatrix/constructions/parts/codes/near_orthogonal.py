"""N almost orthogonal vectors in few dimensions: every family we have, and the best of them.

[bhattamishra2024 Lemma 2; proof B.3]

The paper draws random signs. Two linear codes do better for every N that a model will see, and their coherence is a theorem that
an enumeration of all codewords confirms. The binary digits and (i, i^2) are not almost orthogonal, yet attention can read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from separatrix.bits import bits_for
from separatrix.constructions.parts.codes.codewords import enumerable
from separatrix.constructions.parts.codes.quadratic_forms import QuadraticForms, quadratic_forms
from separatrix.constructions.parts.codes.random_signs import (
    drawable,
    hoeffding_dimensions,
    measured_coherence,
    paper_dimensions,
    random_signs,
)
from separatrix.constructions.parts.codes.reed_solomon import ReedSolomon, reed_solomon
from separatrix.constructions.parts.codes.sign_code import Code, Proof, check_positions, enumerated, exact_coherence

MOST_COMPARED = 1 << 33  # N^2 k products of random signs: less than a second
QUARTER = Fraction(1, 4)

_Row = tuple[str, int, Fraction | None, Proof, int, str]  # a Family without what all rows share


@dataclass(frozen=True)
class Family:
    """The costs of one family for N positions."""

    family: str
    dimensions: int
    coherence: Fraction | None  # a bound on <T(i), T(j)> / <T(i), T(i)> for i != j; None if products are not of that kind
    known: Proof  # how the coherence is known
    stored_bits: int  # bits stored to generate the vectors
    meets: bool  # whether the coherence is at most the requested one
    paper_dimensions: int  # the paper's k, for comparison
    note: str


def almost_orthogonal(N: int, gamma: float | Fraction = QUARTER, two_sided: bool = False) -> Code:
    """T(1), ..., T(N) with <T(i), T(j)> <= gamma k for i != j, in the fewest dimensions of the two codes.

    [bhattamishra2024 Corollary 8.1]

    A vector's product with itself is exactly k, so at the default gamma = 1/4 the gap is 3/4 of it.
    With `two_sided` the bound holds for absolute values.
    """
    forms, outer = quadratic_forms(N, gamma, two_sided), reed_solomon(N, gamma, two_sided)
    member: QuadraticForms | ReedSolomon = forms if forms.dims <= outer.dims else outer
    code = member.code()
    return enumerated(code) if enumerable(code.dims, code.bits) else code


def families(N: int, gamma: float | Fraction = QUARTER) -> list[Family]:
    """Each family at N positions and coherence gamma."""
    check_positions(N)
    bound = exact_coherence(gamma)
    paper = paper_dimensions(N, bound)
    forms, outer = quadratic_forms(N, bound), reed_solomon(N, bound)
    L = bits_for(N)
    rows: list[_Row] = [
        _code("code-qf", forms, f"quadratic forms over GF(2^{forms.m}), exponents {', '.join(map(str, forms.exponents))}"),
        _code("code-rs", outer, f"polynomials of degree below {outer.K} over GF(2^{outer.b}) at {outer.n} points, biorthogonal words"),
        _random("random", N, paper, bound, "the paper's k"),
        _random("random-hoeffding", N, hoeffding_dimensions(N, bound), bound, "Hoeffding's exponent, one side"),
        ("one-hot", N, Fraction(0), "theorem", 0, "exactly orthogonal"),
        ("binary", L, Fraction(L - 2, L), "theorem", L * L, "the digits of i as signs; enough for attention"),
        ("quadratic", 2, None, "theorem", 0, "(i, i^2) against (2p, -1): the product p^2 - (i - p)^2 is largest at i = p"),
    ]  # fmt: skip
    return [
        Family(family, dims, coherence, known, stored, coherence is not None and coherence <= bound, paper, note)
        for family, dims, coherence, known, stored, note in rows
    ]


def _code(family: str, member: QuadraticForms | ReedSolomon, note: str) -> _Row:
    """A code, enumerated if that is quick."""
    stored = member.dims * member.bits
    if enumerable(member.dims, member.bits):
        return family, member.dims, enumerated(member.code()).coherence, "enumeration", stored, note
    return family, member.dims, member.coherence, "theorem", stored, note


def _random(family: str, N: int, k: int, bound: Fraction, note: str) -> _Row:
    """Random signs, measured if that is quick."""
    if drawable(N, k) and N * N * k <= MOST_COMPARED:
        return family, k, measured_coherence(random_signs(N, k)), "measured", N * k, f"{note}; seed 0"
    return family, k, bound, "theorem", N * k, f"{note}; a draw succeeds with probability at least 1/2, this one was not measured"
