from __future__ import annotations

from itertools import product

import numpy as np

from separatrix.tasks.languages.factors import Factor, factors, factors_per_token
from separatrix.tasks.languages.gallery import named_language


def matrix(factor: Factor, size: int) -> np.ndarray:
    """I - a b^T, with a = e_i - e_j and b = a for a swap, e_i for a merge."""
    e = np.eye(size, dtype=int)
    a = e[factor.i] - e[factor.j]
    return e - np.outer(a, a if factor.kind == "swap" else e[factor.i])


def parts(image: tuple[int, ...]) -> int:
    """Weakly connected parts of q -> image[q], by spreading labels."""
    label = list(range(len(image)))
    for _ in image:
        for q, r in enumerate(image):
            label[q] = label[r] = min(label[q], label[r])
    return len({*label})


def test_the_product_of_the_factors_is_the_letter_and_no_fewer_would_do() -> None:
    for size in (1, 2, 3, 4):
        for image in product(range(size), repeat=size):
            found = factors(image)
            assert len(found) == size - parts(image)
            whole = np.eye(size, dtype=int)
            for factor in found:
                whole = matrix(factor, size) @ whole
            for q in range(size):
                assert (whole[:, q] == np.eye(size, dtype=int)[image[q]]).all()
                place = q
                for factor in found:
                    place = factor.moved(place)
                assert place == image[q]


def test_factors_of_known_languages() -> None:
    assert factors_per_token(named_language("parity")) == 1
    assert factors_per_token(named_language("mod-5")) == 4
    assert factors_per_token(named_language("flip-flop")) == 1
