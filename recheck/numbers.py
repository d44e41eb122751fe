"""Three arithmetics with the same operators: `fixed:p,f`, `nearest:p`, and Arb balls for float64 and float32.

The exact formats compute with Python integers in units of 2^-f, so a number here is the number that any correct program of the format has.

A ball holds every number that a program in floats may have. Each operator is the real function of its balls, with a radius added for
the roundings inside: a sum of k products is off by at most k u / (1 - k u) of the sum of their magnitudes, in any order and with
or without fused products, and a little for underflow. `exp` is taken to be right to 4 units in the last place, `tanh` and the sigmoid
to 8. So a decision that is clear in balls is the decision of the float program, under those assumptions about the library;
one that is not clear shows nothing, and the document is then not covered.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from typing import Any

from flint import arb, ctx, fmpq

from recheck.verdicts import Refused, Uncovered, require

ctx.prec = 160

Value = Any  # an integer in units of 2^-f, or a ball
Vector = list[Value]
Rows = Sequence[Sequence[tuple[int, Value]]]  # a matrix: for each row its numbers that are not 0, with their columns


@dataclass(frozen=True)
class Exact:
    """`fixed:p,f` (floor and clamp) or `nearest:p` (nearest even and saturate)."""

    bits: int
    fraction: int
    low: int
    high: int
    floors: bool

    exact = True

    def weight(self, number: Fraction) -> int:
        """A weight of the model: on the grid in `fixed`, rounded in `nearest`."""
        scaled = number * (1 << self.fraction)
        if self.floors:
            require(scaled.denominator == 1 and self.low <= scaled <= self.high, f"the weight {number} is not a number of the format")
        return self.clamp(self.rounded(scaled))

    def rounded(self, scaled: Fraction) -> int:
        """A number of units, to an integer."""
        return scaled.numerator // scaled.denominator if self.floors else round(scaled)

    def clamp(self, units: int) -> int:
        return max(self.low, min(self.high, units))

    def store(self, number: Fraction) -> int:
        """A real number, rounded once."""
        return self.clamp(self.rounded(number * (1 << self.fraction)))

    def linear(self, x: Sequence[int], rows: Rows, bias: Sequence[int] | None = None) -> list[int]:
        unit = 1 << self.fraction
        sums = [sum(x[j] * w for j, w in row) for row in rows]
        if bias is not None:
            sums = [s + b * unit for s, b in zip(sums, bias, strict=True)]
        return [self.clamp(self.rounded(Fraction(s, unit))) for s in sums]

    def add(self, a: int, b: int) -> int:
        return self.clamp(a + b)

    def product(self, a: int, b: int) -> int:
        return self.clamp(self.rounded(Fraction(a * b, 1 << self.fraction)))

    def relu(self, a: int) -> int:
        return max(a, 0)

    def softmax(self, logits: Sequence[int]) -> list[int]:
        unit, most = 1 << self.fraction, max(logits)
        if self.floors:
            powers = [unit if a == most else _decided(lambda a=a: _ball(Fraction(a - most, unit)).exp() * unit, floor=True) for a in logits]
            return [e * unit // sum(powers) for e in powers]
        if all(a == most for a in logits):
            return self.uniform(len(logits))
        return [_decided(lambda a=a: unit / sum((_ball(Fraction(b - a, unit)).exp() for b in logits), arb(0)), floor=False) for a in logits]

    def uniform(self, count: int) -> list[int]:
        return [self.rounded(Fraction(1 << self.fraction, count))] * count

    def hard(self, logits: Sequence[int], values: Sequence[list[int]]) -> list[int]:
        return values[logits.index(max(logits))]

    def lead(self, a: int, b: int) -> tuple[Fraction, Fraction]:
        """A lower and an upper bound of a - b."""
        return (Fraction(a - b, 1 << self.fraction),) * 2


@dataclass(frozen=True)
class Balls:
    """float64 or float32, as balls."""

    bits: int
    unit: arb  # the largest relative error of one rounding
    tiny: arb  # the least number, the largest absolute error by underflow
    huge: arb
    least: int = -1074  # the exponent of the least number

    exact = False

    def weight(self, number: Fraction) -> arb:
        return _ball(number)

    def off(self, value: arb, relative: int, magnitude: arb | None = None) -> arb:
        """A ball with the error of so many roundings of numbers up to a magnitude."""
        size = (abs(value) if magnitude is None else magnitude).upper()
        if not size < self.huge or not relative * self.unit < 0.5:
            raise Uncovered("a number may leave the range of the format")
        error = (size * relative * self.unit / (1 - relative * self.unit) + relative * self.tiny).upper()
        return value + arb(0, error)

    def linear(self, x: Sequence[arb], rows: Rows, bias: Sequence[arb] | None = None) -> list[arb]:
        result = []
        for i, row in enumerate(rows):
            read = [(x[j], w) for j, w in row if not bool(x[j] == 0)]  # `!=` says that a ball is certainly not 0
            if len(read) == 1 and (bias is None or bias[i] == 0):
                result.append(self.product(*read[0]))
            else:
                result.append(self.summed([a * w for a, w in read] + ([bias[i]] if bias is not None else [])))
        return result

    def summed(self, terms: list[arb]) -> arb:
        """A sum of products in any order; it is exact where all terms are multiples of a number that is not too small."""
        total = sum(terms, arb(0))
        size = sum((abs(t) for t in terms), arb(0))
        if all(t.is_exact() for t in terms):
            unit = min((int(t.man_exp()[1]) for t in terms if t != 0), default=0)
            if size < arb(2) ** unit * (1 / self.unit) and unit > self.least:
                return total
        return self.off(total, len(terms) + 1, size)

    def add(self, a: arb, b: arb) -> arb:
        return b if a == 0 else a if b == 0 else self.summed([a, b])

    def product(self, a: arb, b: arb) -> arb:
        """A factor of 0, 1 or -1 leaves the other's ball as it is; a product of balls has a radius that is rounded up."""
        for one, other in ((a, b), (b, a)):
            if one in (0, 1, -1):
                return arb(0) if one == 0 else other if one == 1 else -other
        return self.summed([a * b])

    def relu(self, a: arb) -> arb:
        return a.max(arb(0))

    def tanh(self, a: arb) -> arb:
        return _between(self.off(a.tanh(), 16), -1, 1)

    def sigmoid(self, a: arb) -> arb:
        return arb(0) if self.vanishes(a) else _between(self.off(1 / (1 + (-a).exp()), 16), 0, 1)

    def vanishes(self, a: arb) -> bool:
        """Whether e^a is less than half of the least number."""
        return bool(a.upper() < (self.least - 2) * arb(2).log())

    def exp(self, a: arb) -> arb:
        """1 at 0, and 0 below the range."""
        if a == 0 or self.vanishes(a):
            return arb(int(a == 0))
        return self.off(a.exp(), 8).max(arb(0))

    def softplus(self, a: arb) -> arb:
        """log(1 + e^a); libraries leave a as it is where that is nearly the same, from 20 on."""
        soft = arb(0) if self.vanishes(a) else self.off(a.exp().log1p(), 32)
        return soft.union(a) if a.upper() > 19 else soft

    def silu(self, a: arb) -> arb:
        return self.product(a, self.sigmoid(a))

    def gelu(self, a: arb) -> arb:
        inside = self.off((2 / arb.pi()).sqrt() * (a + a * a * a * arb("0.044715")), 16)
        return self.off(a * self.off(1 + self.tanh(inside), 2) / 2, 4)

    def root(self, squares: Sequence[arb], divisor: int, small: Fraction) -> arb:
        """1 / sqrt(sum of squares / divisor + small)."""
        total = sum((_square(a) for a in squares), arb(0)) / divisor + _ball(small)
        return self.off(self.off(total, len(squares) + 6).rsqrt(), 8)

    def centred(self, x: Sequence[arb]) -> list[arb]:
        """The numbers less their mean."""
        mean = self.off(sum(x, arb(0)) / len(x), len(x) + 2, sum((abs(a) for a in x), arb(0)) / len(x))
        return [self.add(a, -mean) for a in x]

    def softmax(self, logits: Sequence[arb]) -> list[arb]:
        """Shares; the numerator of each appears once in its own share, so the balls stay narrow."""
        most = max((a.mid() for a in logits), key=float)
        powers = [(a - most).exp() for a in logits]
        before, behind = (list(accumulate(some, initial=arb(0)))[:-1] for some in (powers, powers[::-1]))
        around = [a + b for a, b in zip(before, reversed(behind), strict=True)]
        spread = max(float(a.upper()) for a in logits) - min(float(a.lower()) for a in logits)
        if not spread < 2**40:
            raise Uncovered("logits too far apart for a softmax in balls")
        roundings = 2 * (int(spread) + 11) + len(logits) + 2
        shares = (1 / (1 + rest / power) for rest, power in zip(around, powers, strict=True))
        return [_between(self.off(share, roundings) + arb(0, (self.tiny * 8).upper()), 0, 2) for share in shares]

    def uniform(self, count: int) -> list[arb]:
        return [self.off(arb(1) / count, 1)] * count

    def hard(self, logits: Sequence[arb], values: Sequence[list[arb]]) -> list[arb]:
        """All values that may be the one at the first largest logit, in one box."""
        return boxed([v for a, v in zip(logits, values, strict=True) if not any(a < b for b in logits)])

    def lead(self, a: arb, b: arb) -> tuple[Fraction, Fraction]:
        gap = a - b
        if not gap.is_finite():
            raise Uncovered("a logit that is not finite in balls")
        return fraction(gap.lower()), fraction(gap.upper())


