"""How many bits tell things apart: by hand."""

from __future__ import annotations

from separatrix.bits import bits_for, ceil_log2


def test_n_things_take_the_logarithm_rounded_up() -> None:
    assert [ceil_log2(n) for n in (1, 2, 3, 4, 5, 8, 9, 2**40, 2**40 + 1)] == [0, 1, 2, 2, 3, 3, 4, 40, 41]


def test_a_code_has_at_least_one_bit() -> None:
    assert [bits_for(n) for n in (1, 2, 3, 4, 5)] == [1, 1, 2, 2, 3]
