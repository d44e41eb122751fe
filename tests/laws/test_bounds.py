"""Every family of bounds against its promises: closed forms are the count, every bound has a witness, certificates are accepted."""

from __future__ import annotations

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bits import ceil_log2
from separatrix.bounds.families import BOUNDS, form_of, known_bounds
from separatrix.bounds.limits import bounds_for, task_profile
from separatrix.bounds.lower import LowerBound, Precision, certificate_name, certificates, string_count
from separatrix.bounds.states.profile import state_profile
from separatrix.checker import check_document
from separatrix.errors import BadInput
from separatrix.papers import statements
from separatrix.tasks import TASKS, Task, task_at, task_class

PRECISION = 32
SMALL = 1 << 16  # strings that are counted here

bounded = pytest.mark.parametrize("name", sorted(BOUNDS))


def sizes(name: str) -> list[Task]:
    """The task at the sizes that it names, as far as a whole profile is sensible there."""
    kind = task_class(name)
    return [task_at(name, settings) for settings in (kind.enumerated_at, kind.drawn_at, kind.counted_at, kind.audited_at, *kind.sampled_at)]


def test_every_table_entry_names_a_task() -> None:
    assert {*BOUNDS} <= {*TASKS}


@bounded
def test_every_family_has_rows_with_their_formula_caveat_and_source(name: str) -> None:
    known = {s.key for s in statements()}
    task = task_at(name, task_class(name).bounded_at)
    rows = bounds_for(task, PRECISION)
    assert rows
    for row in rows:
        assert isinstance(row.architecture, Architecture)
        assert isinstance(row.quantity, Quantity)
        assert row.value >= 1
        assert row.formula
        assert row.caveat
        assert row.cites == "" or row.cites in known
        assert row.witness.proof


@bounded
def test_a_closed_form_is_the_count(name: str) -> None:
    form = form_of(name)
    counted = 0
    for task in sizes(name):
        if form is None or not task.scored_at_end or string_count(task, SMALL) is None:
            continue
        alphabets = [tuple(alphabet) for alphabet in task.alphabets()]
        count, formula = state_profile(task.answer, alphabets, len(alphabets)), form.profile(task)
        assert formula.classes_lower == count.classes_lower, task
        assert all(lower <= upper for lower, upper in zip(count.classes_lower, formula.classes_upper, strict=True))
        assert formula.exact or not task.total
        counted += 1
    tiny = task_at(name, task_class(name).enumerated_at)
    assert counted > 0 or form is None or not tiny.scored_at_end


@bounded
def test_the_widest_cut_alone_is_the_maximum_of_the_profile(name: str) -> None:
    form = form_of(name)
    for task in sizes(name):
        if form is not None:
            profile = form.profile(task)
            assert len(profile.classes) == task.token_count + 1
            assert form.widest(task) == (max(profile.classes_lower), max(profile.classes_upper)), task


@bounded
def test_state_bits_are_those_of_the_profile_and_the_width_holds_them(name: str) -> None:
    form = form_of(name)
    for task in sizes(name):
        rows = known_bounds(task).rows(task, Precision(PRECISION))
        if form is not None:
            state, width = rows[:2]
            assert (state.architecture, state.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS)
            assert (width.architecture, width.quantity) == (Architecture.RECURRENT, Quantity.WIDTH)
            profile = form.profile(task)
            assert state.value == profile.bits
            assert state.tight == (profile.bits == profile.bits_upper)
            assert width.value == -(-profile.bits // PRECISION)


@bounded
def test_the_certificates_of_a_familys_witnesses_are_accepted_and_show_what_the_bound_says(name: str) -> None:
    task = task_at(name, task_class(name).enumerated_at)
    rows = bounds_for(task, PRECISION)
    documents = certificates(rows)
    assert documents
    assert {*documents} == {certificate_name(row.witness.document()) for row in rows} - {None}
    for document in documents.values():
        verdict = check_document(document)
        assert verdict.holds, verdict.reason
    for row in rows:
        shown = row.witness.shown
        if shown is not None and shown.task == task and row.quantity == Quantity.STATE_BITS:
            assert documents[str(certificate_name(row.witness.document()))]["bits"] >= row.value


@bounded
def test_at_sizes_beyond_counting_the_witness_is_a_small_one(name: str) -> None:
    task = task_at(name, task_class(name).bounded_at)
    for bound in bounds_for(task, PRECISION):
        shown = bound.witness.shown
        listed = getattr(shown, "listed", None)  # or a few inputs that are written out
        assert shown is None or string_count(shown.task, SMALL) is not None or 0 < len(listed or ()) < SMALL, bound


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_task_has_a_profile_where_it_says_that_it_is_counted(name: str) -> None:
    task = task_at(name, task_class(name).counted_at)
    profile = task_profile(task)
    assert profile.classes[0] == 1
    assert len(profile.classes) == task.token_count + 1
    rows = [
        row for row in bounds_for(task, PRECISION) if row.architecture == Architecture.RECURRENT and row.quantity == Quantity.STATE_BITS
    ]
    assert [row.value <= ceil_log2(max(profile.classes)) for row in rows] == [True]


def test_a_bound_binds_only_below_its_value() -> None:
    (row, *_) = bounds_for(task_at("equality", {"length": 20}), 8)
    assert isinstance(row, LowerBound)
    assert row.value == 10
    assert [row.binds(size) for size in (9, 10, 11)] == [True, False, False]


@pytest.mark.parametrize("name", sorted(TASKS))
def test_a_task_says_up_to_which_length_its_bounds_are_evaluated(name: str) -> None:
    kind = task_class(name)
    assert {**kind.bounded_at}.get("length", 0) <= kind.bounded_up_to
    task = task_at(name, kind.drawn_at)
    beyond = replace_length(task, kind.bounded_up_to + 2)
    if beyond is not None:
        with pytest.raises(BadInput, match=f"evaluated up to N = {kind.bounded_up_to:,}"):
            bounds_for(beyond, PRECISION)


def replace_length(task: Task, length: int) -> Task | None:
    """The task at another length; None if it takes no such length."""
    try:
        return task.at(length)
    except BadInput:
        return None
