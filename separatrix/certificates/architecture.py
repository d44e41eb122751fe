"""Architectures as values: what a bound speaks of, and what a construction has. No torch here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

COUNTED = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


class Family(Enum):
    """How tokens are mixed."""

    TRANSFORMER = "Transformer"
    RECURRENT = "recurrent"


@dataclass(frozen=True)
class Architecture:
    """A family of models, and how many layers they have where that matters."""

    family: Family
    layers: int | None = None

    def __str__(self) -> str:
        """As in `one-layer Transformer`."""
        if self.layers is None:
            return self.family.value
        return f"{COUNTED.get(self.layers, self.layers)}-layer {self.family.value}"


ONE_LAYER = Architecture(Family.TRANSFORMER, 1)
TWO_LAYERS = Architecture(Family.TRANSFORMER, 2)
THREE_LAYERS = Architecture(Family.TRANSFORMER, 3)
RECURRENT = Architecture(Family.RECURRENT)
