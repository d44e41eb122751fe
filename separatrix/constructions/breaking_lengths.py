"""The first length at which a short number format breaks a construction: refused by the build, and wrong where nothing refuses it.

A build refuses a format whose numbers cannot carry the proof. Weights that were derived for float64, rounded to the format and run in it,
may be right for longer. Both lengths are found by bisection: what breaks at one length is taken to break at every longer one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from separatrix.constructions import build, construction
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

FORMATS = ("float32", "float16", "bfloat16")
RANDOM = {"kind": "random", "seed": 0, "count": 3}  # inputs that are run at each length


@dataclass(frozen=True)
class Break:
    """In one format: the first length at which the build refuses, and at which rounded weights are wrong; None up to the longest tried."""

    arithmetic: str
    refused: int | None
    wrong: int | None


def breaking_lengths(name: str, longest: int, **chosen: Any) -> Iterator[Break]:
    """One after the other in float32, float16 and bfloat16."""
    declared = construction(name)
    if "arithmetic" not in declared.settings:
        raise BadInput(f"{name}: expected a construction that takes a number format")
    least = declared.computes.least_length
    if longest <= least:
        raise BadInput(f"{name}: expected a longest length above {least}, found {longest}")
    for arithmetic in FORMATS:

        def refused(length: int, arithmetic: str = arithmetic) -> bool:
            try:
                build(name, length=length, arithmetic=arithmetic, **chosen)
            except BadInput:
                return True
            return False

        def wrong(length: int, arithmetic: str = arithmetic) -> bool:
            from separatrix.certificates.cases import trial

            return not trial(_rounded(build(name, length=length, **chosen), arithmetic), [RANDOM]).holds

        yield Break(arithmetic, _first(refused, least, longest), _first(wrong, least, longest))


def _rounded(built: Built, arithmetic: str) -> Built:
    """The same weights, each rounded to a float of another length, run in it; nothing is derived again."""
    import torch

    from separatrix.models.saved import filled

    dtype: torch.dtype = getattr(torch, arithmetic)
    tensors = {key: tensor.to(dtype) if tensor.is_floating_point() else tensor for key, tensor in built.model.state_dict().items()}
    model = filled(replace(built.model.config, arithmetic=arithmetic), tensors)
    return replace(built, program=replace(built.program, model=model), claim=replace(built.claim, arithmetic=arithmetic))


def _first(breaks: Callable[[int], bool], least: int, longest: int) -> int | None:
    """The first length that breaks, by doubling and bisection; None if the longest does not."""
    low, high = least - 1, least
    while not breaks(high):
        if high >= longest:
            return None
        low, high = high, min(2 * high, longest)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if breaks(middle) else (middle, high)
    return high
