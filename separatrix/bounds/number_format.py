"""Numbers of p bits: one format by name, or every format of that many bits."""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.arithmetic.format import parse_format
from separatrix.errors import BadInput

FLOATS = {64: ("float64",), 32: ("float32",), 16: ("bfloat16", "float16")}


@dataclass(frozen=True)
class NumberFormat:
    """Numbers of p bits: one format by name, or every format of that many bits."""

    bits: int
    fraction: int | None = None
    name: str | None = None

    def candidates(self) -> tuple[str | None, ...]:
        """The arithmetics to try for a construction: the named one, else floats of p bits and its own choice."""
        return (self.name,) if self.name else (*FLOATS.get(self.bits, ()), None)


def number_format(text: str) -> NumberFormat:
    """A number format from its bits, such as `32`, or from its name, such as `bfloat16` or `fixed:20,5`."""
    if text.isdigit():
        if int(text) < 1:
            raise BadInput(f"precision must be at least 1 bit, found {text}")
        return NumberFormat(int(text))
    format = parse_format(text)
    return NumberFormat(format.bits, format.fraction if format.kind == "fixed" else None, format.name)
