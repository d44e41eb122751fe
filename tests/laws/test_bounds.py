"""Lower bounds lie below what was built, and what is said to be built is built."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.bounds.explicit import bounds_for
from separatrix.bounds.upper import UpperBound, built_for
from separatrix.constructions import build
from separatrix.tasks import make_task

PRECISION = 64
CATALOGUE: list[tuple[str, dict[str, Any]]] = [
    ("index-lookup", {"length": 16, "symbols": 4}),
    ("index-lookup", {"length": 100, "symbols": 64}),
    ("equality", {"length": 10}),
    ("equality", {"length": 64}),
    ("equality", {"length": 12, "symbols": 8}),
    ("intersects", {"length": 16}),
    ("intersects", {"length": 64}),
    ("k-dnf", {"length": 16, "k": 3}),
    ("k-cnf", {"length": 12, "k": 2}),
    ("sparse-threshold", {"length": 12, "k": 3}),
    ("mqar", {"length": 16}),
    ("mqar", {"length": 32, "symbols": 16}),
    ("associative-recall", {"length": 16}),
]
MET = 22  # 4 for index lookup, 8 for equality, 4 for intersection, 3 for thresholds, 3 for recall


def entries() -> list[tuple[str, dict[str, Any], UpperBound]]:
    return [(name, given, upper) for name, given in CATALOGUE for upper in built_for(name, make_task(name, **given).parameters, PRECISION)]


def test_the_catalogue_is_met() -> None:
    assert len(entries()) == MET
    assert all(built_for(name, make_task(name, **given).parameters, PRECISION) for name, given in CATALOGUE)


@pytest.mark.parametrize(("name", "given", "upper"), entries())
def test_what_is_said_to_be_built_is_built(name: str, given: dict[str, Any], upper: UpperBound) -> None:
    del name
    built = build(upper.construction, **given, **dict(upper.settings))
    if upper.quantity == "state bits":
        assert built.claim.facts["state bits"] == upper.value
    else:
        assert built.sizes()["width"] == upper.value
        assert built.sizes()["layers"] == {"one-layer Transformer": 1, "two-layer Transformer": 2}[upper.architecture]


@pytest.mark.parametrize(("name", "given"), CATALOGUE)
def test_lower_bounds_lie_below_what_was_built(name: str, given: dict[str, Any]) -> None:
    parameters = make_task(name, **given).parameters
    for lower in bounds_for(name, parameters, PRECISION):
        for upper in built_for(name, parameters, PRECISION):
            if (lower.architecture, lower.quantity) == (upper.architecture, upper.quantity):
                assert lower.value <= upper.value
                powers_of_two = parameters.get("symbols", 2) in (2, 4, 8, 64)
                if lower.tight and upper.quantity == "state bits" and powers_of_two:
                    assert lower.value == upper.value
