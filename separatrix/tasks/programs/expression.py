"""Integer expressions of named values: how a dynamic program states its transition and its read-out.

    a + b, a - b, 3 * a                  sums, differences, multiples
    a * b                                a product, exact as long as both factors are bounded
    a < b, a <= b, a == b, a != b, ...   conditions, which count as 0 or 1; `&`, `|` and `~` combine them
    where(condition, a, b)               a where the condition holds, else b; a condition itself if a and b are conditions
    maximum(a, b, ..), minimum(a, b, ..), abs(a)
    table(a, {0: 3, 1: 1, 2: 4})         an entry of a table over consecutive integers; also table(a, [3, 1, 4]), from 0 on

An expression is data: it is evaluated in plain Python or on arrays, it knows in which interval its values lie,
and constructions/yang2024 compiles it to ReLU units.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from separatrix.errors import BadInput

Number = Any  # an integer, or an array of integers
Interval = tuple[int, int]  # the least and the largest value


class Expression(ABC):
    """A node; its children are the expressions that it is made of."""

    children: tuple[Expression, ...] = ()

    __hash__ = object.__hash__

    @abstractmethod
    def compute(self, *children: Number) -> Number:
        """The value, from those of the children."""

    @abstractmethod
    def bound(self, *children: Interval) -> Interval:
        """An interval that holds the value, from those of the children."""

    @abstractmethod
    def stated(self, children: list[int]) -> list[Any]:
        """The expression as data, with the numbers of its children (as_data.py)."""

    def __add__(self, other: Any) -> Expression:
        return Applied(SUM, (self, expression(other)))

    def __radd__(self, other: Any) -> Expression:
        return Applied(SUM, (expression(other), self))

    def __sub__(self, other: Any) -> Expression:
        return Applied(SUM, (self, -expression(other)))

    def __rsub__(self, other: Any) -> Expression:
        return Applied(SUM, (expression(other), -self))

    def __neg__(self) -> Expression:
        return Multiple(-1, (self,))

    def __mul__(self, other: Any) -> Expression:
        factor = expression(other)
        return Multiple(factor.value, (self,)) if isinstance(factor, Constant) else Applied(PRODUCT, (self, factor))

    __rmul__ = __mul__

    def __abs__(self) -> Expression:
        return Applied(LARGER, (self, -self))

    def _unknown(self, *_: Any) -> NoReturn:
        raise BadInput(
            "an expression has no division, remainder or power, and is not an index: expected + - *, comparisons, where, maximum, minimum "
            "and table; a table over all values of a does these, such as table(a, {v: v % 5 for v in range(20)})"
        )

    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __divmod__ = _unknown
    __index__ = __int__ = __float__ = __round__ = _unknown

    def _no_condition(self, *_: Any) -> Any:
        raise BadInput(f"&, | and ~ combine conditions such as a < b, found {_named(self)}")

    __and__ = __rand__ = __or__ = __ror__ = __invert__ = _no_condition

    def __gt__(self, other: Any) -> Condition:
        return Condition(POSITIVE, (self - expression(other),))

    def __ge__(self, other: Any) -> Condition:
        return Condition(POSITIVE, (self - expression(other) + 1,))

    def __lt__(self, other: Any) -> Condition:
        return Condition(POSITIVE, (expression(other) - self,))

    def __le__(self, other: Any) -> Condition:
        return Condition(POSITIVE, (expression(other) - self + 1,))

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return Condition(ZERO, (self - expression(other),))

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return ~(self == other)

    def __bool__(self) -> NoReturn:
        raise BadInput(
            "a condition is not known when the weights are built: expected where(condition, a, b), maximum, minimum and &, |, ~, "
            "found if, and, or, not, max, min or a < b < c"
        )


@dataclass(frozen=True, eq=False)
class Value(Expression):
    """A name that an expression uses; its value is looked up."""

    name: str

    def compute(self, *children: Number) -> Number:  # noqa: ARG002
        raise AssertionError(f"{self.name} is looked up, not computed")

    def bound(self, *children: Interval) -> Interval:  # noqa: ARG002
        raise AssertionError(f"{self.name} is looked up, not bounded")

    def stated(self, children: list[int]) -> list[Any]:  # noqa: ARG002
        raise AssertionError(f"{self.name} is stated by whoever knows what it stands for")


@dataclass(frozen=True, eq=False)
class Constant(Expression):
    """An integer that is written in the program."""

    value: int

    def compute(self, *children: Number) -> Number:  # noqa: ARG002
        return self.value

    def bound(self, *children: Interval) -> Interval:  # noqa: ARG002
        return self.value, self.value

    def stated(self, children: list[int]) -> list[Any]:  # noqa: ARG002
        return ["constant", self.value]


@dataclass(frozen=True, eq=False)
class Multiple(Expression):
    """factor a, for an integer factor."""

    factor: int
    children: tuple[Expression, ...]

    def compute(self, *children: Number) -> Number:
        return self.factor * children[0]

    def bound(self, *children: Interval) -> Interval:
        low, high = sorted(self.factor * end for end in children[0])
        return low, high

    def stated(self, children: list[int]) -> list[Any]:
        return ["multiple", self.factor, *children]


@dataclass(frozen=True, eq=False)
class Quotient(Expression):
    """a / divisor where that is an integer: formulas of positions have them, such as j (j - 1) / 2; a program's own expressions do not."""

    divisor: int
    children: tuple[Expression, ...]

    def compute(self, *children: Number) -> Number:
        return children[0] // self.divisor

    def bound(self, *children: Interval) -> Interval:
        return children[0][0] // self.divisor, -(-children[0][1] // self.divisor)

    def stated(self, children: list[int]) -> list[Any]:  # noqa: ARG002
        raise AssertionError("a quotient is part of a formula, not of a program")


