"""The bits of the one-layer protocol: claimed, as the printed steps add up, and repaired."""

from __future__ import annotations

from itertools import product
from math import log2

from separatrix.bounds.protocols.one_layer import claimed_bits, least_width, least_width_times_heads, repaired_bits, step_bits


def test_the_three_counts_at_width_64_and_a_thousand_tokens() -> None:
    # by hand: 64*64 + 128 + 148 + 4*64*64, then 192 (64 + log2 1000), then 2 + 128 + 64 + 20 + 64*96 + 1
    assert step_bits(m=64, d=64, p=64, N=1000, H=1) == 20756
    assert int(claimed_bits(m=64, p=64, N=1000, H=1)) == 14201
    assert repaired_bits(m=64, p=64, f=32, N=1000, H=1, s=4) == 6359


def test_the_printed_steps_exceed_the_claim_once_the_precision_passes_one_and_a_half_logarithms() -> None:
    for m, N, H in product((4, 16, 64), (100, 1000, 10**6), (1, 4)):
        for p in range(4, 80):
            rounded = 2 * H  # the steps round log2(N + 1) up, the claim does not round
            over = p * (m * H + 4 * H + m) - (3 * m - 2) * H * log2(N)
            if abs(over) > rounded:
                assert (step_bits(m, m, p, N, H) > claimed_bits(m, p, N, H)) == (over > 0)


def test_the_repaired_protocol_stays_below_the_claim_from_width_four_on() -> None:
    for m, p, N, H in product((4, 5, 8, 64, 512), (8, 16, 32, 64), (10, 100, 1000, 10**6), (1, 2, 8)):
        for f in (p // 2, p - 1):
            assert repaired_bits(m, p, f, N, H, s=4) <= claimed_bits(m, p, N, H)
    assert repaired_bits(1, 40, 20, 1000, 1, 4) == 203  # by hand: 2 + 80 + 60 + 60 + 1
    assert claimed_bits(1, 40, 1000, 1) < 150  # and fails at width 1
    assert repaired_bits(2, 40, 39, 1000, 1, 4) == 339  # by hand: 2 + 80 + 78 + 20 + 2 * 79 + 1
    assert claimed_bits(2, 40, 1000, 1) < 300  # and at width 2


def test_the_least_width_is_the_first_whose_protocol_is_long_enough() -> None:
    for bits, p, H in product((10, 401, 5000), (8, 32), (1, 3)):
        for f in (0, p // 2, p - 1):
            m = least_width(bits, p, f, 400, H, 4)
            assert repaired_bits(m, p, f, 400, H, 4) >= bits or m == 1
            assert m == 1 or repaired_bits(m - 1, p, f, 400, H, 4) < bits


def test_no_number_of_heads_gets_below_the_least_product() -> None:
    for bits, p in product((300, 2000), (8, 32)):
        f = p // 2
        least = min(m * H for m in range(1, 200) for H in range(1, 200) if repaired_bits(m, p, f, 400, H, 4) >= bits)
        assert least_width_times_heads(bits, p, f, 400, 4) == least
