"""Parameters of a claim: checked against their limits, and put into words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separatrix.checker.fields import within
from separatrix.checker.seal import Refused


def even_length(parameters: Mapping[str, Any], longest: int) -> int:
    """The length N of a task whose inputs have two halves."""
    N = within(parameters["length"], 2, longest, "length")
    if N % 2:
        raise Refused(f"length: expected an even number, found {N}")
    return N


def one_of(parameters: Mapping[str, Any], key: str, *allowed: str) -> str:
    """One of a few words."""
    value: str = parameters[key]
    if value not in allowed:
        raise Refused(f"{key}: expected one of {', '.join(allowed)}, found {value!r:.80}")
    return value


def span(shortest: int, longest: int) -> str:
    """`40`, or `4 to 40` if a claim covers several lengths."""
    return str(longest) if shortest == longest else f"{shortest} to {longest}"
