"""Boxes by the name of a number format."""

from __future__ import annotations

from separatrix.checker.models.model import Model
from separatrix.checker.numbers.exact import Grid
from separatrix.checker.numbers.floats import Float
from separatrix.checker.rules.box import Boxes
from separatrix.checker.rules.float_boxes import FloatBoxes
from separatrix.checker.rules.grid_boxes import GridBoxes
from separatrix.checker.rules.proof import Unproven


def boxes_of(model: Model) -> Boxes:
    """Boxes in the format of a model."""
    if isinstance(model.ops, Float):
        return FloatBoxes(model.ops)
    if isinstance(model.ops, Grid):
        return GridBoxes(model.ops)
    raise Unproven("arithmetic", f"boxes are not bounded in {model.ops.name}")
