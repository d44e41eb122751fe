"""From an expression of a dynamic program to ReLU units: one layer for each level of nested operations.

[yang2024 Assumption B.1] [yang2024 Assumption B.2]

Sums and multiples cost nothing, they are linear forms. Every other operation is one gadget, which writes its value into a slot of
one number; all operations of a level stand side by side in one feed-forward part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from separatrix.constructions.assembler import Assembler, Layer
from separatrix.constructions.forms import Form, constant_form
from separatrix.constructions.gadgets import Gadget, lookup_table
from separatrix.constructions.parts.integer_gadgets import both, bounded_product, larger, positive, select, zero
from separatrix.errors import BadInput
from separatrix.tasks.programs.evaluation import nodes
from separatrix.tasks.programs.expression import (
    Both,
    Constant,
    Expression,
    Interval,
    Larger,
    Lookup,
    Multiple,
    Opposite,
    Positive,
    Product,
    Sum,
    Value,
    Where,
    Zero,
)

LARGEST_TABLE = 1 << 12  # integers of a table, of which each costs a hidden unit
Operation = Product | Larger | Positive | Zero | Both | Where | Lookup


class Expressions:
    """The expressions of one program, compiled level by level behind the layer that has read what they are made of."""

    def __init__(self, values: Mapping[str, Form], bounds: Mapping[str, Interval]) -> None:
        self.values, self.bounds = values, bounds
        self.forms: dict[int, Form] = {}
        self.intervals: dict[int, Interval] = {}

    def write(self, net: Assembler, free: Layer | None, roots: tuple[Expression, ...]) -> tuple[Layer | None, tuple[Form, ...]]:
        """The values of expressions, one layer for each level, the first of which may be `free`; and a layer that is free after them."""
        order = list({id(node): node for root in roots for node in nodes(root)}.values())
        levels: dict[int, int] = {}
        for node in order:
            below = max((levels[id(child)] for child in node.children), default=0)
            levels[id(node)] = below + isinstance(node, Operation)
            self.intervals[id(node)] = self._interval(node)
        for level in range(max(levels.values()) + 1):
            here = [node for node in order if levels[id(node)] == level]
            layer = None
            if level:
                layer, free = free or net.pointwise(), None
            for node in here:
                self.forms[id(node)] = (
                    self._combine(node) if layer is None or not isinstance(node, Operation) else self._operate(layer, node)
                )
        return free, tuple(self.forms[id(root)] for root in roots)

    def interval(self, root: Expression) -> Interval:
        """Where the value of a compiled expression lies."""
        return self.intervals[id(root)]

    def _interval(self, node: Expression) -> Interval:
        return self.bounds[node.name] if isinstance(node, Value) else node.bound(*(self.intervals[id(child)] for child in node.children))

    def _combine(self, node: Expression) -> Form:
        """A linear form of what is already there."""
        if isinstance(node, Value):
            return self.values[node.name]
        if isinstance(node, Constant):
            return constant_form(node.value)
        if isinstance(node, Sum):
            return self.forms[id(node.a)] + self.forms[id(node.b)]
        if isinstance(node, Multiple):
            return node.factor * self.forms[id(node.a)]
        assert isinstance(node, Opposite), type(node)
        return 1 - self.forms[id(node.a)]

    def _operate(self, layer: Layer, node: Operation) -> Form:
        number = 1 + sum(name.startswith("step ") for name in layer.after)
        return layer.write(f"step {number}", self._gadget(node))

    def _gadget(self, node: Operation) -> Gadget:
        a = self.forms[id(node.children[0])]
        low, high = self.intervals[id(node)]
        match node:
            case Positive():
                return positive(a)
            case Zero():
                return zero(a)
            case Both():
                return both(a, self.forms[id(node.b)])
            case Larger():
                return larger(a, self.forms[id(node.b)], self.intervals[id(node.a)][0], low, high)
            case Where():
                ends = (*self.intervals[id(node.a)], *self.intervals[id(node.b)])
                return select(a, self.forms[id(node.a)], self.forms[id(node.b)], max(1, *map(abs, ends)), low, high)
            case Lookup():
                return self._table(node)
            case Product():
                return self._product(node)
            case _:
                assert_never(node)

    def _table(self, node: Lookup) -> Gadget:
        low, high = self.intervals[id(node.a)]
        _refuse_large(high - low, "a table")
        entries = {v: float(node.compute(v)) for v in range(low, high + 1)}
        return lookup_table(self.forms[id(node.a)], entries)

    def _product(self, node: Product) -> Gadget:
        (a, b), (c, d) = self.intervals[id(node.a)], self.intervals[id(node.b)]
        sums, differences = range(a + c, b + d + 1), range(a - d, b - c + 1)
        _refuse_large(len(sums) + len(differences), "a product")
        return bounded_product(self.forms[id(node.a)], self.forms[id(node.b)], sums, differences, *self.intervals[id(node)])


def _refuse_large(integers: int, what: str) -> None:
    if integers > LARGEST_TABLE:
        raise BadInput(f"{what} over {integers} integers takes as many hidden units: at most {LARGEST_TABLE} are built")
