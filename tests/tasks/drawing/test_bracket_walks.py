"""Bracket strings drawn by NumPy alone are those that compiled loops draw, bit for bit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from separatrix.tasks.drawing import bracket_walks, compiled_bracket_walks
from separatrix.tasks.dyck import Positives, opening_odds
from tests.tasks.drawing.plain import plain

KEY = np.uint64(2**64 - 59)


@pytest.mark.parametrize(("length", "types", "depth"), [(2, 1, 1), (8, 1, 8), (8, 2, 2), (12, 2, 3), (10, 5, 4), (20, 3, 10)])
@pytest.mark.parametrize("positives", ["walk", "uniform", "fair-walk"])
def test_numpy_draws_what_compiled_loops_draw(length: int, types: int, depth: int, positives: Positives) -> None:
    odds = opening_odds(positives, length, types, depth)
    one, two = (np.empty((300, length), dtype=np.int64) for _ in range(2))
    plain(bracket_walks.draw_members)(KEY, 7, odds, types, depth, one)
    compiled_bracket_walks.draw_members(KEY, 7, odds, types, depth, two)
    assert (one == two).all()
    labels = [
        draw(KEY, 7, odds, types, depth, min(3, length - 1), tokens)
        for draw, tokens in ((plain(bracket_walks.draw_examples), one), (compiled_bracket_walks.draw_examples, two))
    ]
    assert (one == two).all()
    assert (labels[0] == labels[1]).all()
    assert set(labels[0]) == {0, 1}


@pytest.mark.parametrize(("length", "types", "depth"), [(6, 1, 2), (6, 2, 1), (5, 2, 2), (6, 2, 3)])
def test_membership_of_every_string(length: int, types: int, depth: int) -> None:
    tokens = np.array([*itertools.product(range(2 * types), repeat=length)], dtype=np.int64)
    inside = plain(bracket_walks.members)(tokens, types, depth)
    assert (inside == compiled_bracket_walks.members(tokens, types, depth)).all()
    assert inside.any() == (length % 2 == 0)
