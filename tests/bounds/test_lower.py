"""Lower bounds with their witnesses: what a certificate is about, and at which size."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.families.closed_form import ClosedForm
from separatrix.bounds.families.dyck import dyck_need, words_split_by_place
from separatrix.bounds.families.equality import equal_pairs, equality_need
from separatrix.bounds.families.intersects import complement_pairs
from separatrix.bounds.lower import (
    CERTIFIED,
    CountedProfile,
    FoolingInputs,
    LowerBound,
    Precision,
    Witness,
    at_a_small_size,
    one_layer_bounds,
    printed_width,
    state_bounds,
    string_count,
)
from separatrix.bounds.question import question_for
from separatrix.bounds.states.profile import StateProfile
from separatrix.checker import check_document
from separatrix.tasks import Task, make_task
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.equality import EqRandom, Equality
from separatrix.tasks.intersects import Intersects
from separatrix.tasks.parity import Parity

NOTHING = Witness("by hand")


def test_states_become_bits_and_bits_a_width() -> None:
    state, width = state_bounds(65, 128, 3, "f", "c", "only so", True, NOTHING)
    assert (state.quantity, state.value, state.tight) == (Quantity.STATE_BITS, 7, True)
    assert (width.quantity, width.value) == (Quantity.WIDTH, 3)  # 7 bits in numbers of 3
    assert state.architecture == width.architecture == Architecture.RECURRENT
    assert state.deterministic_only
    assert not next(state_bounds(64, 65, 3, "f", "c", "only so", True, NOTHING)).tight  # 6 bits are needed, 7 suffice


def test_a_printed_width_is_tight_only_where_it_is_the_exact_one() -> None:
    _, exact = state_bounds(2**12, 2**12, 4, "f", "c", "", False, NOTHING)
    assert printed_width(12, "ceil(N / p)", "somewhere", Precision(4), exact).tight
    half = printed_width(6, "ceil(N / 2p)", "somewhere", Precision(4), exact)
    assert (half.value, half.tight, half.formula) == (2, False, "ceil(N / 2p), as printed")


def test_a_fraction_that_is_known_makes_one_layer_bounds_sharper() -> None:
    need = equality_need(Equality(400))
    any_split, known = (next(one_layer_bounds(need, Precision(8, fraction))) for fraction in (None, 0))
    assert Precision(8).f == 7
    assert any_split.value < known.value
    assert any_split.caveat.startswith("For every way to split p bits")
    assert known.caveat == need.caveat


def test_strings_are_counted_up_to_a_limit() -> None:
    assert string_count(Parity(10), 1024) == 1024
    assert string_count(Parity(10), 1023) is None
    assert string_count(make_task("index-lookup", length=3, symbols=2), 100) == 2**3 * 3


def test_a_witness_is_shown_at_its_own_size_where_that_can_be_listed() -> None:
    assert at_a_small_size(Equality(16)) == Equality(16)  # 2^16 strings
    assert CERTIFIED == 2**16
    assert at_a_small_size(Equality(18)) == Equality(6)
    assert at_a_small_size(Equality(1000, symbols=64)) == Equality(6)


class Mine(Parity):
    """A task of one's own under a name of ours."""

    def answer(self, tokens: tuple[int, ...]) -> int | None:
        return tokens[0]


def test_a_task_of_ones_own_is_certified_by_its_table() -> None:
    assert question_for(Equality(4)).task == "equality"
    assert question_for(Mine(3)).task == "table"
    document = CountedProfile(Mine(3)).certificate()
    assert (document["classes"], document["bits"]) == ([1, 2, 2, 2, 2], 1)
    assert check_document(document).holds


class MineApart(EqRandom):
    """Equality across a separator, whose id is not its place in the alphabet of its position."""


@pytest.mark.parametrize(
    ("fooling", "size", "bits"),
    [
        (equal_pairs(Equality(6)), 8, 4),  # 2^3 halves, and one more answer
        (equal_pairs(EqRandom(4, symbols=3)), 9, 4),
        (equal_pairs(MineApart(4, symbols=3)), 9, 4),  # by table: the separator has the place 0 in its own alphabet
        (complement_pairs(Intersects(8)), 16, 5),
        (words_split_by_place(Dyck(6)), 32, 6),  # 2^(N-1) words
        (words_split_by_place(Dyck(4, types=3)), 18, 5),  # n^(N/2) 2^(N/2-1)
    ],
)
def test_fooling_inputs_are_accepted_by_the_checker(fooling: FoolingInputs, size: int, bits: int) -> None:
    assert len(fooling.inputs) == size
    document = fooling.certificate()
    assert (len(document["pairs"]), document["bits"]) == (size, bits)
    verdict = check_document(document)
    assert verdict.holds, verdict.reason


def test_the_fooling_set_of_bounded_dyck_proves_all_bits_of_its_need_but_one() -> None:
    need = dyck_need(Dyck(6))
    assert need is not None
    assert need.bits == 7  # N + 1, by ranks
    assert words_split_by_place(Dyck(6)).certificate()["bits"] == 6


def test_a_witness_as_json_names_what_is_shown() -> None:
    assert Witness("by hand").document() == {"proof": "by hand", "kind": None, "task": None, "parameters": None}
    assert Witness("count", CountedProfile(Parity(3))).document() == {
        "proof": "count", "kind": "state-profile", "task": "parity", "parameters": {"length": 3},
    }  # fmt: skip


def test_a_bound_refutes_what_is_smaller() -> None:
    bound = LowerBound(Architecture.RECURRENT, Quantity.STATE_BITS, 5, "f", "", False, "", False, NOTHING)
    assert (bound.binds(4), bound.binds(5)) == (True, False)


@dataclass(frozen=True)
class Twice:
    """Stands for a task whose form is counted as another one."""

    length: int


def test_a_form_may_be_counted_as_another_task() -> None:
    def other(_: Twice) -> Task:
        return Parity(3)

    form = ClosedForm("2 bits", "", "for show", lambda _: StateProfile((1, 4), (1, 4), "by hand"), lambda _: (4, 4), counted_as=other)
    state, _ = form.rows(Twice(1), Precision(2))  # type: ignore[arg-type]
    assert state.witness == Witness("closed form: 2 bits", CountedProfile(Parity(3)))
    assert (state.value, state.cites) == (2, "")
