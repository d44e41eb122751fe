"""From an expression of a dynamic program to ReLU and GeLU units: one layer for each level of nested operations.

[yang2024 Assumption B.1] [yang2024 Assumption B.2]

Sums and multiples cost nothing, they are linear forms. Every other operation is one gadget, which writes its value into a slot of
one number; all operations of a level stand side by side in one feed-forward part.

A product over few integers is exact by tables of squares. Over more, such tables would grow with n, and it is that of Lemma A.1: four
GeLU units, in a layer of their own, off by a bound that is tracked. Exact formats have no GeLU, and short floats no room for it: there
the tables serve as far as they go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from separatrix.arithmetic.format import Format
from separatrix.constructions.assembler import Assembler, Layer
from separatrix.constructions.forms import Form, constant_form
from separatrix.constructions.gadgets import Gadget, lookup_table
from separatrix.constructions.parts.gelu_gadgets import approximate_product, product_error
from separatrix.constructions.parts.integer_gadgets import both, bounded_product, gate, larger, positive, select, zero
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.errors import BadInput
from separatrix.tasks.programs.evaluation import nodes
from separatrix.tasks.programs.expression import (
    BOTH,
    LARGER,
    OPPOSITE,
    POSITIVE,
    PRODUCT,
    SUM,
    WHERE,
    ZERO,
    Applied,
    Constant,
    Expression,
    Interval,
    Lookup,
    Multiple,
    Operation,
    Quotient,
    Value,
)

Forms = tuple[Form, ...]
Intervals = tuple[Interval, ...]
LARGEST_TABLE = 1 << 12  # integers of a table, of which each costs a hidden unit
SMALL_TABLE = 1 << 9  # integers of the squares of a product in a transition, whose factors are mostly bounded whatever n
CLOSE = 1 / 16  # how far a product may be off


def is_linear(node: Expression) -> bool:
    """Whether a node is a linear form of its children, which costs no unit."""
    return node.operation in (SUM, OPPOSITE) if isinstance(node, Applied) else not isinstance(node, Lookup)


class Expressions:
    """The expressions of one program, compiled level by level behind the layer that has read what they are made of."""

    def __init__(self, values: Mapping[str, Form], bounds: Mapping[str, Interval], format: Format, small_table: int = SMALL_TABLE) -> None:
        self.values, self.bounds, self.format, self.small_table = values, bounds, format, small_table
        self.grows = False  # whether a table of squares over more integers than `small_table` was written
        self.forms: dict[int, Form] = {}
        self.intervals: dict[int, Interval] = {}

    def write(self, net: Assembler, free: Layer | None, roots: tuple[Expression, ...]) -> tuple[Layer | None, tuple[Form, ...]]:
        """The values of expressions, one layer for each level, the first of which may be `free`; and a layer that is free after them."""
        order = list({id(node): node for root in roots for node in nodes(root)}.values())
        levels: dict[int, int] = {}
        for node in order:
            below = max((levels[id(child)] for child in node.children), default=0)
            levels[id(node)] = below + (not is_linear(node))
            self.intervals[id(node)] = self._interval(node)
        for level in range(max(levels.values()) + 1):
            here = [node for node in order if levels[id(node)] == level]
            gadgets = {id(node): self._gadget(node) for node in here if not is_linear(node)}
            for activation in ("", "gelu"):
                of_kind = {key: gadget for key, gadget in gadgets.items() if gadget.activation == activation}
                if not of_kind:
                    continue
                layer = net.pointwise("gelu") if activation else free or net.pointwise()
                free = None  # it is in use, or lies before a layer of GeLU, whose values it cannot see
                for key, gadget in of_kind.items():
                    number = 1 + sum(name.startswith("step ") for name in layer.after)
                    self.forms[key] = layer.write(f"step {number}", gadget)
            for node in here:
                if is_linear(node):
                    self.forms[id(node)] = self._combine(node)
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
        children = [self.forms[id(child)] for child in node.children]
        if isinstance(node, Multiple):
            return node.factor * children[0]
        if isinstance(node, Quotient):
            return (1 / node.divisor) * children[0]
        assert isinstance(node, Applied), type(node)
        return children[0] + children[1] if node.operation is SUM else 1 - children[0]

    def _gadget(self, node: Expression) -> Gadget:
        forms, bounds = zip(*((self.forms[id(child)], self.intervals[id(child)]) for child in node.children), strict=True)
        if isinstance(node, Lookup):
            return _table(node, forms[0], bounds[0])
        assert isinstance(node, Applied), type(node)
        if node.operation is PRODUCT:
            return self._product(forms, bounds, *self.intervals[id(node)])
        return GADGETS[node.operation](forms, bounds, *self.intervals[id(node)])

    def _product(self, forms: Forms, bounds: Intervals, low: int, high: int) -> Gadget:
        (one, other), ((a, b), (c, d)) = forms, bounds
        sums, differences = range(a + c, b + d + 1), range(a - d, b - c + 1)
        M = float(max(1, *map(abs, (a, b, c, d))))
        u = roundoff(self.format)
        close, large = not self.format.exact and product_error(M, u) <= CLOSE, len(sums) + len(differences) > self.small_table
        if close and large:
            return approximate_product(one, other, M, u, low, high)
        self.grows = self.grows or large
        _refuse_large(len(sums) + len(differences), "a product")
        return bounded_product(one, other, sums, differences, low, high)


def _table(node: Lookup, a: Form, bound: Interval) -> Gadget:
    low, high = bound
    _refuse_large(high - low, "a table")
    return lookup_table(a, {v: float(node.compute(v)) for v in range(low, high + 1)})


def _select(forms: Forms, bounds: Intervals, low: int, high: int) -> Gadget:
    flag, a, b = forms
    C = max(1, *(abs(end) for bound in bounds[1:] for end in bound))
    if bounds[2] == (0, 0):  # half the units; what comes through may be off by less than 1
        return gate(flag, a, C + 1, low, high)
    return select(flag, a, b, C, low, high)


def _larger(forms: Forms, bounds: Intervals, low: int, high: int) -> Gadget:
    a, b = forms
    return larger(a, b, bounds[0][0], low, high)


GADGETS: dict[Operation, Callable[[Forms, Intervals, int, int], Gadget]] = {  # children, where they lie, and where the value lies
    POSITIVE: lambda forms, *_: positive(forms[0]),
    ZERO: lambda forms, *_: zero(forms[0]),
    BOTH: lambda forms, *_: both(forms[0], forms[1]),
    LARGER: _larger,
    WHERE: _select,
}


def _refuse_large(integers: int, what: str) -> None:
    if integers > LARGEST_TABLE:
        raise BadInput(f"{what} over {integers} integers takes as many hidden units: at most {LARGEST_TABLE} are built")