@dataclass(frozen=True, eq=False)
class Lookup(Expression):
    """An entry of a table over the consecutive integers first, first + 1, ..; its ends serve for everything beyond them."""

    first: int
    entries: tuple[int, ...]
    children: tuple[Expression, ...]

    def compute(self, *children: Number) -> Number:
        place, last = children[0] - self.first, len(self.entries) - 1
        return np.array(self.entries)[np.clip(place, 0, last)] if isinstance(place, np.ndarray) else self.entries[min(max(place, 0), last)]

    def bound(self, *children: Interval) -> Interval:
        low, high = (min(max(end - self.first, 0), len(self.entries) - 1) for end in children[0])
        reached = self.entries[low : high + 1]
        return min(reached), max(reached)

    def stated(self, children: list[int]) -> list[Any]:
        return ["table", *children, self.first, list(self.entries)]


@dataclass(frozen=True, eq=False)
class Operation:
    """What a node does with its children: by its name in certificates, on integers and arrays, and on intervals."""

    name: str
    compute: Callable[..., Number]
    bound: Callable[..., Interval]


@dataclass(frozen=True, eq=False)
class Applied(Expression):
    """An operation applied to its children."""

    operation: Operation
    children: tuple[Expression, ...]

    def compute(self, *children: Number) -> Number:
        return self.operation.compute(*children)

    def bound(self, *children: Interval) -> Interval:
        return self.operation.bound(*children)

    def stated(self, children: list[int]) -> list[Any]:
        return [self.operation.name, *children]


class Condition(Applied):
    """An operation whose value is 0 or 1."""

    def __and__(self, other: Any) -> Condition:
        return Condition(BOTH, (self, _condition(other, "&")))

    def __or__(self, other: Any) -> Condition:
        return ~(~self & ~_condition(other, "|"))

    def __invert__(self) -> Condition:
        return Condition(OPPOSITE, (self,))

    __rand__, __ror__ = __and__, __or__


def _larger(a: Number, b: Number) -> Number:
    return np.maximum(a, b) if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) else max(a, b)


def _chosen(flag: Number, a: Number, b: Number) -> Number:
    return np.where(flag, a, b) if isinstance(flag, np.ndarray) else a if flag else b


