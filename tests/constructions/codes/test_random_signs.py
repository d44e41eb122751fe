"""Random signs and the dimensions they take."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from separatrix.constructions.parts.codes.random_signs import (
    hoeffding_dimensions,
    measured_coherence,
    measured_two_sided_coherence,
    paper_dimensions,
    random_signs,
)
from separatrix.errors import BadInput


def test_the_papers_k_and_hoeffdings() -> None:
    # 128 ln 2N and 64 ln N, rounded up
    assert [paper_dimensions(10**e) for e in range(2, 7)] == [679, 973, 1268, 1563, 1858]
    assert [hoeffding_dimensions(10**e) for e in range(2, 7)] == [295, 443, 590, 737, 885]


def test_a_vector_depends_on_seed_and_index_alone() -> None:
    signs = random_signs(40, 200, seed=3)
    assert (random_signs(7, 130, seed=3) == signs[:7, :130]).all()
    assert (random_signs(40, 200, seed=4) != signs).any()
    assert random_signs(50).shape == (50, paper_dimensions(50))


def test_the_signs_are_balanced_and_uncorrelated() -> None:
    signs = random_signs(1000, 64).astype(int)
    assert set(np.unique(signs)) == {-1, 1}
    assert abs(signs.mean()) < 5 / np.sqrt(signs.size)  # five standard deviations
    columns = signs.T @ signs - 1000 * np.eye(64, dtype=int)
    assert np.abs(columns).max() < 6 * np.sqrt(1000)


def test_measured_coherence_is_the_largest_product_of_two_rows() -> None:
    signs = random_signs(700, 96, seed=1)  # more than one block of rows
    products = signs.astype(int) @ signs.T.astype(int)
    others = products[~np.eye(700, dtype=bool)]
    assert measured_coherence(signs) == Fraction(int(others.max()), 96)
    assert measured_two_sided_coherence(signs) == Fraction(int(np.abs(others).max()), 96)
    antipodes = np.concatenate([signs[:5], -signs[:1]])
    assert measured_two_sided_coherence(antipodes) == 1 > measured_coherence(antipodes)
    assert measured_coherence(signs[:1]) == -1
    assert measured_two_sided_coherence(signs[:1]) == 0


def test_the_papers_dimensions_suffice_and_a_sixth_of_them_does_not() -> None:
    assert measured_two_sided_coherence(random_signs(300)) <= Fraction(1, 4)
    assert measured_coherence(random_signs(300, paper_dimensions(300) // 6)) > Fraction(1, 4)


def test_the_median_draw_of_a_hundred_vectors_needs_about_208_dimensions() -> None:
    # at k = 208 about half of all draws of 100 vectors reach 1/4; the bracket is wide enough for 40 draws
    def successes(k: int) -> int:
        return sum(measured_coherence(random_signs(100, k, seed)) <= Fraction(1, 4) for seed in range(40))

    assert successes(160) < 20 < successes(256)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 8), "the number of positions N must be an integer of at least 1, found 0"),
        ((4, 0), "random signs need at least 1 dimension, found k = 0"),
        (
            (1 << 20, 1 << 10),
            "random signs: 1048576 vectors of 1024 dimensions are too many, expected at most 2^26 signs and 2^24 dimensions",
        ),
    ],
)
def test_bad_numbers_are_refused(arguments: tuple[int, int], message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        random_signs(*arguments)
    assert str(refusal.value) == message
