"""No bound forbids what was built: for the same task, architecture and quantity, the lower bound is at most the built one."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.bounds.explicit import ONE_LAYER, RECURRENT, bounds_for
from separatrix.constructions import CONSTRUCTIONS, build

RECURRENT_BUILDS: list[tuple[str, dict[str, Any], bool]] = [  # and whether the two numbers meet
    *(("index-lookup/recurrent", {"length": N, "symbols": S}, True) for N, S in ((1, 2), (7, 2), (20, 64), (50, 4))),
    *(("equality/recurrent", {"length": N, "symbols": S}, True) for N, S in ((2, 2), (40, 2), (20, 64))),
    *(("intersects/recurrent", {"length": N}, True) for N in (2, 40)),
    *(("associative-recall/recurrent", {"length": N, "symbols": N}, True) for N in (2, 3, 5, 8)),
    ("index-lookup/recurrent", {"length": 20, "symbols": 3}, False),
    ("equality/recurrent", {"length": 20, "symbols": 5}, False),
    ("associative-recall/recurrent", {"length": 6}, False),
]
ONE_LAYER_BUILDS: list[tuple[str, dict[str, Any]]] = [
    *(("equality/one-layer", {"length": N, "symbols": S}) for N, S in ((2, 2), (12, 2), (64, 2), (200, 2), (30, 64))),
    *(("dyck/one-layer", {"length": N}) for N in (2, 12, 100)),
]


@pytest.mark.parametrize(("name", "chosen", "tight"), RECURRENT_BUILDS)
def test_state_bits_of_recurrent_models(name: str, chosen: dict[str, Any], tight: bool) -> None:
    built = build(name, **chosen)
    rows = [row for row in bounds_for(built.task.name, built.task.parameters, 1) if row.architecture == RECURRENT]
    bits = built.sizes()["width"] * built.sizes()["precision_bits"]
    assert {row.quantity for row in rows} == {"state bits", "width"}
    for row in rows:  # a register has one bit, so its width is its number of bits
        assert row.value <= bits, row
        assert not row.binds(bits)
    assert (max(row.value for row in rows) == bits) == tight


@pytest.mark.parametrize(("name", "chosen"), ONE_LAYER_BUILDS)
def test_width_of_one_layer_transformers(name: str, chosen: dict[str, Any]) -> None:
    built = build(name, **chosen)
    heads, format = built.heads().config, built.model.numbers.format
    rows = [
        row for row in bounds_for(built.task.name, built.task.parameters, format.bits, format.fraction) if row.architecture == ONE_LAYER
    ]
    assert len(rows) >= 2
    for row in rows:
        assert row.value <= heads.heads * heads.value_width, row


def test_every_build_of_the_losing_side_was_met() -> None:
    names = {name for name, _, _ in RECURRENT_BUILDS} | {name for name, _ in ONE_LAYER_BUILDS}
    assert names == {name for name in CONSTRUCTIONS if name.endswith(("/recurrent", "/one-layer"))}
    assert len(names) == 6
