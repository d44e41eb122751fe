"""Finite precision: number formats by name, and the operators that round. Parsing a name needs no torch."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from separatrix.arithmetic.format import Format, parse_format

if TYPE_CHECKING:
    from separatrix.arithmetic.operators import Arithmetic

__all__ = ["Format", "arithmetic", "parse_format"]


@cache
def arithmetic(name: str) -> Arithmetic:
    """The operators of a number format."""
    format = parse_format(name)
    if format.kind == "native":
        from separatrix.arithmetic.native import NativeFloat

        return NativeFloat(format)
    if format.kind == "fixed":
        from separatrix.arithmetic.fixed import FixedPoint

        return FixedPoint(format)
    if format.kind == "nearest":
        from separatrix.arithmetic.nearest import NearestPoint

        return NearestPoint(format)
    from separatrix.arithmetic.small_float import SmallFloat

    return SmallFloat(format)
