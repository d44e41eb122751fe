"""Keys with labels drawn by NumPy alone are those that compiled loops draw, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.tasks.drawing import compiled_key_draws, key_draws
from tests.tasks.drawing.plain import plain

KEY = np.uint64(2**63 + 11)


@pytest.mark.parametrize(("symbols", "labels", "pairs", "queries"), [(1, 1, 1, 0), (4, 2, 4, 4), (9, 5, 3, 1), (30, 7, 12, 12)])
@pytest.mark.parametrize("cards", [1 << 22, 70])
def test_numpy_draws_what_compiled_loops_draw(
    monkeypatch: pytest.MonkeyPatch, cards: int, symbols: int, labels: int, pairs: int, queries: int
) -> None:
    monkeypatch.setattr(key_draws, "CARDS", cards)  # few at a time, or all
    one, two = (np.empty((200, 2 * (pairs + queries)), dtype=np.int64) for _ in range(2))
    plain(key_draws.draw_pairs)(KEY, 3, symbols, labels, pairs, one)
    compiled_key_draws.draw_pairs(KEY, 3, symbols, labels, pairs, two)
    assert (one == two).all()
