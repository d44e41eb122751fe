"""The state of a model at one length: total bytes, and layer by layer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from separatrix.state.family import Counted
from separatrix.state.named_number import NamedNumber
from separatrix.state.part import Layer, layer_allocated, layer_held, layer_kind, layer_needed


@dataclass(frozen=True)
class LayerState:
    """The state of one layer, in bytes."""

    index: int
    kind: str
    held: int
    needed: int
    formula: str  # formula in words and figures of what is held, and of what is needed if that is less
    notes: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """The layer as JSON."""
        formula = "; ".join((self.formula, *self.notes))
        return {"index": self.index, "kind": self.kind, "held": self.held, "needed": self.needed, "formula": formula}


@dataclass(frozen=True)
class StateBytes:
    """The bytes that cross the cut between two tokens, with formulas and notes."""

    engine: str
    dtype: str
    length: int
    held: int
    needed: int
    allocated: int | None  # None if unknown
    layers: tuple[LayerState, ...]
    batch: int = 1
    notes: tuple[str, ...] = field(default=())

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "engine": self.engine,
            "dtype": self.dtype,
            "length": self.length,
            "held": self.held,
            "needed": self.needed,
            "allocated": self.allocated,
            "layers": [layer.document() for layer in self.layers],
        }


def report(counted: Counted, engine: str, dtype: str, length: int, batch: NamedNumber, notes: tuple[str, ...]) -> StateBytes:
    """The report for a batch, from what was counted for one sequence."""
    rows = tuple(_row(i, layer, batch, counted.notes) for i, layer in enumerate(counted.layers))
    allocated = sum(layer_allocated(layer).value for layer in counted.layers) * batch.value
    held, needed = sum(row.held for row in rows), sum(row.needed for row in rows)
    return StateBytes(engine, dtype, length, held, needed, allocated, rows, batch.value, (*counted.notes, *notes))


def _row(index: int, layer: Layer, batch: NamedNumber, notes: tuple[str, ...]) -> LayerState:
    held, needed = layer_held(layer), layer_needed(layer)
    if batch.value > 1:
        held, needed = batch * held, batch * needed
    formula = held.formula if held.text == needed.text else f"{held.formula}; needed: {needed.formula}"
    return LayerState(index, layer_kind(layer), held.value, needed.value, formula, (*held.notes, *notes))
