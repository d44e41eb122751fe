"""Halves drawn by NumPy alone are those that compiled loops draw, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.tasks.drawing import compiled_repeated_halves, repeated_halves
from separatrix.tasks.drawing.repeated_halves import AFRESH, ONE_CHANGE, REPEATED
from tests.tasks.drawing.plain import plain

KEY = np.uint64(987654321)


@pytest.mark.parametrize("other", [REPEATED, AFRESH, ONE_CHANGE])
@pytest.mark.parametrize(("shortest", "longest", "symbols", "gap"), [(2, 2, 2, 0), (8, 8, 2, 1), (2, 10, 3, 0), (4, 12, 2, 1)])
def test_numpy_draws_what_compiled_loops_draw(other: int, shortest: int, longest: int, symbols: int, gap: int) -> None:
    one, two = (np.zeros((300, longest + gap), dtype=np.int64) for _ in range(2))
    arguments = (KEY, 5, shortest, longest, symbols, gap, other)
    lengths, equal = plain(repeated_halves.draw_halves)(*arguments, one)
    compiled_lengths, compiled_equal = compiled_repeated_halves.draw_halves(*arguments, two)
    assert (one == two).all()
    assert (lengths == compiled_lengths).all()
    assert (equal == compiled_equal).all()
    assert equal.all() == (other == REPEATED)
