"""How many almost orthogonal vectors k dimensions hold: the question of `near_orthogonal`, asked the other way round.

[bhattamishra2024 Lemma 2; proof B.3]

    k  dimensions      N  the largest number of vectors whose family needs at most k of them      gamma  coherence

The codes hold a power of two. Random signs hold N with (8 / gamma^2) ln 2N <= k, the paper's, or (4 / gamma^2) ln N <= k, Hoeffding's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log2

from separatrix.constructions.parts.codes.quadratic_forms import quadratic_forms
from separatrix.constructions.parts.codes.random_signs import hoeffding_dimensions, paper_dimensions
from separatrix.constructions.parts.codes.reed_solomon import reed_solomon
from separatrix.constructions.parts.codes.sign_code import Proof, exact_coherence
from separatrix.errors import BadInput

MOST_DIMENSIONS = 1 << 20
WRITTEN_OUT = 53  # numbers of vectors below 2^53 are exact, also in JSON; above it their logarithm is

_Capacity = tuple[str, int | None, float | None, Fraction | None, Proof, str]  # a Capacity without what follows from the others


@dataclass(frozen=True)
class Capacity:
    """What one family holds in k dimensions."""

    family: str
    vectors: int | None  # None: more than 2^53, or any number
    log2_vectors: float | None  # None: no vector, or any number
    coherence: Fraction | None  # a bound on <T(i), T(j)> / <T(i), T(i)> for i != j; None if products are not of that kind
    known: Proof
    meets: bool
    note: str


def capacity(k: int, gamma: float | Fraction = Fraction(1, 4)) -> list[Capacity]:
    """Each family in k dimensions at coherence gamma."""
    if not 1 <= k <= MOST_DIMENSIONS:
        raise BadInput(f"the number of dimensions must lie in 1..{MOST_DIMENSIONS}, found {k}")
    bound = exact_coherence(gamma)
    rows: list[_Capacity] = [
        _code("code-qf", _most_bits(lambda N: quadratic_forms(N, bound).dims, k), bound, "quadratic forms over GF(2^m)"),
        _code("code-rs", _most_bits(lambda N: reed_solomon(N, bound).dims, k), bound, "polynomials over GF(2^b), biorthogonal words"),
        _random("random", lambda N: paper_dimensions(N, bound), k, bound, "the paper's k"),
        _random("random-hoeffding", lambda N: hoeffding_dimensions(N, bound), k, bound, "Hoeffding's exponent, one side"),
        ("one-hot", k, log2(k), Fraction(0), "theorem", "exactly orthogonal"),
        ("binary", *_powers(k), Fraction(k - 2, k), "theorem", "the digits of i as signs; enough for attention"),
        ("quadratic", 0 if k < 2 else None, None, None, "theorem", "any number, in two dimensions" if k > 1 else "needs two dimensions"),
    ]  # fmt: skip
    return [Capacity(name, count, log, at, known, at is not None and at <= bound, note) for name, count, log, at, known, note in rows]


def _code(family: str, bits: int | None, bound: Fraction, note: str) -> _Capacity:
    """A code holds 2^bits positions."""
    count, log = (0, None) if bits is None else _powers(bits)
    return family, count, log, bound, "theorem", note


def _powers(bits: int) -> tuple[int | None, float]:
    return (1 << bits if bits < WRITTEN_OUT else None), float(bits)


def _random(family: str, dimensions: Callable[[int], int], k: int, bound: Fraction, note: str) -> _Capacity:
    """Random signs: a draw of so many succeeds with probability at least 1/2."""
    said = f"{note}; a draw succeeds with probability at least 1/2"
    bits = _most_bits(dimensions, k)
    if bits is None:
        return family, 0, None, bound, "theorem", f"{note}: a single vector needs {dimensions(1)}"
    if bits >= WRITTEN_OUT:
        return family, None, float(bits), bound, "theorem", said
    low, high = 1 << bits, 2 << bits  # low fits, high does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if dimensions(middle) <= k else (low, middle)
    return family, low, floor(log2(low) * 1000) / 1000, bound, "theorem", said


def _most_bits(dimensions: Callable[[int], int], k: int) -> int | None:
    """The largest e such that 2^e vectors fit, by doubling and halving; None if not even one fits. Dimensions do not fall with N."""
    if dimensions(1) > k:
        return None
    high = next(e for e in _doubled() if dimensions(1 << e) > k)
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if dimensions(1 << middle) <= k else (low, middle)
    return low


def _doubled() -> Iterator[int]:
    e = 1
    while True:
        yield e
        e *= 2
