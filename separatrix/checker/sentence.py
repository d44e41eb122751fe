"""The sentence that a certificate establishes, written by the checker from recomputed fields, and its strength."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any

STRENGTHS = ("author", "tested", "exhaustive", "proven")  # from weakest to strongest
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Shown:
    """A sentence, its strength, and its evidence."""

    claim: str
    strength: str
    evidence: tuple[dict[str, Any], ...] = ()
    refutes: bool = False  # whether it says that the program of the document does not do what `verify` was asked for


def model_words(sizes: Mapping[str, Any], arithmetic: str) -> str:
    """One layer, one head, width 26, float64."""
    parts = [counted(sizes["layers"], "layer")]
    if sizes["heads"]:
        parts.append(counted(sizes["heads"], "head"))
    if sizes["state_bits"] is not None:
        parts.append(f"{number(sizes['state_bits'])} bits of state")
    return ", ".join([*parts, f"width {number(sizes['width'])}", arithmetic])


def counted(count: int, word: str, several: str = "") -> str:
    """One layer, 12 heads, two families."""
    return f"{WORDS[count] if count < len(WORDS) else number(count)} {word if count == 1 else several or f'{word}s'}"


def number(value: int) -> str:
    """With commas between thousands."""
    return f"{value:,}"


def written(value: float) -> Decimal:
    """A number of a document as it is written there, in the fewest digits that stand for it."""
    return Decimal(repr(value))


def at_most(value: float | Decimal, digits: int = 3) -> str:
    """A number that bounds from above, rounded up."""
    return f"{float(Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(value))):.{digits}g}"


def at_least(value: float | Decimal, digits: int = 6) -> str:
    """A number that bounds from below, rounded down."""
    return f"{float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(Decimal(value))):.{digits}g}"


def quoted(text: str, most: int) -> str:
    """What the author wrote, in quotation marks: in ASCII, on one line, and cut to so many characters with a hash of the whole."""
    if len(text) <= most:
        return ascii(text)
    return f"{text[:most]!a}.. ({len(text)} characters, SHA-256 {hashlib.sha256(text.encode()).hexdigest()[:24]})"


def rate(value: float) -> str:
    """A share in per cent, rounded up to two digits."""
    if value <= 0:
        return "0 %"
    unit = 10.0 ** (math.floor(math.log10(100 * value)) - 1)
    return f"{min(100.0, math.ceil(100 * value / unit) * unit):.2g} %".replace("1e+02", "100")