def arithmetic(name: object) -> Exact | Balls:
    """The arithmetic that a model names."""
    require(isinstance(name, str), "arithmetic: expected a name")
    text = str(name)
    if text in ("float16", "bfloat16"):
        raise Refused(f"arithmetic: {text} is not one function across processors")
    if text in ("float64", "float32"):
        bits, digits, least, largest = (64, 53, -1074, 1023) if text == "float64" else (32, 24, -149, 127)
        return Balls(bits, arb(2) ** -digits, arb(2) ** least, arb(2) ** largest, least)
    if found := re.fullmatch(r"fixed:([1-9][0-9]{0,3}),(0|[1-9][0-9]{0,3})", text):
        p, f = int(found[1]), int(found[2])
        require(f < p <= 1024, f"arithmetic: {text} has no such bits")
        return Exact(p, f, -(1 << (p - 1)), (1 << (p - 1)) - 1, floors=True)
    if found := re.fullmatch(r"nearest:([1-9][0-9]{0,3})", text):
        p = int(found[1])
        require(p % 2 == 1 and 3 <= p <= 1024, f"arithmetic: {text} has no such bits")
        return Exact(p, (p - 1) // 2, 1 - (1 << (p - 1)), (1 << (p - 1)) - 1, floors=False)
    raise Uncovered(f"arithmetic {text}")


def _ball(number: Fraction) -> arb:
    """The exact number, or a ball around it."""
    return arb(fmpq(number.numerator, number.denominator))


def fraction(point: arb) -> Fraction:
    """The exact value of a ball without radius."""
    mantissa, exponent = point.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _between(value: arb, low: int, high: int) -> arb:
    return value.max(arb(low)).min(arb(high))


def _square(a: arb) -> arb:
    """The square of a ball, which is never negative."""
    return (a.abs_lower() ** 2).union(a.abs_upper() ** 2)


def boxed(vectors: Sequence[Vector]) -> Vector:
    """One box around all."""
    return [reduce(arb.union, column) for column in zip(*vectors, strict=True)]


def _decided(value: Any, floor: bool) -> int:
    """The floor, or the nearest integer, of a real number given at any precision; it is never a tie."""
    before = ctx.prec
    try:
        for precision in (160, 640, 2560, 10240):
            ctx.prec = precision
            found = (value() + (0 if floor else arb(1) / 2)).floor().unique_fmpz()
            if found is not None:
                return int(found)
    finally:
        ctx.prec = before
    raise Uncovered("an exponential too close to a number of the format")
