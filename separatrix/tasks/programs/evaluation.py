"""Expressions evaluated: on integers and arrays of them, and on intervals; every node once, children before their parents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from separatrix.tasks.programs.expression import Expression, Interval, Number, Value


class Function:
    """An expression as a function of named integers, or of named arrays of integers; its nodes are put in order once."""

    def __init__(self, root: Expression) -> None:
        order = list(nodes(root))
        number = {id(node): place for place, node in enumerate(order)}
        self.steps = [(node, tuple(number[id(child)] for child in node.children)) for node in order]

    def __call__(self, values: Mapping[str, Number]) -> Number:
        done: list[Number] = []
        for node, children in self.steps:
            done.append(values[node.name] if isinstance(node, Value) else node.compute(*[done[child] for child in children]))
        return done[-1]


class Range(Function):
    """The same for intervals: one that holds every value where names lie in these."""

    def __call__(self, bounds: Mapping[str, Interval]) -> Interval:
        done: list[Interval] = []
        for node, children in self.steps:
            done.append(bounds[node.name] if isinstance(node, Value) else node.bound(*[done[child] for child in children]))
        return done[-1]


def nodes(root: Expression) -> Iterator[Expression]:
    """Every node once, children before their parents."""
    met: set[int] = set()
    waiting: list[tuple[Expression, bool]] = [(root, False)]
    while waiting:
        node, ready = waiting.pop()
        if id(node) in met:
            continue
        if ready:
            met.add(id(node))
            yield node
            continue
        waiting.append((node, True))
        waiting.extend((child, False) for child in reversed(node.children))
