"""What the table calls built is what `build` gives, and no bound forbids it."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bounds.families import BOUNDS
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.number_format import number_format
from separatrix.certificates.construction import Construction
from separatrix.constructions import build, constructions
from separatrix.errors import BadInput
from separatrix.ledger.bounds_table import bounds_table, least_built, quantities
from separatrix.tasks import Task, make_task, task_at, task_class

DECLARED = constructions()
LENGTHS = (2, 16, 512, 8192)
LONGEST = {  # longer ones take seconds to build, or more memory than a test should
    "index-lookup/recurrent": 512, "equality/recurrent": 512, "intersects/recurrent": 512, "associative-recall/recurrent": 16,
    "sparse-threshold": 512, "dyck/one-layer": 16, "equality/one-layer": 512, "nearest-neighbor/label-address": 16,
    "k-dnf": 512, "k-cnf": 512, "edit-distance-local/window": 16,
    **{f"{task}/{kind}": 16 for task in ("lis", "edit-distance") for kind in ("standard", "linear", "sparse")},
}  # fmt: skip
FURTHER: dict[str, tuple[dict[str, Any], ...]] = {  # settings at which a formula might forget something
    "index-lookup": ({"symbols": 5},),
    "equality": ({"symbols": 5},),
    "eq-random": ({"symbols": 100},),
    "mqar": ({"labels": 256}, {"symbols": 20_000}),
    "associative-recall": ({"labels": 256}, {"symbols": 20_000}),
    "nearest-neighbor": ({"dimension": 8},),
    "k-dnf": ({"k": 2},),
    "sparse-threshold": ({"k": 2},),
}


def cases() -> list[tuple[Construction, Task]]:
    """Every declaration at every length that is sensible for it, and with further settings at one of them."""
    met = []
    for declaration in DECLARED:
        kind = task_class(declaration.task)
        for length in LENGTHS:
            if length <= LONGEST.get(declaration.name, length):
                further = FURTHER.get(declaration.task, ()) if length == 16 else ()
                met += [
                    (declaration, task_at(declaration.task, {"length": max(length, kind.least_length), **more})) for more in ({}, *further)
                ]
    return met


@pytest.mark.parametrize(
    ("name", "arithmetic", "length"), [("equality", "bfloat16", 64), ("eq-random", "float32", 512), ("equality/one-layer", "float64", 8)]
)
def test_what_a_format_refuses_to_build_is_not_called_built(name: str, arithmetic: str, length: int) -> None:
    with pytest.raises(BadInput):
        build(name, length=length, arithmetic=arithmetic)
    (declaration,) = [d for d in DECLARED if d.name == name]
    assert declaration.sizes(make_task(declaration.task, length=length).parameters, {}, arithmetic) is None


OFTEN = ("1", "16", "bfloat16")
PRECISIONS = [
    pytest.param(precision, marks=() if precision in OFTEN else pytest.mark.slow)
    for precision in ("1", "8", "16", "32", "64", "128", "float64", "bfloat16", "fixed:32,16")
]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_no_bound_forbids_what_is_built(precision: str) -> None:
    met = 0
    for task in {task for _, task in cases() if task.name in BOUNDS and (task.length <= 512 or precision == "32")}:
        for row in bounds_table(task, number_format(precision), DECLARED):
            if row.bound is not None and row.built is not None:
                assert row.bound.value <= row.built.value, (task, row)
                assert row.status in ("met", "gap")
                met += 1
    assert met > 10


RECURRENT_BUILDS: list[tuple[str, dict[str, Any], bool]] = [  # and whether the two numbers meet
    *(("index-lookup", {"length": N, "symbols": S}, True) for N, S in ((1, 2), (7, 2), (20, 64), (50, 4))),
    *(("equality", {"length": N, "symbols": S}, True) for N, S in ((2, 2), (40, 2), (20, 64))),
    *(("intersects", {"length": N}, True) for N in (2, 40)),
    *(("associative-recall", {"length": N, "symbols": N}, True) for N in (2, 3, 5, 8)),
    ("index-lookup", {"length": 20, "symbols": 3}, False),
    ("equality", {"length": 20, "symbols": 5}, False),
    ("associative-recall", {"length": 6}, False),
]


@pytest.mark.parametrize(("name", "chosen", "meets"), RECURRENT_BUILDS)
def test_recurrent_models_meet_their_bound_where_symbols_fill_their_bits(name: str, chosen: dict[str, Any], meets: bool) -> None:
    task = make_task(name, **chosen)
    (row,) = [
        row
        for row in bounds_table(task, number_format("32"), DECLARED)
        if (row.architecture, row.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS)
    ]
    assert row.status == ("met" if meets else "gap")
    assert row.gap is not None
    assert (row.gap == 1) == meets


def test_the_precision_of_a_one_layer_build_is_that_of_its_bound() -> None:
    for name, chosen in (
        ("equality/one-layer", {"length": 64}),
        ("equality/one-layer", {"length": 30, "symbols": 64}),
        ("dyck/one-layer", {"length": 12}),
    ):
        built = build(name, **chosen)
        layer, format = built.heads().config, built.model.numbers.format
        rows = [row for row in bounds_for(built.task, format.bits, format.fraction) if row.architecture == Architecture.ONE_LAYER]
        assert len(rows) >= 2
        for row in rows:
            assert row.value <= layer.heads * layer.value_width, row
        best = least_built(built.task, number_format(format.name), DECLARED)
        assert best[Architecture.ONE_LAYER, Mode.ALONE, Quantity.WIDTH_TIMES_HEADS].value == layer.heads * layer.value_width


def test_the_width_of_one_layer_is_that_of_its_values() -> None:
    sizes = {"layers": 1, "heads": 2, "width": 9, "value_width": 5, "precision_bits": 16}
    assert dict(quantities(sizes, 16)) == {Quantity.WIDTH: 9, Quantity.WIDTH_TIMES_HEADS: 10, Quantity.WIDTH_TIMES_HEADS_FROM_4: 10}
    assert dict(quantities({**sizes, "heads": 1, "value_width": 3}, 16)) == {
        Quantity.WIDTH: 9, Quantity.WIDTH_ONE_HEAD: 3, Quantity.WIDTH_TIMES_HEADS: 3,
    }  # fmt: skip
    assert dict(quantities({**sizes, "layers": 2}, 16)) == {Quantity.WIDTH: 9}
    register = {"layers": 1, "heads": 0, "width": 7, "precision_bits": 1, "state_bits": 7}
    assert dict(quantities(register, 4)) == {Quantity.STATE_BITS: 7, Quantity.WIDTH: 2}  # two numbers of 4 bits hold 7
    assert dict(quantities(register, 1)) == {Quantity.STATE_BITS: 7, Quantity.WIDTH: 7}
