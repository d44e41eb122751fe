"""Strings of the two sources drawn by NumPy alone are those that compiled loops draw, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.tasks.drawing import compiled_source_walks, source_walks
from tests.tasks.drawing.plain import plain

KEY = np.uint64(2**61 - 1)
ROWS = 400
QUARTER, HALF = np.uint64(2**30), np.uint64(2**31)


def drawn(draw: Any, length: int, *chances: Any) -> list[np.ndarray]:
    """Tokens, what comes next, and lengths; -1 where nothing is written."""
    tokens, upcoming, lengths = np.full((ROWS, length), -1), np.full(ROWS, -1), np.full(ROWS, -1)
    draw(KEY, 9, *chances, *((tokens, upcoming) if "prefixes" in draw.__name__ else (tokens, upcoming, lengths)))
    return [tokens, upcoming, lengths]


@pytest.mark.parametrize("length", [1, 2, 7, 20])
@pytest.mark.parametrize(
    ("name", "chances"),
    [
        ("parity_prefixes", (QUARTER, HALF)),
        ("parity_strings", (QUARTER,)),
        ("dyck_prefixes", (QUARTER, "heights")),
        ("dyck_strings", (HALF,)),
    ],
)
def test_numpy_draws_what_compiled_loops_draw(name: str, chances: tuple[Any, ...], length: int) -> None:
    heights = length % 2 + 2 * (np.arange(ROWS) % (length // 2 + 1))
    chosen = [heights if chance == "heights" else chance for chance in chances]
    one = drawn(plain(getattr(source_walks, name)), length, *chosen)
    two = drawn(getattr(compiled_source_walks, name), length, *chosen)
    for ours, compiled in zip(one, two, strict=True):
        assert (ours == compiled).all()
    assert len(set(one[1].tolist())) >= 3  # every way to go on is met
