"""`Family`: a function from a config's fields to the state of each of its layers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from separatrix.state.fields import Fields
from separatrix.state.listing import Listing
from separatrix.state.part import Cut, Layer


@dataclass(frozen=True)
class Counted:
    """The state of every layer, in the order of the engine's cache, and notes on the whole."""

    layers: tuple[Layer, ...]
    notes: tuple[str, ...] = ()


Family = Callable[[Fields, Cut], Counted]


def alike(layer: Layer, count: int) -> Counted:
    """A family with the same state in every layer."""
    return Counted((layer,) * count)


def by_type(fields: Fields, listed: Listing, layers: Mapping[str, Layer]) -> Counted:
    """The state of each layer from that of its type."""
    for kind in listed.types:
        if kind not in layers:
            raise fields.refuse(f"layer type {kind!r} is unknown: expected {' or '.join(layers)}")
    return Counted(tuple(layers[kind] for kind in listed.types), (listed.note,) if listed.note else ())
