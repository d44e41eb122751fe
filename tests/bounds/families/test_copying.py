"""What copying needs: N log2 |S| bits, counted and in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.families.copying import copy_profile
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.states.scored_along import profile_along
from separatrix.tasks.copying import Copy


@pytest.mark.parametrize(("N", "s"), [(1, 2), (2, 4), (3, 3), (5, 2)])
def test_the_closed_form_is_the_count(N: int, s: int) -> None:
    task = Copy(N, s)
    inputs = [*task.inputs()]
    due = np.full((len(inputs), 2 * N), -1)
    due[:, N:] = [x[:N] for x in inputs]
    count = profile_along(inputs, due.tolist())
    assert count.classes_lower == count.classes_upper == copy_profile(N, s).classes


def test_a_copy_needs_all_bits_of_its_word() -> None:
    state, width = bounds_for(Copy(1000), 16)
    assert (state.architecture, state.quantity, state.value, state.tight) == (Architecture.RECURRENT, Quantity.STATE_BITS, 6000, True)
    assert (width.value, width.cites) == (375, "")
    assert state.witness.document()["task"] == "index-lookup"  # at a small size
    small = bounds_for(Copy(4, symbols=3), 16)[0]
    assert small.witness.document()["parameters"] == {"length": 4, "symbols": 3, "distribution": "evaluation"}
