"""Expressions: what they compute, on integers and on arrays, and in which interval."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks.programs.evaluation import Function, Range, nodes
from separatrix.tasks.programs.expression import Expression, Value, maximum, minimum, table, where

a, b = Value("a"), Value("b")
CASES: list[tuple[Expression, object]] = [
    (a + b, lambda x, y: x + y),
    (3 - a, lambda x, _: 3 - x),
    (2 * a - b * 3, lambda x, y: 2 * x - 3 * y),
    (a * b, lambda x, y: x * y),
    (-a, lambda x, _: -x),
    (a < b, lambda x, y: x < y),
    (a <= b, lambda x, y: x <= y),
    (a > b, lambda x, y: x > y),
    (a >= b, lambda x, y: x >= y),
    (a == b, lambda x, y: x == y),
    (a != b, lambda x, y: x != y),
    (2 == a, lambda x, _: x == 2),  # noqa: SIM300
    ((a < b) & (b < 2), lambda x, y: x < y < 2),
    ((a < b) | (b < 2), lambda x, y: x < y or y < 2),
    (~(a < b), lambda x, y: not x < y),
    (where(a < b, a, b + 1), lambda x, y: x if x < y else y + 1),
    (where(where(a < b, a < 1, b < 2), a, b + 1), lambda x, y: x if (x < 1 if x < y else y < 2) else y + 1),
    (maximum(a, b), max),
    (minimum(a, 1), lambda x, _: min(x, 1)),
    (table(a, {-1: 5, 0: 2, 1: 7}), lambda x, _: {-1: 5, 0: 2}.get(max(x, -1), 7)),
    (maximum(a, b, 1, a + b), lambda x, y: max(x, y, 1, x + y)),
    (minimum(b, 2, a), lambda x, y: min(x, y, 2)),
    (minimum(a), lambda x, _: x),
    (abs(a - b), lambda x, y: abs(x - y)),
    (table(a, [4, 0, 9]), lambda x, _: [4, 0, 9][min(max(x, 0), 2)]),
    (False | (a < b), lambda x, y: x < y),
    (maximum(a, b) + (a == b), lambda x, y: max(x, y) + (x == y)),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "meant"), CASES, ids=range(len(CASES)))
def test_an_expression_computes_what_it_says_on_integers_and_on_arrays_and_stays_in_its_interval(
    expression: Expression, meant: object
) -> None:
    pairs = list(itertools.product(range(-3, 4), repeat=2))
    function = Function(expression)
    alone = [function({"a": x, "b": y}) for x, y in pairs]
    assert alone == [meant(x, y) for x, y in pairs]  # type: ignore[operator]
    assert all(type(value) is int for value in alone)
    columns = np.array(pairs).T
    assert (function({"a": columns[0], "b": columns[1]}) + np.zeros(len(pairs), dtype=int)).tolist() == alone
    low, high = Range(expression)({"a": (-3, 3), "b": (-3, 3)})
    assert low <= min(alone)
    assert max(alone) <= high
    for x, y in pairs[::5]:  # at a point the interval is that point
        assert Range(expression)({"a": (x, x), "b": (y, y)}) == (function({"a": x, "b": y}),) * 2


def test_a_shared_part_is_one_node() -> None:
    part = maximum(a, b)
    assert len(list(nodes(part + part))) == 4


def test_an_expression_has_no_truth_value() -> None:
    with pytest.raises(BadInput, match="not known when the weights are built"):
        bool(a < b)
    with pytest.raises(BadInput, match="not known when the weights are built"):
        max(a, b)  # type: ignore[type-var]


@pytest.mark.parametrize("wrong", [1.5, "a", None, True])
def test_only_integers_and_expressions_are_combined(wrong: object) -> None:
    with pytest.raises(BadInput, match="expected an expression or an integer"):
        a + wrong


def test_conditions_and_tables_are_checked() -> None:
    with pytest.raises(BadInput, match="where: expected a condition such as a < b"):
        where(a, 1, 2)
    with pytest.raises(BadInput, match=r"found the value of 'where'$"):
        where(where(a < b, 0, 1), 1, 2)
    with pytest.raises(BadInput, match="&: expected a condition"):
        (a < b) & b
    with pytest.raises(BadInput, match="table: expected entries for consecutive integers"):
        table(a, {0: 1, 2: 3})
    with pytest.raises(BadInput, match="maximum: expected at least one value, found none"):
        maximum()


@pytest.mark.parametrize(
    "wrong",
    [lambda: a % 5, lambda: a // 2, lambda: 1 / a, lambda: a**2, lambda: [1, 2, 3][a], lambda: divmod(a, 2)],  # type: ignore[operator, index]
)
def test_what_an_expression_cannot_say_is_refused_with_what_it_can(wrong: Callable[[], object]) -> None:
    with pytest.raises(BadInput, match=r"no division, remainder or power, and is not an index: expected \+ - \*, comparisons, where"):
        wrong()


@pytest.mark.parametrize("wrong", [lambda: ~a, lambda: a & (a < b), lambda: (a + b) | a])  # type: ignore[operator]
def test_only_conditions_are_combined(wrong: Callable[[], object]) -> None:
    with pytest.raises(BadInput, match=r"&, \| and ~ combine conditions such as a < b, found"):
        wrong()


def test_the_largest_of_many_is_found_in_pairs() -> None:
    """Eight values need three levels, so three layers."""
    root = maximum(*range(4), a, b, 7, 8)
    depth = {id(node): 0 for node in nodes(root)}
    for node in nodes(root):
        depth[id(node)] = max((depth[id(child)] + 1 for child in node.children), default=0)
    assert depth[id(root)] == 3
