"""The maps of a program as formulas: they give every state and every position, or there are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.programs import DynamicProgram, cell, entry
from separatrix.tasks.programs.evaluation import Function, nodes
from separatrix.tasks.programs.expression import PRODUCT, Applied, Condition, Expression, Value, expression
from separatrix.tasks.programs.fitting import Threshold, fitted, solved, unique_largest
from separatrix.tasks.programs.maps import Maps, chosen, maps_of
from separatrix.tasks.programs.places import Cell, Entry
from separatrix.tasks.programs.unrolled import Unrolled

ALWAYS: Condition = expression(1) > 0
PROGRAMS: list[tuple[str, dict[str, Any]]] = [
    ("lis", {"length": 1}),
    ("lis", {"length": 9}),
    ("edit-distance", {"length": 3, "second": 7}),
    ("edit-distance-local", {"length": 4, "second": 3}),
    ("reverse-sum", {"length": 6}),
    ("cellular-automaton", {"length": 5, "rows": 4}),
]


def evaluated(formula: Expression, u: Unrolled) -> list[int]:
    """A formula at every state, one after the other."""
    function = Function(formula)
    return [int(function(dict(zip(u.coordinates, state, strict=True)))) for state in u.states.tolist()]


@pytest.mark.parametrize(("name", "chosen_at"), PROGRAMS)
def test_formulas_give_every_next_state_and_every_position_and_know_the_last_state(name: str, chosen_at: dict[str, Any]) -> None:
    u = make_task(name, **chosen_at).unrolled
    maps = maps_of(u, name)
    assert maps.first == tuple(u.states[0])
    for c, cases in enumerate(maps.following):
        assert evaluated(chosen(cases, ALWAYS), u)[:-1] == u.states[1:, c].tolist()
    for r, cases in enumerate(maps.positions.values()):
        assert evaluated(chosen(cases, ALWAYS), u) == u.positions[:, r].tolist()
    assert evaluated(maps.last, u) == [0] * (len(u.states) - 1) + [1]


def test_the_formulas_of_the_longest_subsequence_are_those_of_the_proof() -> None:
    """State (j, k) stands at n + 1 + j (j - 1) / 2 + k + 1, so dp(k, k - 1) at n + 1 + k (k + 1) / 2: one square, and no case."""
    n = 12
    u = make_task("lis", length=n).unrolled
    maps: Maps = maps_of(u, "lis")
    (ending,) = maps.positions["ending"]
    assert [Function(ending.formula)({"j": 0, "k": k}) for k in range(9)] == [n + 1 + k * (k + 1) // 2 for k in range(9)]
    assert sum(isinstance(node, Applied) and node.operation is PRODUCT for node in nodes(ending.formula)) == 1
    assert [len(cases) for cases in maps.positions.values()] == [2, 1, 1, 2]
    assert [len(cases) for cases in maps.following] == [2, 2]


def test_a_cubic_and_its_denominator_are_found() -> None:
    x = np.arange(40, dtype=np.int64)[:, None]
    (piece,) = fitted(x, x * (x - 1) * (x - 2) // 6) or ()
    assert piece[0] is None
    assert [str(c) for _, c in piece[1][0].terms] == ["1/3", "-1/2", "1/6"]


def test_a_table_without_a_short_formula_has_none() -> None:
    rng = np.random.default_rng(0)
    x = np.arange(60, dtype=np.int64)[:, None]
    assert fitted(x, rng.permutation(60)[:, None]) is None
    assert solved(np.ones((3, 1), dtype=np.int64), np.array([1, 2, 1])) is None
    assert unique_largest(np.array([[0, 0], [1, 1], [2, 2]]), 1) is None
    assert unique_largest(np.array([[0, 0], [1, 1], [0, 1]]), 1) == Threshold((1, 0), 1)


@dataclass(frozen=True)
class Shuffled(DynamicProgram):
    """A sum in an order that no formula gives."""

    def states(self) -> Iterable[int]:
        return [int(i) for i in np.random.default_rng(3).permutation(self.length)]

    def needs(self, i: int) -> Mapping[str, Cell | Entry]:  # type: ignore[override]
        order = list(self.states())
        before = order.index(i) - 1
        return {"before": cell(order[before]) if before >= 0 else cell(-1), "number": entry(i + 1)}

    def transition(self, before: Value, number: Value) -> Expression:  # type: ignore[override]
        return before + number


def test_a_map_without_a_network_is_refused_in_one_line_that_offers_the_table() -> None:
    with pytest.raises(BadInput, match=r"shuffled: the next state has no small network: .* expected maps=table, which keeps it in a table"):
        maps_of(Shuffled(40).unrolled, "shuffled")
