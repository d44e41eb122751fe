"""What a family is: a function from a config's fields to what each of its layers carries across the cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from separatrix.state.fields import Fields
from separatrix.state.part import Cut, Layer


@dataclass(frozen=True)
class Counted:
    """The state of every layer, in the order of the engine's cache, and what to know of the whole."""

    layers: tuple[Layer, ...]
    notes: tuple[str, ...] = ()


Family = Callable[[Fields, Cut], Counted]


def alike(layer: Layer, count: int) -> Counted:
    """Every layer carries the same."""
    return Counted((layer,) * count)
