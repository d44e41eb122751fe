"""The least width at which a model of the shape that is trained has enough state for a task, beside the width that is built.

Matrix states hold d^2 / heads numbers, vectors d, and what their convolutions and normalisers keep is counted (bounds/shapes.py). What is
built has as many layers; its heads may have other sizes, so it may be narrower than the least width of the trained shape.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.number_format import NumberFormat
from separatrix.bounds.shapes import SHAPES, least_width
from separatrix.ledger.bounds_table import Declaration, Sizes
from separatrix.tasks import Task


@dataclass(frozen=True)
class WidthRow:
    """One architecture: numbers of state in a layer of width d, the least width that has enough of them, and what is built."""

    architecture: Architecture
    numbers: str
    layers: int
    least: int
    built: int | None
    construction: str | None

    @property
    def factor(self) -> float | None:
        """How many times as wide as need be, by counting alone."""
        return None if self.built is None else self.built / self.least

    def document(self) -> dict[str, Any]:
        """The row as JSON."""
        return {**asdict(self), "factor": self.factor}


def widths(task: Task, numbers: NumberFormat, declared: Iterable[Declaration]) -> Iterator[WidthRow]:
    """For every architecture whose shape has a formula, if the task needs state."""
    needed = [
        int(bound.value)
        for bound in bounds_for(task, numbers.bits, numbers.fraction)
        if (bound.architecture, bound.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS) and bound.value
    ]
    if not needed:
        return
    narrowest = _narrowest(task, numbers, declared)
    for architecture, shape in SHAPES.items():
        sizes, name = narrowest.get(architecture, ({"layers": 1}, None))
        least = least_width(architecture, max(needed), numbers.bits, sizes["layers"])
        yield WidthRow(architecture, shape.formula, sizes["layers"], least, sizes.get("width"), name)


def _narrowest(task: Task, numbers: NumberFormat, declared: Iterable[Declaration]) -> dict[Architecture, tuple[Sizes, str]]:
    """Of each architecture the construction with the narrowest stream, in a format of these numbers."""
    found: dict[Architecture, tuple[Sizes, str]] = {}
    for one in declared:
        if one.task != task.name or one.mode is not Mode.ALONE:
            continue
        for settings, arithmetic in itertools.product(one.variants, numbers.candidates()):
            sizes = one.sizes(task.parameters, settings, arithmetic)
            if sizes is None or sizes["precision_bits"] > numbers.bits:
                continue
            architecture = Architecture(one.architecture)
            if architecture not in found or sizes["width"] < found[architecture][0]["width"]:
                found[architecture] = sizes, one.name
    return found
