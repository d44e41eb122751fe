"""PARITY by gates: the sign of one of them is what matters."""

from __future__ import annotations

import itertools

import pytest

from separatrix.bounds.states.positive_gates import Gated, longest_parity, machines


@pytest.mark.parametrize("p", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_without_negative_gates_p_bits_decide_parity_of_two_to_the_p_less_one_bits(p: int) -> None:
    assert longest_parity(p) == 2**p - 1


@pytest.mark.parametrize("p", [2, 3])
def test_counting_is_what_is_left_and_a_negative_gate_never_fails(p: int) -> None:
    counts = Gated(p, (1, 1), (0, 1), -(1 << (p - 1)))
    assert counts.confused_at(100) == 2**p
    assert Gated(p, (1, -1), (0, 0), 1).confused_at(1000) is None


def test_two_bits_with_a_negative_gate_that_never_fail_exist_and_without_one_do_not() -> None:
    assert sum(each.confused_at(40) is None for each in machines(2, positive=False)) > 0
    assert all(each.confused_at(40) is not None for each in machines(2, positive=True))


def test_a_state_is_confused_exactly_where_two_words_show_it() -> None:
    for each in itertools.islice(machines(2, positive=False), 0, None, 17):
        seen: dict[int, set[int]] = {}
        for word in itertools.product((0, 1), repeat=3):
            h = each.first
            for symbol in word:
                h = each.after(h, symbol)
            seen.setdefault(h, set()).add(sum(word) % 2)
        shared = any(len(parities) == 2 for parities in seen.values())
        at = each.confused_at(3)
        assert shared or at != 3
        assert not shared or at is not None
