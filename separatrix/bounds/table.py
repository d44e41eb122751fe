"""One table for a task at a length and a precision: what is needed, what is built, and the gap between them.

A row belongs to an architecture and a quantity. Lower bounds come from this room; what is built comes from the declarations that the
caller passes in, each of which knows the sizes of its own construction and refuses a number format that cannot hold it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.arithmetic.format import parse_format
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.lower import LowerBound
from separatrix.errors import BadInput
from separatrix.tasks import TASKS, Task, is_of_the_package

Sizes = Mapping[str, int]  # "layers", "heads", "width", "precision_bits", and "state_bits", "value_width" where they are known
Status = Literal["met", "gap", "not built", "no bound"]
ALONE = (Quantity.STATE_BITS, Quantity.WIDTH)  # quantities that get a row even without a bound
FLOATS = {64: ("float64",), 32: ("float32",), 16: ("bfloat16", "float16")}


class Declaration(Protocol):
    """What the table needs from a construction: name, task, architecture, and sizes without building weights."""

    @property
    def name(self) -> str:
        """The name that `separatrix build` takes."""

    @property
    def task(self) -> str:
        """The name of its task."""

    @property
    def architecture(self) -> str:
        """The value of an `Architecture`."""

    @property
    def mode(self) -> Mode:
        """Whether it answers at once, writes a chain of thought, or searches its text."""

    @property
    def variants(self) -> Iterable[Mapping[str, Any]]:
        """Settings to compare."""

    def sizes(self, task_parameters: Mapping[str, Any], settings: Mapping[str, Any], arithmetic: str | None) -> Sizes | None:
        """The sizes at these parameters; None if it refuses them. By default in the arithmetic that it chooses itself."""


@dataclass(frozen=True)
class NumberFormat:
    """Numbers of p bits: one format by name, or every format of that many bits."""

    bits: int
    fraction: int | None = None
    name: str | None = None

    def candidates(self) -> tuple[str | None, ...]:
        """The arithmetics to try for a construction: the named one, else floats of p bits and its own choice."""
        return (self.name,) if self.name else (*FLOATS.get(self.bits, ()), None)


@dataclass(frozen=True)
class LeastBuild:
    """What is built with least of a quantity: a construction and the value of the row's quantity in it."""

    name: str
    value: int
    arithmetic: str | None  # None: the format that the construction chooses itself
    settings: tuple[tuple[str, Any], ...] = ()  # settings that differ from the defaults


@dataclass(frozen=True)
class Row:
    """One architecture and quantity: the bound, if there is one, and the smallest construction, if there is one."""

    architecture: Architecture
    quantity: Quantity
    bound: LowerBound | None
    built: LeastBuild | None
    mode: Mode = Mode.ALONE

    @property
    def status(self) -> Status:
        """Whether the construction meets the bound, or what is missing."""
        if self.bound is None:
            return "no bound"
        if self.built is None:
            return "not built"
        return "met" if self.built.value <= self.bound.value else "gap"

    @property
    def gap(self) -> float | None:
        """The ratio of what is built to what is needed."""
        return self.built.value / self.bound.value if self.bound and self.built and self.bound.value else None

    def document(self) -> dict[str, Any]:
        """The row as JSON."""
        bound = self.bound
        return {
            "architecture": self.architecture,
            "mode": self.mode,
            "quantity": self.quantity,
            "value": bound.value if bound else None,
            "formula": bound.formula if bound else "no lower bound is known",
            "cites": bound.cites if bound else "",
            "tight": bool(bound and bound.tight),
            "deterministic_only": bool(bound and bound.deterministic_only),
            "caveat": bound.caveat if bound else "",
            "witness": bound.witness.document() if bound else None,
            "built": self.built.value if self.built else None,
            "construction": self.built.name if self.built else None,
            "settings": dict(self.built.settings) if self.built else None,
            "arithmetic": self.built.arithmetic if self.built else None,
            "status": self.status,
            "gap": self.gap,
        }


