"""Addresses as weights: which integers positions address, and how large their numbers are."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.constructions.address_weights import AddressWeights
from separatrix.models.config import PlaceConfig

QUADRATIC = AddressWeights("quadratic", 2)
TABLE = AddressWeights("table", 1, np.array([[3.0], [-12.0], [0.5]]))


def test_positions_are_shifted_folded_or_pointed_elsewhere() -> None:
    assert QUADRATIC.addressed(9) == (1, 9)
    assert QUADRATIC.before().addressed(9) == (0, 8)
    assert QUADRATIC.before(3).addressed(9) == (-2, 6)
    assert QUADRATIC.folded(4).addressed(9) == (1, 4)
    assert QUADRATIC.pointing([5, 2, 7]).addressed(9) == (2, 7)


def test_the_module_has_the_shape_of_what_is_stored() -> None:
    signs = AddressWeights("sign", 3, np.zeros((3, 5), dtype=np.uint8))
    assert signs.pointing([2, 1]).config == PlaceConfig("sign", 3, 5, pointers=2)
    assert TABLE.before(2).config == PlaceConfig("table", 1, 3, shift=2)
    assert AddressWeights("one-hot", 4, fold=2, projected=False).config == PlaceConfig("one-hot", 4, fold=2, projected=False)


@pytest.mark.parametrize(
    ("address", "magnitude", "bits"),
    [
        (QUADRATIC, 100.0, 7),  # 10^2 = 1100100
        (TABLE, 12.0, 2),  # 3 = 11
        (AddressWeights("table", 1, np.array([[0.25]])), 1.0, 1),
        (AddressWeights("sign", 3, np.zeros((3, 5), dtype=np.uint8)), 1.0, 1),
        (AddressWeights("one-hot", 10), 1.0, 1),
    ],
)
def test_numbers_of_an_address_are_bounded(address: AddressWeights, magnitude: float, bits: int) -> None:
    assert address.magnitude(10) == magnitude
    assert address.significant_bits(10) == bits
