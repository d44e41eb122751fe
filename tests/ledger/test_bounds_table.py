"""The table of what is needed, built and open: rows joined by architecture and quantity, in the number format that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from separatrix.architectures import Architecture, Mode, Quantity
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.lower import certificate_name, certificates
from separatrix.bounds.number_format import NumberFormat, number_format
from separatrix.constructions import constructions
from separatrix.ledger.bounds_table import Row, Sizes, bounds_table, least_built
from separatrix.tasks import make_task
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.equality import Equality


@dataclass(frozen=True)
class Declared:
    """A construction that is no more than its sizes in the formats that it has."""

    name: str
    task: str
    architecture: str
    known: Mapping[str | None, Sizes]
    variants: tuple[Mapping[str, Any], ...] = ({},)
    mode: Mode = Mode.ALONE
    sees_all: bool = False

    def sizes(self, task_parameters: Mapping[str, Any], settings: Mapping[str, Any], arithmetic: str | None) -> Sizes | None:
        assert task_parameters["length"] >= 2
        assert settings == {}
        return self.known.get(arithmetic)


def one_layer(name: str, value_width: int, arithmetic: str | None, bits: int) -> Declared:
    sizes = {"layers": 1, "heads": 1, "width": 9, "value_width": value_width, "precision_bits": bits}
    return Declared(name, "equality", "one-layer Transformer", {arithmetic: sizes})


REGISTERS = Declared(
    "registers", "equality", "recurrent", {None: {"layers": 1, "heads": 0, "width": 12, "precision_bits": 1, "state_bits": 12}}
)


def rows_of(*built: Declared, precision: str = "32", length: int = 20) -> dict[tuple[Architecture, Quantity], Row]:
    return {(row.architecture, row.quantity): row for row in bounds_table(Equality(length), number_format(precision), built)}


def test_a_bound_and_what_is_built_share_a_row() -> None:
    row = rows_of(REGISTERS)[Architecture.RECURRENT, Quantity.STATE_BITS]
    assert row.bound is not None
    assert row.built is not None
    assert (row.bound.value, row.built.value, row.built.more["construction"], row.status, row.gap) == (10, 12, "registers", "gap", 1.2)
    document = row.document()
    assert (document["architecture"], document["quantity"], document["value"], document["built"]) == ("recurrent", "state bits", 10, 12)
    assert (document["construction"], document["status"], document["witness"]["kind"]) == ("registers", "gap", "state-profile")


def test_what_meets_its_bound_is_met_and_what_lacks_either_says_so() -> None:
    exact = Declared("exact", "equality", "recurrent", {None: {**REGISTERS.known[None], "state_bits": 10}})
    met = rows_of(exact)
    assert met[Architecture.RECURRENT, Quantity.STATE_BITS].status == "met"
    assert met[Architecture.RECURRENT, Quantity.WIDTH].status == "met"  # 10 bits are one number of 32 bits
    alone = rows_of(
        Declared("deep", "equality", "two-layer Transformer", {"float32": {"layers": 2, "heads": 1, "width": 7, "precision_bits": 32}})
    )
    row = alone[Architecture.TWO_LAYERS, Quantity.WIDTH]
    assert (row.status, row.gap, row.document()["formula"]) == ("no bound", None, "no lower bound is known")


def test_the_smallest_construction_of_a_row_is_shown() -> None:
    small, large = one_layer("small", 3, None, 11), one_layer("large", 8, None, 11)
    key = Architecture.ONE_LAYER, Mode.ALONE, Quantity.WIDTH_ONE_HEAD
    for order in ((small, large), (large, small)):
        assert least_built(Equality(20), NumberFormat(32), order)[key].more["construction"] == "small"


@pytest.mark.parametrize(
    ("precision", "built"),
    [
        ("64", ["in float64"]),
        ("32", ["in float32"]),
        ("16", ["in bfloat16"]),
        ("11", ["in its own"]),
        ("10", []),
        ("float32", ["in float32"]),
        ("float64", ["in float64"]),
        ("fixed:11,4", []),
    ],
)
def test_only_what_the_numbers_hold_is_built(precision: str, built: list[str]) -> None:
    kinds = [one_layer(f"in {name}", 5, name, bits) for name, bits in (("float64", 64), ("float32", 32), ("bfloat16", 16))]
    best = least_built(Equality(20), number_format(precision), [*kinds, one_layer("in its own", 6, None, 11)])
    assert [c.more["construction"] for key, c in best.items() if key[2] == Quantity.WIDTH_ONE_HEAD] == built


def test_constructions_of_other_tasks_are_left_out() -> None:
    assert rows_of(Declared("other", "dyck", "recurrent", REGISTERS.known))[Architecture.RECURRENT, Quantity.STATE_BITS].built is None


def test_a_task_of_ones_own_under_a_name_of_ours_gets_none_of_our_constructions() -> None:
    class Mine(Equality):
        pass

    assert least_built(Mine(4), NumberFormat(32), [REGISTERS]) == {}
    assert least_built(Equality(4), NumberFormat(32), [REGISTERS]) != {}


def test_an_architecture_that_nobody_knows_is_an_error_of_the_declaration() -> None:
    with pytest.raises(ValueError, match="'abacus' is not a valid Architecture"):
        rows_of(Declared("bead", "equality", "abacus", REGISTERS.known))


def test_rows_with_equal_labels_differ_in_their_formula() -> None:
    for task in (Equality(64), Dyck(400), make_task("mqar", length=64)):
        rows = bounds_table(task, number_format("32"), ())
        labels = [(row.architecture, row.quantity, row.document()["formula"], row.document()["cites"]) for row in rows]
        assert len({*labels}) == len(labels)


def test_every_witness_is_certified_once_under_the_name_of_its_file() -> None:
    written = certificates(bounds_for(Equality(40), 32))
    assert [*written] == ["state-profile-equality-6.json", "fooling-set-equality-6.json"]
    assert {document["kind"] for document in written.values()} == {"state-profile", "fooling-set"}
    proof_alone = [bound for bound in bounds_for(Dyck(40), 32) if bound.architecture == Architecture.ONE_TRANSITION]
    assert [certificate_name(bound.witness.document()) for bound in proof_alone] == [None]
    assert certificates(proof_alone) == {}


def test_a_task_without_bounds_and_constructions_has_no_row() -> None:
    assert bounds_table(make_task("turing-machine", length=100), number_format("32"), ()) == ()


def test_the_bound_on_any_recurrent_model_stands_beside_each_that_is_built_and_is_not_called_tight_there() -> None:
    from separatrix.constructions import constructions

    rows = bounds_table(make_task("copy", length=8), number_format("32"), constructions())
    of_states = {row.architecture: row for row in rows if row.quantity == Quantity.STATE_BITS}
    needed = of_states[Architecture.RECURRENT].bound
    assert needed is not None
    assert {Architecture.ELMAN, Architecture.LINEAR_ATTENTION} <= of_states.keys()
    for kind, row in of_states.items():
        assert row.bound is not None
        assert row.bound.value == needed.value
        assert row.built is not None
        assert row.document()["tight"] is (kind is Architecture.RECURRENT and bool(needed.more["tight"]))


def test_what_is_built_in_one_recurrent_architecture_is_built_for_any_recurrent_model() -> None:
    from separatrix.constructions import constructions

    (row,) = [
        row
        for row in bounds_table(make_task("mqar", length=8), number_format("32"), constructions())
        if (row.architecture, row.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS)
    ]
    assert row.built is not None
    assert row.built.inherited
    assert row.status == "gap"


def test_where_one_quantity_is_bounded_another_is_not_said_to_be_without_bound() -> None:
    task = make_task("dyck", length=64)
    rows = [row for row in bounds_table(task, NumberFormat(32), constructions("dyck")) if row.architecture is Architecture.ONE_LAYER]
    assert any(row.bound is not None for row in rows)
    assert [row.document()["formula"] for row in rows if row.bound is None] == ["none of its own: see width, one head"]