def number_format(text: str) -> NumberFormat:
    """A number format from its bits, such as `32`, or from its name, such as `bfloat16` or `fixed:20,5`."""
    if text.isdigit():
        if int(text) < 1:
            raise BadInput(f"precision must be at least 1 bit, found {text}")
        return NumberFormat(int(text))
    format = parse_format(text)
    return NumberFormat(format.bits, format.fraction if format.kind == "fixed" else None, format.name)


def table(task: Task, numbers: NumberFormat, built: Iterable[Declaration]) -> tuple[Row, ...]:
    """Every known bound for a task beside what is built for it, and then what is built without a bound."""
    best = least_built(task, numbers, built)
    bounds = bounds_for(task, numbers.bits, numbers.fraction)
    rows = [Row(bound.architecture, bound.quantity, bound, best.get(bound.key), bound.mode) for bound in bounds]
    bounded = {bound.key for bound in bounds}
    rows += [
        Row(architecture, quantity, None, construction, mode)
        for (architecture, mode, quantity), construction in best.items()
        if (architecture, mode, quantity) not in bounded and quantity in ALONE
    ]
    return tuple(rows)


def certificates(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """The witnesses of the bounds as sealed documents, each once, by the name of its file."""
    written: dict[str, dict[str, Any]] = {}
    for row in rows:
        name = certificate_name(row)
        if name is not None and name not in written:
            assert row.bound is not None
            assert row.bound.witness.shown is not None
            written[name] = row.bound.witness.shown.certificate()
    return written


def certificate_name(row: Row) -> str | None:
    """The file of a row's witness: the kind, the task and the size at which it is shown; None if the proof has no object."""
    shown = row.bound.witness.shown if row.bound else None
    return None if shown is None else f"{shown.kind}-{shown.task.name}-{shown.task.length}.json"


def least_built(task: Task, numbers: NumberFormat, built: Iterable[Declaration]) -> dict[tuple[Architecture, Mode, Quantity], LeastBuild]:
    """For each architecture, mode and quantity the smallest construction in a format of these numbers."""
    best: dict[tuple[Architecture, Mode, Quantity], LeastBuild] = {}
    if task.name in TASKS and not is_of_the_package(task):
        return best  # a user's task with the name of one of ours
    for declaration in built:
        if declaration.task != task.name:
            continue
        for settings, arithmetic in itertools.product(declaration.variants, numbers.candidates()):
            sizes = declaration.sizes(task.parameters, settings, arithmetic)
            if sizes is None or ("state_bits" not in sizes and sizes["precision_bits"] > numbers.bits):  # registers are bits in any format
                continue
            for quantity, value in quantities(sizes, numbers.bits):
                key = (Architecture(declaration.architecture).with_layers(sizes["layers"]), declaration.mode, quantity)
                if key not in best or value < best[key].value:
                    best[key] = LeastBuild(declaration.name, value, arithmetic, tuple(settings.items()))
    return best


def quantities(sizes: Sizes, p: int) -> Iterator[tuple[Quantity, int]]:
    """The value of each quantity for a model of these sizes, in numbers of p bits.

    The width of one layer is that of its values; that of a recurrent model is its state in numbers of p bits.
    """
    if "state_bits" in sizes:
        yield Quantity.STATE_BITS, sizes["state_bits"]
    yield Quantity.WIDTH, -(-sizes["state_bits"] // p) if "state_bits" in sizes else sizes["width"]
    if sizes["layers"] == 1 and "value_width" in sizes:
        if sizes["heads"] == 1:
            yield Quantity.WIDTH_ONE_HEAD, sizes["value_width"]
        yield Quantity.WIDTH_TIMES_HEADS, sizes["value_width"] * sizes["heads"]
        if sizes["value_width"] >= 4:
            yield Quantity.WIDTH_TIMES_HEADS_FROM_4, sizes["value_width"] * sizes["heads"]