def _bound_of_product(a: Interval, b: Interval) -> Interval:
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def _bound_of_choice(flag: Interval, a: Interval, b: Interval) -> Interval:
    if flag[0] == flag[1]:
        return a if flag[0] else b
    return min(a[0], b[0]), max(a[1], b[1])


SUM = Operation("sum", lambda a, b: a + b, lambda a, b: (a[0] + b[0], a[1] + b[1]))
PRODUCT = Operation("product", lambda a, b: a * b, _bound_of_product)
LARGER = Operation("larger", _larger, lambda a, b: (max(a[0], b[0]), max(a[1], b[1])))
POSITIVE = Operation("positive", lambda a: (a >= 1) * 1, lambda a: (int(a[0] >= 1), int(a[1] >= 1)))  # a is at least 1, not at most 0
ZERO = Operation("zero", lambda a: (a == 0) * 1, lambda a: (int(a[0] == a[1] == 0), int(a[0] <= 0 <= a[1])))
BOTH = Operation("both", lambda a, b: a * b, lambda a, b: (a[0] * b[0], a[1] * b[1]))  # of two conditions
OPPOSITE = Operation("opposite", lambda a: 1 - a, lambda a: (1 - a[1], 1 - a[0]))  # of a condition
WHERE = Operation("where", _chosen, _bound_of_choice)


def maximum(*values: Any) -> Expression:
    """The largest of one or more."""
    return _largest([expression(value) for value in values], "maximum")


def minimum(*values: Any) -> Expression:
    """The smallest of one or more."""
    return -_largest([-expression(value) for value in values], "minimum")


def _largest(values: list[Expression], what: str) -> Expression:
    """In pairs, so that many values cost few layers."""
    if not values:
        raise BadInput(f"{what}: expected at least one value, found none")
    while len(values) > 1:
        halved: list[Expression] = [Applied(LARGER, pair) for pair in zip(values[::2], values[1::2], strict=False)]
        values = [*halved, *values[2 * len(halved) :]]
    return values[0]


def where(condition: Any, a: Any, b: Any) -> Expression:
    """a where the condition holds, else b; of two conditions it is a condition."""
    flag = _condition(condition, "where")
    if isinstance(a, Condition) and isinstance(b, Condition):
        return either(flag & a, ~flag & b)
    return Applied(WHERE, (flag, expression(a), expression(b)))


def every(*conditions: Condition) -> Condition:
    """Whether all conditions hold, in one step however many there are."""
    if len(conditions) == 1:
        return conditions[0]
    held: Expression = conditions[0]
    for condition in conditions[1:]:
        held = held + condition
    return Condition(POSITIVE, (held - (len(conditions) - 1),))


def either(a: Condition, b: Condition) -> Condition:
    """One of two conditions that never hold together: their sum, which costs no step."""
    return Condition(SUM, (a, b))


def table(a: Any, entries: Mapping[int, int] | Sequence[int]) -> Expression:
    """The entry for a; keys are consecutive integers, and the first and the last entry also serve for everything beyond them."""
    named = entries if isinstance(entries, Mapping) else dict(enumerate(entries))
    keys = sorted(_integer(key) for key in named)
    if not keys or keys != list(range(keys[0], keys[-1] + 1)):
        raise BadInput(f"table: expected entries for consecutive integers, found {keys!r:.80}")
    return Lookup(keys[0], tuple(_integer(named[key]) for key in keys), (expression(a),))


def expression(value: Any) -> Expression:
    """An expression, or an integer as one."""
    return value if isinstance(value, Expression) else Constant(_integer(value))


def _condition(value: Any, where: str) -> Condition:
    if isinstance(value, bool):  # of coordinates alone, which are known
        return Condition(POSITIVE, (Constant(int(value)),))
    if not isinstance(value, Condition):
        raise BadInput(f"{where}: expected a condition such as a < b, found {_named(value)}")
    return value


def _named(value: Any) -> str:
    """What stands where a condition should."""
    if isinstance(value, Value):
        return f"the value {value.name}"
    return f"the value of '{value.operation.name}'" if isinstance(value, Applied) else f"{value!r:.80}"


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"expected an expression or an integer, found {value!r:.80}")
    return value
