"""A dynamic program without its code: states, positions, and expressions as lists of nodes. What a certificate of a user's program states.

A node is a list: its operation, then numbers of earlier nodes or integers; the last node is the result.

    ["coordinate", c]  ["read", r]  ["value"]  ["constant", v]  ["sum", a, b]  ["multiple", factor, a]  ["product", a, b]  ["larger", a, b]
    ["positive", a]  ["zero", a]  ["both", a, b]  ["opposite", a]  ["where", condition, a, b]  ["table", a, first, [entries]]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from separatrix.tasks.programs.dynamic_program import DynamicProgram
from separatrix.tasks.programs.evaluation import nodes
from separatrix.tasks.programs.expression import Expression, Value
from separatrix.tasks.programs.places import Cell, Entry
from separatrix.tasks.programs.unrolled import VALUE, Unrolled


@dataclass(frozen=True)
class ProgramAsData(DynamicProgram):
    """The same program, whose parameters are its data: the checker can run it without the code of its author."""

    program: DynamicProgram = None  # type: ignore[assignment]

    name: ClassVar[str] = "dynamic-program"
    title: ClassVar[str] = "A dynamic program as data"

    @property
    def label(self) -> str:
        return self.program.label

    @property
    def entries(self) -> int:
        return self.program.entries

    @property
    def parameters(self) -> dict[str, Any]:
        return data(self.program.unrolled, self.program.symbols)

    @property
    def unrolled(self) -> Unrolled:
        return self.program.unrolled

    def states(self) -> Iterable[tuple[int, ...] | int]:
        return self.program.states()

    def needs(self, *state: int) -> Mapping[str, Cell | Entry]:
        return self.program.needs(*state)

    def transition(self, *values: Expression) -> Expression:
        return self.program.transition(*values)

    def read_out(self, value: Expression) -> Expression:
        return self.program.read_out(value)


def as_data(program: DynamicProgram) -> ProgramAsData:
    """A dynamic program as plain data, as certificates contain it."""
    return ProgramAsData(program.length, program.symbols, program)


def data(u: Unrolled, symbols: int) -> dict[str, Any]:
    """Everything that the program is, as JSON."""
    names = {name: ["coordinate", c] for c, name in enumerate(u.coordinates)} | {name: ["read", r] for r, name in enumerate(u.reads)}
    return {
        "entries": u.entries,
        "symbols": symbols,
        "states": u.states.tolist(),
        "positions": u.positions.tolist(),
        "transition": _written(u.transition, names),
        "read_out": _written(u.read_out, {VALUE: ["value"]}),
    }


def _written(root: Expression, names: Mapping[str, list[Any]]) -> list[list[Any]]:
    number: dict[int, int] = {}
    written: list[list[Any]] = []
    for node in nodes(root):
        number[id(node)] = len(written)
        children = [number[id(child)] for child in node.children]
        written.append(names[node.name] if isinstance(node, Value) else node.stated(children))
    return written
