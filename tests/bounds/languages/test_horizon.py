"""Horizons of rotations: quarter turns are exact, others drift, and more digits reach farther."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.bounds.languages.horizon import horizon, nearest, rounded


@pytest.mark.parametrize("modulus", [2, 3, 4, 5, 7, 12])
@pytest.mark.parametrize("arithmetic", ["bfloat16", "float16", "float32"])
def test_some_turns_are_caught_on_a_cycle_and_right_for_ever(modulus: int, arithmetic: str) -> None:
    found = horizon(modulus, arithmetic, 20_000)
    assert not found.ends
    assert found.cycle is not None
    assert found.cycle % modulus == 0
    assert horizon(modulus, arithmetic, found.turns - 1).cycle is None  # it was run up to the turn at which it came back


@pytest.mark.parametrize("modulus", [9, 11, 13])
def test_other_turns_end_and_the_next_turn_is_wrong(modulus: int) -> None:
    found = horizon(modulus, "bfloat16", 20_000)
    assert found.ends
    assert found.cycle is None
    assert found.turns > modulus
    assert not horizon(modulus, "bfloat16", found.turns).ends
    assert horizon(modulus, "bfloat16", found.turns + 1).ends


def test_numbers_are_rounded_as_the_formats_round() -> None:
    draw = np.random.default_rng(0)
    for x in draw.normal(size=200):
        assert rounded(float(x), 24) == float(np.float32(x))
        assert rounded(float(x), 11) == float(np.float16(x))
    assert rounded(0.0, 8) == 0.0
    assert rounded(1 + 2**-8, 8) == 1.0  # a tie goes to the even neighbour
    assert rounded(1 + 3 * 2**-8, 8) == 1 + 2**-6


def test_float32_is_what_numpy_computes_long_after_the_cycle_was_found() -> None:
    c, s = np.float32(np.cos(2 * np.pi / 5)), np.float32(np.sin(2 * np.pi / 5))
    x, y, met = np.float32(1), np.float32(0), []
    for k in range(1, 2000):
        x, y = c * x - s * y, s * x + c * y
        assert nearest(float(x), float(y), 5) == k % 5
        met.append((x, y))
    found = horizon(5, "float32")
    assert found.cycle is not None
    assert met[found.turns - 1] == met[found.turns - 1 - found.cycle]
    assert len({*met}) < found.turns
