"""What a number format can hold: its largest number, its integers, its grid; refuses weights that do not fit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from separatrix.arithmetic import Format
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.constructions.forms import Array

MANTISSA = {"float64": 52, "float32": 23, "bfloat16": 7, "float16": 10}  # bits after the leading one
EXPONENT = {"float64": 11, "float32": 8, "bfloat16": 8, "float16": 5}
FLOAT64_BITS = 53


def mantissa_bits(format: Format) -> int:
    """Bits after the leading one of a floating-point number."""
    return MANTISSA.get(format.name, format.fraction)


def largest_exponent(format: Format) -> int:
    """The largest e with 2^e a finite number of a floating-point format."""
    exponent = EXPONENT.get(format.name, format.bits - 1 - format.fraction)
    return (1 << (exponent - 1)) - 1


def largest_number(format: Format) -> float:
    """The largest number of the format."""
    if format.exact:
        return 2.0**format.integer_bits - 2.0**-format.fraction
    return (2 - 2.0 ** -mantissa_bits(format)) * math.ldexp(1.0, largest_exponent(format))


def exact_integers(format: Format) -> float:
    """All integers up to this are numbers of the format."""
    return 2.0**format.integer_bits - 1 if format.exact else 2.0 ** (mantissa_bits(format) + 1)


def next_representable(integer: int, format: Format) -> int:
    """The least integer, not below `integer`, that the format's mantissa holds; an exact format holds them all."""
    spare = 0 if format.exact else max(0, integer.bit_length() - mantissa_bits(format) - 1)
    return -(-integer >> spare) << spare


def temperature_unit(format: Format) -> float:
    """The grid that inverse temperatures are taken from: the format's own, never finer than 2^-16."""
    if format.exact:
        return 2.0 ** -min(format.fraction, 16)
    return 2.0 ** -min(16, max(mantissa_bits(format) - 3, 0))  # values below 8 have all these bits


def uniform_weight(n: int, format: Format) -> int:
    """What an exact format stores for the weight 1/n, in units of 2^-f."""
    from separatrix.arithmetic.exact_softmax import nearest_quotient

    return (1 << format.fraction) // n if format.kind == "fixed" else nearest_quotient(1 << format.fraction, n)


def representable(x: Array, format: Format) -> bool:
    """Whether every entry is a number of the format."""
    least = -(2.0**format.integer_bits) if format.kind == "fixed" else -largest_number(format)
    if not bool(((x >= least) & (x <= largest_number(format))).all()):
        return False
    if format.exact:
        scaled = x * 2.0**format.fraction
    else:  # in units of the last place, which subnormal numbers share
        exponent = np.maximum(np.frexp(x)[1] - 1, 1 - largest_exponent(format))
        scaled = np.ldexp(x, mantissa_bits(format) - exponent)
    return bool((scaled == np.floor(scaled)).all())


def refuse_off_grid(weights: Iterable[float], format: Format, where: str) -> None:
    """In an exact format every weight must be one of its numbers."""
    for weight in weights if format.exact else ():
        if not representable(np.array([weight]), format):
            raise BadInput(f"{where}: weight {weight!r} is not representable in {format.name}")


def refuse_large_embedding(largest: float, fraction: int, format: Format, where: str) -> None:
    """Sums of multiples of 2^-fraction up to `largest` must be exact in float64, in which the embedding of an exact format is added up."""
    if format.exact and largest * 2.0**fraction >= 2.0**FLOAT64_BITS:
        raise BadInput(f"{where}: embeddings up to {largest:.4g} with {fraction} fractional bits are not exact in float64")


def significant_bits(x: Array) -> int:
    """Bits from the first 1 to the last 1 of the widest entry."""
    numerators = [abs(numerator) for numerator, _ in _ratios(x)]
    return max((n // (n & -n)).bit_length() if n else 0 for n in numerators)


def fractional_bits(x: Array) -> int:
    """The most fractional bits of any entry."""
    return max(denominator.bit_length() - 1 for _, denominator in _ratios(x))


def _ratios(x: Array) -> list[tuple[int, int]]:
    return [float(value).as_integer_ratio() for value in np.unique(x)]
