"""INDEX with coins: the bound against every protocol of a few bits, and protocols whose error is counted."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from separatrix.bounds.communication.randomised import disjointness_with_coins, entropy, index_with_coins, one_message_bits, places_sent
from separatrix.errors import BadInput


def least_error(N: int, messages: int) -> Fraction:
    """Over all maps from Alice's strings to messages: the least share of (string, place) pairs on which the best guess is wrong.

    By the easy half of the minimax theorem no protocol with coins has a smaller error on every input.
    """
    strings = [*itertools.product((0, 1), repeat=N)]
    best = len(strings) * N
    for sent in itertools.product(range(messages), repeat=len(strings) - 1):
        groups: dict[int, list[tuple[int, ...]]] = {}
        for message, string in zip((0, *sent), strings, strict=True):  # the name of the first message does not matter
            groups.setdefault(message, []).append(string)
        wrong = 0
        for group in groups.values():
            ones = [sum(column) for column in zip(*group, strict=True)]
            wrong += sum(min(count, len(group) - count) for count in ones)
        best = min(best, wrong)
    return Fraction(best, len(strings) * N)


@pytest.mark.parametrize(
    ("N", "messages", "by_hand"), [(1, 1, Fraction(1, 2)), (2, 2, Fraction(1, 4)), (3, 2, Fraction(1, 4)), (3, 4, Fraction(1, 6))]
)
def test_no_message_of_so_few_bits_does_better_than_the_bound_allows(N: int, messages: int, by_hand: Fraction) -> None:
    """With one bit of three the majority is best: 1/4 of the bits differ from it. With two bits two of three places, and a guess."""
    error = least_error(N, messages)
    assert error == by_hand
    if error < Fraction(1, 2):
        assert one_message_bits(N, float(error)) <= math.log2(messages)


@pytest.mark.parametrize("error", [0.0, 0.1, 0.25, 0.4])
def test_the_protocol_sends_what_it_says_and_errs_no_more_than_is_allowed(error: float) -> None:
    N, runs = 20, 4000
    a = [(7 * i // 3) % 2 for i in range(N)]
    for i in (0, 13):
        transcripts = [index_with_coins(a, i, error, seed) for seed in range(runs)]
        assert {len(t.messages[0].bits) for t in transcripts} == {places_sent(N, error)} == {round((1 - 2 * error) * N)}
        wrong = sum(t.answer != a[i] for t in transcripts) / runs
        assert abs(wrong - error) <= 4 * math.sqrt(error * (1 - error) / runs)
    assert one_message_bits(N, error) <= places_sent(N, error)


def test_disjointness_guesses_as_often_as_it_may() -> None:
    a, b, runs = [1, 0, 1, 0], [0, 1, 0, 1], 4000
    for other, truth in ((b, 0), ([0, 0, 1, 0], 1)):
        transcripts = [disjointness_with_coins(a, other, 0.2, seed) for seed in range(runs)]
        wrong = sum(t.answer != truth for t in transcripts) / runs
        assert abs(wrong - 0.2) < 0.03
        sent = sum(len(t.messages[0].bits) for t in transcripts) / runs
        assert abs(sent - 4 * 0.6) < 0.1
    assert all(disjointness_with_coins(a, b, 0.0, seed).answer == 0 for seed in range(20))


def test_without_an_error_every_bit_is_needed_and_with_a_quarter_not_a_fifth() -> None:
    assert (one_message_bits(1000, 0.0), places_sent(1000, 0.0)) == (1000, 1000)
    assert entropy(0.25) == pytest.approx(2 - 0.75 * math.log2(3))  # by hand
    assert (one_message_bits(1000, 0.25), places_sent(1000, 0.25)) == (189, 500)
    for N, error in ((0, 0.1), (4, 0.5), (4, -0.1)):
        with pytest.raises(BadInput):
            one_message_bits(N, error)
