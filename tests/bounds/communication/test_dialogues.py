"""Protocols that run, and what they cost."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from separatrix.bounds.communication.dialogues import equality_by_sending, equality_with_random_weights, index_one_way, index_two_way
from separatrix.errors import BadInput


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_index_costs_log_n_plus_one_bits_when_bob_may_speak(n: int) -> None:
    for a in product((0, 1), repeat=n):
        for i in range(n):
            cheap, dear = index_two_way(a, i), index_one_way(a, i)
            assert cheap.answer == dear.answer == a[i]
            assert cheap.bits == (n - 1).bit_length() + 1
            assert dear.bits == n + 1
            assert int(cheap.messages[1].bits, 2) == a[i]
            assert cheap.messages[0].bits == (format(i, f"0{(n - 1).bit_length()}b") if n > 1 else "")
            assert dear.messages[0].bits == "".join(map(str, a))


def test_larger_alphabets_cost_their_logarithm() -> None:
    assert index_two_way((4, 0, 2), 0, symbols=5).bits == 2 + 3
    assert index_one_way((4, 0, 2), 0, symbols=5).bits == 7 + 3  # 125 strings


def test_equality_costs_its_length_and_one_bit() -> None:
    for a, b in product(product((0, 1), repeat=3), repeat=2):
        transcript = equality_by_sending(a, b)
        assert transcript.answer == int(a == b)
        assert transcript.bits == 4


def test_random_weights_decide_equality_with_few_bits_and_one_sided_error() -> None:
    a = tuple(i % 3 == 0 for i in range(1000))
    same = equality_with_random_weights([int(x) for x in a], [int(x) for x in a], 16, seed=1)
    assert same.answer == 1
    assert same.bits == 26 + 1  # 1000 (2^16 - 1) + 1 sums, and the answer
    wrong = 0
    for seed in range(400):
        b = [int(x) for x in a]
        b[seed % 1000] ^= 1
        wrong += equality_with_random_weights([int(x) for x in a], b, 16, seed).answer
    assert wrong == 0


def test_the_error_of_random_weights_is_the_stated_one() -> None:
    # one differing place: equal sums iff its weight is 0, so 2^-2 of all seeds are wrong
    wrong = sum(equality_with_random_weights((1, 0), (0, 0), 2, seed).answer for seed in range(4000))
    assert 900 < wrong < 1100
    assert 0 < sum(equality_with_random_weights((1, 0), (0, 0), 1, seed).answer for seed in range(100)) < 100


def test_a_transcript_reads_as_a_dialogue() -> None:
    assert str(index_two_way((0, 1, 1, 0), 2)) == (
        "Bob   -> 10   which symbol is at place 3? (2 bits)\nAlice -> 1   symbol 1 (1 bit)\nboth know 1 after 3 bits"
    )


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: index_two_way((0, 1), 2), r"index 2 lies outside 0\.\.1"),
        (lambda: index_one_way((0, 2), 0), r"alice must hold symbols in 0\.\.1, found \(0, 2\)"),
        (lambda: index_two_way((), 0), r"alice must hold symbols in 0\.\.1, found \(\)"),
        (lambda: equality_by_sending((0, 1), (0,)), "alice and bob must hold the same number of bits"),
        (lambda: equality_with_random_weights((0,), (2,), 3, 0), "alice and bob must hold the same number of bits"),
        (lambda: equality_with_random_weights((0,), (1,), 0, 0), "weight_bits must be at least 1, found 0"),
    ],
)
def test_what_nobody_can_hold_is_refused(call: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        call()
