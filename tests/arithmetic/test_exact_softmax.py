"""The rounded softmax against mpmath at high precision, and the ties that only equal logits can give."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from separatrix.arithmetic.exact_softmax import _decided, nearest_quotient, softmax_to_nearest
from separatrix.arithmetic.exponential import GUARD


def rounded_softmax(a: list[int], f: int) -> list[int]:
    """For logits that are not all equal: no weight is rational, so none is a tie."""
    with mpmath.workprec(2000):
        e = [mpmath.exp(mpmath.mpf(logit - max(a)) / 2**f) for logit in a]
        return [int(mpmath.floor(value / sum(e) * 2**f + mpmath.mpf(1) / 2)) for value in e]


@given(st.integers(1, 70), st.data())
@settings(deadline=None, max_examples=200)
def test_the_real_weights_are_rounded_to_nearest(f: int, data: st.DataObject) -> None:
    gaps = st.integers(0, 2 << f) | st.integers(0, 200 << f) | st.sampled_from([0, 0, 1])
    a = [-gap for gap in data.draw(st.lists(gaps, min_size=2, max_size=8))]
    if len(set(a)) == 1:
        a.append(a[0] - 1)
    assert softmax_to_nearest(a, f) == rounded_softmax(a, f)


@given(st.integers(1, 80), st.integers(1, 300), st.integers(-1000, 1000))
@settings(deadline=None, max_examples=100)
def test_equal_logits_share_as_a_fraction(f: int, m: int, logit: int) -> None:
    assert softmax_to_nearest([logit] * m, f) == [round(Fraction(2**f, m))] * m  # Python rounds ties to even


def test_equal_logits_can_tie_and_the_tie_goes_to_even() -> None:
    assert softmax_to_nearest([7] * 16, 3) == [0] * 16  # 8/16 = 1/2


@pytest.mark.parametrize(("gaps", "side"), [([9, 14, 77, 86, 128, 132], 1), ([13, 13, 49, 50, 70, 75], -1)])
def test_a_weight_within_a_trillionth_of_a_tie_is_decided(gaps: list[int], side: int) -> None:
    """31 leaders and six keys that together weigh almost exactly one leader: 16 times a leader's share is almost 1/2.

    The gaps were found by search. They lie too close to the tie for the first attempt at 32 guard bits.
    """
    f = 4
    with mpmath.workprec(200):
        share = 2**f / (31 + sum(mpmath.exp(-mpmath.mpf(gap) / 2**f) for gap in gaps))
        assert 0 < side * (share - 0.5) < 1e-11
    assert _decided(Counter({0: 31, **{-gap: count for gap, count in Counter(gaps).items()}}), f, f + GUARD) is None
    assert softmax_to_nearest([0] * 31 + [-gap for gap in gaps], f)[:31] == [1 if side > 0 else 0] * 31


def test_quotients_round_to_nearest_even() -> None:
    for a in range(60):
        for b in range(1, 20):
            assert nearest_quotient(a, b) == round(Fraction(a, b))
