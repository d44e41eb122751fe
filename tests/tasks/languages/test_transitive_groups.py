"""The transitive groups of at most eight points, against a second implementation."""

from __future__ import annotations

from collections import Counter

import pytest
from sympy.combinatorics import Permutation
from sympy.combinatorics import PermutationGroup as Second

from separatrix.tasks.languages.named_groups import GROUPS
from separatrix.tasks.languages.transitive_groups import TRANSITIVE

KNOWN = {2: 1, 3: 2, 4: 5, 5: 5, 6: 16, 7: 7, 8: 50}  # how many there are, OEIS A002106
ORDERS = {  # of nT1, nT2, .. from the generators of GAP's library TransGrp 3.6.3, which are not those of our table
    2: "2",
    3: "3 6",
    4: "4 4 8 12 24",
    5: "5 10 20 60 120",
    6: "6 6 12 12 18 24 24 24 36 36 48 60 72 120 360 720",
    7: "7 14 21 42 168 2520 5040",
    8: "8 8 8 8 8 16 16 16 16 16 16 24 24 24 32 32 32 32 32 32 32 32 48 48 56 64 64 64 64 64"
    " 64 96 96 96 128 168 168 192 192 192 192 288 336 384 576 576 1152 1344 20160 40320",
}  # fmt: skip
SLOW = ("s9", "a9", "psl3_3", "psl3_4", "psl3_5", "m11", "m12", "z5_4", "s8", "a8")  # in the second implementation


def test_there_are_as_many_as_there_should_be() -> None:
    groups = [make() for make in TRANSITIVE.values()]
    assert Counter(group.degree for group in groups) == KNOWN
    assert all(group.transitive for group in groups)


def test_orders_are_those_of_the_library() -> None:
    assert {name: make().order for name, make in TRANSITIVE.items()} == {
        f"{degree}T{k}": int(order) for degree, orders in ORDERS.items() for k, order in enumerate(orders.split(), 1)
    }


@pytest.mark.parametrize("name", [*TRANSITIVE, *(name for name in GROUPS if name not in SLOW)])
def test_orders_of_derived_series_agree_with_a_second_implementation(name: str) -> None:
    group = {**GROUPS, **TRANSITIVE}[name]()
    other = Second([Permutation(list(g)) for g in group.generators])
    orders = [one.order() for one in other.derived_series()]
    found = [*group.derived_orders]
    assert found[: len(orders)] == orders  # a series that stands still ends with a group twice, here
    assert found[len(orders) :] in ([], [orders[-1]])
    assert other.is_solvable == group.solvable


def test_different_numbers_are_different_groups() -> None:
    """Shapes of cycles and orders of the derived series tell most of them apart."""
    told = Counter()
    for name, make in TRANSITIVE.items():
        group = make()
        if group.order <= 400:
            elements = Second([Permutation(list(g)) for g in group.generators]).elements
            shapes = Counter(tuple(sorted(g.cycle_structure.items())) for g in elements)
            told[group.degree, group.derived_orders, tuple(sorted(shapes.items()))] += 1
        else:
            told[name] += 1
    assert sum(told.values()) == 86
    assert len(told) >= 82
