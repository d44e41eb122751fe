"""The floor of exp and rounded softmax entries, against mpmath at high precision."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from separatrix.checker.numbers.exponential import FILTERED, REACH, SLACK, Exponential, nearest_ratio, rounded_softmax

FORMATS = [0, 1, 3, 8, 20, FILTERED, FILTERED + 1, 60, 63, 200]


@pytest.fixture(autouse=True)
def many_digits() -> object:
    with mpmath.workprec(2000):
        yield


def exp(t: int, f: int) -> mpmath.mpf:
    return mpmath.exp(-mpmath.mpf(t) / mpmath.mpf(2) ** f)


def gaps(f: int, count: int) -> list[int]:
    """0, the first few, and draws on scales from one unit to beyond where exp(-x) < 2^-f."""
    rng = np.random.default_rng(f)
    tops = [1 << b for b in range(1, f + 3)] + [(f + 2) << f, 100 << f]
    return [0, 1, 2, *(int.from_bytes(rng.bytes(40), "big") % tops[j % len(tops)] for j in range(count))]


@pytest.mark.parametrize("f", FORMATS)
def test_the_floor_is_that_of_the_real_exponential(f: int) -> None:
    ts = gaps(f, 400)
    array = np.array(ts, dtype=np.int64 if f < 50 else object)
    expected = [int(mpmath.floor(mpmath.ldexp(exp(t, f), f))) for t in ts]
    assert Exponential(f).floor(array).tolist() == expected


def test_a_few_floors_by_hand() -> None:
    # 8 e^0 = 8, 8 e^(-1/8) = 7.06, 8 e^-1 = 2.94, 8 e^-2 = 1.08, 8 e^(-17/8) = 0.96
    assert Exponential(3).floor(np.array([[0, 1, 8], [16, 17, 10**9]])).tolist() == [[8, 7, 2], [1, 0, 0]]


def test_the_filter_and_the_enclosures_agree_on_every_argument() -> None:
    e = Exponential(7)
    ts = np.arange(REACH << 7)
    assert e.floor(ts).tolist() == [e.floor_of(int(t)) for t in ts]


@pytest.mark.parametrize("f", [0, 5, 22, FILTERED])
def test_the_filter_is_within_a_factor_of_half_its_slack(f: int) -> None:
    rng = np.random.default_rng(f)
    ts = np.concatenate([rng.integers(0, REACH << f, 300), [0, (REACH << f) - 1]])
    for t, y in zip(ts, Exponential(f).approximate(ts), strict=True):
        assert abs(mpmath.mpf(float(y)) / exp(int(t), f) - 1) < SLACK / 2


@pytest.mark.parametrize("f", FORMATS)
def test_an_enclosure_is_strict_and_narrow(f: int) -> None:
    e = Exponential(f)
    for G in (f + 32, f + 200):
        for t in filter(None, gaps(f, 60)):
            lo, hi = e.enclosure(t, G)
            assert lo < mpmath.ldexp(exp(t, f), G) < hi
            assert hi - lo <= 4 * (t.bit_length() + 2)


def test_an_exponential_just_above_or_below_an_integer_gets_the_bits_it_needs() -> None:
    # 2^f exp(-2^-f) = 2^f - 1 + 2^-f / 2 - ...: it takes f more bits to see that it is not below 2^f - 1
    assert Exponential(300).floor_of(1) == 2**300 - 1
    # with t = 2^100 and f = 199, 2^f - t + t^2 / 2^(f+1) - ... = 2^199 - 2^100 + 1 less 2^-98 / 6
    assert Exponential(199).floor_of(2**100) == 2**199 - 2**100


@pytest.mark.parametrize("f", [1, 4, 12, 24, FILTERED, FILTERED + 1, 64, 90])
def test_softmax_entries_are_the_real_ones_rounded(f: int) -> None:
    rng = np.random.default_rng(f)
    e = Exponential(f)
    for n, top in ((1, 1), (2, 3), (5, 1), (6, 40), (9, 4), (30, 2)):
        rows = [[int(rng.integers(0, top * 1000)) * (1 << f) // 1000 for _ in range(n)] for _ in range(6)]
        rows = [[t - min(row) for t in row] for row in rows]
        result = rounded_softmax(np.array(rows, dtype=np.int64 if f < 50 else object), np.ones((6, n), dtype=bool), e)
        for row, entries in zip(rows, result.tolist(), strict=True):
            Z = sum(exp(t, f) for t in row)
            expected = [int(mpmath.nint(mpmath.ldexp(exp(t, f) / Z, f))) for t in row]
            assert entries == (expected if len(set(row)) > 1 else [round(Fraction(1 << f, n))] * n)


def test_hidden_keys_have_no_weight_and_take_none() -> None:
    e = Exponential(10)
    visible = np.array([[True, False, True, False]])
    # two equal keys; a hidden one above them has a negative gap
    assert rounded_softmax(np.array([[0, -500, 0, 3]]), visible, e).tolist() == [[512, 0, 512, 0]]


def test_half_a_unit_goes_to_the_even_zero_and_just_above_it_to_one() -> None:
    e = Exponential(3)
    for n, expected in ((16, 0), (15, 1), (17, 0)):  # 1/16 is half of 1/8
        assert rounded_softmax(np.zeros((1, n), dtype=np.int64), np.ones((1, n), dtype=bool), e).tolist() == [[expected] * n]


def test_a_tie_that_is_missed_by_e_to_the_minus_a_million_is_decided_at_once() -> None:
    row = np.array([[0] * 16 + [10**6 << 3]])
    assert rounded_softmax(row, np.ones((1, 17), dtype=bool), Exponential(3)).tolist() == [[0] * 17]


@pytest.mark.parametrize("f", [10, 20, FILTERED, 64, 300])
def test_a_near_tie_is_decided_by_more_bits(f: int) -> None:
    # 1 / (1 + e^-x) = 1/2 + x/4 - x^3/48 + ... with x = 6 units: 3/2 units above one half, less 4.5 / 4^f of a unit; a tie would go to 2
    result = rounded_softmax(np.array([[0, 6]]), np.ones((1, 2), dtype=bool), Exponential(f))
    assert [v - (1 << (f - 1)) for v in result[0].tolist()] == [1, -1]


def test_a_ratio_is_rounded_half_to_even() -> None:
    assert [nearest_ratio(a, 4) for a in range(13)] == [round(Fraction(a, 4)) for a in range(13)]
