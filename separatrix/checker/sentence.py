"""The sentence that a certificate establishes, written by the checker from recomputed fields, and its strength."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

STRENGTHS = ("author", "tested", "exhaustive", "proven")  # from weakest to strongest
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Shown:
    """A sentence, its strength, and its evidence."""

    claim: str
    strength: str
    evidence: tuple[dict[str, Any], ...] = ()


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


def rate(value: float) -> str:
    """A share in per cent, rounded up to two digits."""
    if value <= 0:
        return "0 %"
    unit = 10.0 ** (math.floor(math.log10(100 * value)) - 1)
    return f"{min(100.0, math.ceil(100 * value / unit) * unit):.2g} %".replace("1e+02", "100")
