"""Maps that keep inner products."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.constructions.parts.codes.inner_products import SignMap, basis_map, distortion, preserving_dimensions, preserving_map
from separatrix.constructions.parts.codes.random_signs import random_signs
from separatrix.errors import BadInput


def unit_vectors(N: int, d: int, closeness: float) -> np.ndarray:
    """Vectors on the sphere that share a direction, so that their products are far from 0."""
    drawn = random_signs(N, d, seed=9) * (1 + np.arange(d) % 7) + closeness * np.sqrt(20.0)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


@pytest.mark.parametrize("closeness", [0.0, 1.0, 4.0])
def test_all_inner_products_move_by_at_most_eps(closeness: float) -> None:
    points = unit_vectors(80, 600, closeness)
    T = preserving_map(points, 0.2)
    image = T(points)
    assert T.dims == preserving_dimensions(80, 0.2) == 1172  # 4 ln 160 / (0.02 - 0.008/3), rounded up
    for u in range(80):
        for v in range(80):
            assert abs(points[u] @ points[v] - image[u] @ image[v]) <= 0.2


def test_the_map_is_linear_and_made_of_signs() -> None:
    points = unit_vectors(10, 50, 1.0)
    T = preserving_map(points, 0.4)
    assert set(np.unique(T.A)) == {-1, 1}
    assert T(2 * points[0] - 3 * points[1]) == pytest.approx(2 * T(points[0]) - 3 * T(points[1]), abs=1e-9)


def test_far_fewer_dimensions_move_some_product_by_more() -> None:
    points = unit_vectors(80, 600, 1.0)
    assert distortion(SignMap(random_signs(20, 600)), points) > 0.2


def test_a_draw_that_fails_is_not_returned() -> None:
    points = np.array([[0.6, 0.8]])
    k = preserving_dimensions(1, 0.45)
    bad = next(seed for seed in range(2000) if distortion(SignMap(random_signs(k, 2, seed)), points) > 0.45)
    T = preserving_map(points, 0.45, bad)
    assert distortion(T, points) <= 0.45
    assert (random_signs(k, 2, bad + 1) == T.A).all()


@pytest.mark.parametrize("N", [2, 16, 100, 1000])
def test_the_images_of_the_standard_basis_have_length_exactly_one_and_products_at_most_a_quarter(N: int) -> None:
    T = basis_map(N)
    products = T.A.T.astype(int) @ T.A.astype(int)
    assert (np.diag(products) == T.dims).all()
    assert 4 * np.abs(products - T.dims * np.eye(N, dtype=int)).max() <= T.dims
    assert distortion(T, np.eye(N)) <= 0.25 + 1e-12


def test_the_basis_map_needs_few_dimensions() -> None:
    assert [basis_map(N).dims for N in (64, 1024, 10**4)] == [16, 32, 64]


@pytest.mark.parametrize("eps", [0.0, 0.5, -1.0, float("nan")])
def test_an_error_outside_the_open_half_interval_is_refused(eps: float) -> None:
    with pytest.raises(BadInput, match=rf"^the error eps of an inner product must lie strictly between 0 and 1/2, found {eps}$"):
        preserving_map(np.eye(3), eps)
    with pytest.raises(BadInput, match="strictly between 0 and 1/2"):
        basis_map(3, eps)


def test_points_off_the_sphere_are_refused() -> None:
    points = np.eye(4)
    points[2] *= 1.5
    with pytest.raises(BadInput, match=r"^points must have length 1, found 1.5 in row 2$"):
        preserving_map(points, 0.25)
    with pytest.raises(BadInput, match=r"^points must be a matrix with one vector in each row, found shape \(4,\)$"):
        preserving_map(points[0], 0.25)
