"""Names of number formats: `float64`, `bfloat16`, `float:4,3`, `fixed:12,8`, `nearest:49`, `nearest:49,strict`. No torch here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from separatrix.errors import BadInput

NATIVE = {"float64": 64, "float32": 32, "bfloat16": 16, "float16": 16}
STORED = ("int8", "float8")  # types that nothing computes in here
EXPECTED = "float64 float32 bfloat16 float16 float:e,m fixed:p,f nearest:p (or nearest:p,strict)"
WIDEST = 1024  # bits of one number: in units of the last bit, every number of the format stays within the range of float64


@dataclass(frozen=True)
class Format:
    """A number format.

    fixed    sign, r integer and f fractional bits, p = 1 + r + f, rounded toward minus infinity, clamped
             [bhattamishra2024 Appendix B.2]
    nearest  sign, F integer and F fractional bits, p = 2F + 1, rounded to nearest, ties to even
             [wen2024 Equation 5]; `nearest:p,strict` raises where the other saturates
    float    sign, e exponent and m mantissa bits; the native kinds carry their own names
    """

    name: str
    kind: Literal["native", "float", "fixed", "nearest"]
    bits: int  # of one number
    fraction: int = 0  # fractional bits f (fixed), F (nearest), mantissa bits m (float)
    strict: bool = False  # overflow raises instead of saturating (nearest)

    @property
    def integer_bits(self) -> int:
        """r of `fixed`, F of `nearest`: the largest magnitude is about 2^r."""
        return self.bits - 1 - self.fraction

    @property
    def exact(self) -> bool:
        """Whether results are exact grid numbers, compared without tolerance."""
        return self.kind in ("fixed", "nearest")


def stored_bits(name: str) -> int:
    """Bits of one number in memory: of a format, or of a type that only stores, `int8` or `float8`."""
    return 8 if name in STORED else parse_format(name).bits


def parse_format(name: str) -> Format:
    """The format with this name; refuses an unknown name with one line that says what was expected."""
    if name in NATIVE:
        return Format(name, "native", NATIVE[name])
    kind, colon, rest = name.partition(":")
    strict = kind == "nearest" and rest.endswith(",strict")
    numbers = _integers(rest.removesuffix(",strict") if strict else rest) if colon else None
    if kind == "fixed" and numbers and len(numbers) == 2:
        return _fixed(name, *numbers)
    if kind == "nearest" and numbers and len(numbers) == 1:
        return _nearest(name, numbers[0], strict)
    if kind == "float" and numbers and len(numbers) == 2:
        return _small_float(name, *numbers)
    if kind == "steps" and numbers and len(numbers) == 2:
        raise BadInput(_steps(name, *numbers))
    raise BadInput(f"unknown arithmetic {name!r}: expected {EXPECTED}")


def _steps(name: str, N: int, K: int) -> str:
    """Why steps of N^-K are not a format of their own, and which one serves.

    [bhattamishra2024 Appendix B.2]
    """
    if N < 2 or K < 1:
        return f"{name}: expected steps:N,K with N at least 2 and K at least 1, for steps of N^-K up to N^K"
    f = (N**K - 1).bit_length()  # 2^-f <= N^-K < 2^(1-f)
    same = "are the same" if 1 << f == N**K else "are finer by less than a factor of 2"
    why = "powers of two alone have sums and products that every machine computes exactly"
    return f"{name}: steps of N^-K are not a format of their own, as {why}; the steps of fixed:{2 * f + 2},{f} {same}, and it reaches N^K"


def _fixed(name: str, p: int, f: int) -> Format:
    if not 2 <= p <= WIDEST:
        raise BadInput(f"{name}: p must lie in 2..{WIDEST}, found {p}")
    if not 0 <= f <= p - 1:
        raise BadInput(f"{name}: f must lie in 0..p-1 = 0..{p - 1} (p counts the sign), found {f}")
    return Format(name, "fixed", p, f)


def _nearest(name: str, p: int, strict: bool) -> Format:
    if not 3 <= p <= WIDEST:
        raise BadInput(f"{name}: p must lie in 3..{WIDEST}, found {p}")
    if p % 2 == 0:
        raise BadInput(f"{name}: p must be odd (a sign and twice (p-1)/2 bits), found {p}")
    return Format(name, "nearest", p, (p - 1) // 2, strict)


def _small_float(name: str, e: int, m: int) -> Format:
    if not (2 <= e <= 11 and 1 <= m <= 52):
        raise BadInput(f"{name}: expected exponent bits e in 2..11 and mantissa bits m in 1..52, found e={e}, m={m}")
    return Format(name, "float", 1 + e + m, m)


def _integers(text: str) -> list[int] | None:
    parts = text.split(",")
    return [int(part) for part in parts] if all(part.isascii() and part.isdigit() for part in parts) else None
