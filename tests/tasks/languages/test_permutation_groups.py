from __future__ import annotations

from itertools import permutations

import pytest

from separatrix.tasks.languages.named_groups import GROUPS, Field
from separatrix.tasks.languages.permutation_groups import PermutationGroup, inverse, times


def listed(group: PermutationGroup) -> set[tuple[int, ...]]:
    """Every element, by multiplying."""
    found = {tuple(range(group.degree))}
    queue = list(found)
    for x in queue:  # grows during the loop
        for g in group.generators:
            if times(x, g) not in found:
                found.add(times(x, g))
                queue.append(times(x, g))
    return found


# orders by hand: n!, n!/2, 2n, q^k, q (q^2 - 1) / gcd(2, q - 1); that of M11 is 7,920
@pytest.mark.parametrize(
    ("name", "derived"),
    [
        ("s4", (24, 12, 4, 1)),
        ("a5", (60, 60)),
        ("d6", (12, 3, 1)),
        ("q8", (8, 2, 1)),
        ("z3_3", (27, 1)),
        ("f20", (20, 5, 1)),
        ("f21", (21, 7, 1)),
        ("psl2_8", (504, 504)),
        ("psl2_9", (360, 360)),
        ("psl3_2", (168, 168)),
        ("m11", (7920, 7920)),
    ],
)
def test_orders_of_derived_series(name: str, derived: tuple[int, ...]) -> None:
    group = GROUPS[name]()
    assert group.derived_orders == derived
    assert group.transitive


def test_orders_and_membership_agree_with_a_list_of_all_elements() -> None:
    for name in ("s4", "a4", "d5", "q16", "v4", "f21", "psl2_5"):
        group = GROUPS[name]()
        elements = listed(group)
        assert group.order == len(elements)
        if group.degree <= 5:
            assert {g for g in permutations(range(group.degree)) if group.has(g)} == elements


def test_the_derived_group_holds_all_commutators_and_nothing_else() -> None:
    for name in ("s4", "d8", "q16", "f20"):
        group = GROUPS[name]()
        elements = listed(group)
        commutators = {times(times(inverse(a), inverse(b)), times(a, b)) for a in elements for b in elements}
        spanned = PermutationGroup(group.degree, tuple(commutators))
        assert spanned.order == group.derived.order
        assert all(group.derived.has(c) for c in commutators)


def test_there_are_94_names() -> None:
    assert len(GROUPS) == 94


def test_fields_of_four_eight_and_nine_elements() -> None:
    for q in (4, 5, 8, 9):
        field = Field(q)
        assert all(field.times(x, field.inverse(x)) == 1 for x in range(1, q))
        for x in range(q):
            assert sorted(field.add(x, y) for y in range(q)) == list(range(q))
            for y in range(q):
                assert field.times(x, field.add(y, 1)) == field.add(field.times(x, y), x)


@pytest.mark.slow
def test_72_of_the_94_are_solvable() -> None:
    assert sum(make().solvable for make in GROUPS.values()) == 72
