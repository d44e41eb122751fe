"""What a recurrent model must hold before a query, counted and in closed form."""

from __future__ import annotations

from math import comb

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.families.queries import counting_profile, grams_told_apart, graphs_told_apart, index_profile
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.states.profile import state_profile
from separatrix.checker import check_document
from separatrix.tasks import make_task
from separatrix.tasks.counting import Counting
from separatrix.tasks.index import Index


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_closed_forms_are_the_counts(n: int) -> None:
    for task, profile in ((Index(n), index_profile(n)), (Counting(n), counting_profile(n))):
        alphabets = [tuple(alphabet) for alphabet in task.alphabets()]
        assert state_profile(task.answer, alphabets, len(alphabets)).classes == profile.classes


def test_index_needs_n_log_n_bits_and_counting_almost_2n() -> None:
    state, width = bounds_for(Index(64), 16)
    assert (state.architecture, state.quantity, state.value) == (Architecture.RECURRENT, Quantity.STATE_BITS, 64 * 6)
    assert (width.value, width.cites) == (24, "wen2024 Theorem 4.6")
    counting = bounds_for(Counting(64), 16)[0]
    assert counting.value == (comb(127, 64) - 1).bit_length() == 124


@pytest.mark.parametrize("task", [Index(4), Counting(4)], ids=["index", "counting"])
def test_the_checker_counts_the_witness_again(task: Index | Counting) -> None:
    row = bounds_for(task, 16)[0]
    assert row.witness.shown is not None
    document = row.witness.shown.certificate()
    verdict = check_document(document)
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


COUNTED = [("recall-next", 3), ("recall-next", 4), ("recall-next", 5), ("c-gram", 4), ("c-gram", 5), ("is-tree", 4)]


@pytest.mark.parametrize(("name", "n"), COUNTED)
def test_no_fewer_states_are_counted_than_prompts_are_told_apart(name: str, n: int) -> None:
    task = make_task(name, length=n)
    alphabets = [tuple(alphabet) for alphabet in task.alphabets()]
    counted = max(state_profile(task.answer, alphabets, len(alphabets)).classes_lower)
    told_apart = graphs_told_apart(n) if name == "is-tree" else grams_told_apart(n, {"recall-next": 2, "c-gram": 3}[name])
    assert 1 < told_apart <= counted


@pytest.mark.parametrize(("name", "bits"), [("recall-next", 160), ("c-gram", 114), ("is-tree", 61)])
def test_recall_grams_and_graphs_need_bits_that_grow_with_the_prompt(name: str, bits: int) -> None:
    """32 places followed by 32 numbers: 32 * 5 bits; 21 places followed by 43 numbers; n - 3."""
    row = bounds_for(make_task(name, length=64), 16)[0]
    assert (row.architecture, row.quantity, row.value, row.tight) == (Architecture.RECURRENT, Quantity.STATE_BITS, bits, False)
    assert row.witness.shown is not None
    assert check_document(row.witness.shown.certificate()).strength == "proven"
