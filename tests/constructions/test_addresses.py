"""The share that an address promises is never above what the softmax really puts on the queried place."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.arithmetic.format import parse_format
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.forms import Array
from separatrix.constructions.parts.addresses import lookup
from separatrix.errors import BadInput

FLOAT64 = parse_format("float64")


def least_quadratic_weight(N: int, eta: float) -> float:
    """Over every place p the weight on p: key j has logit eta (p^2 - (p - j)^2), the token that asks has logit 0."""
    place, key = np.arange(1, N + 1)[:, None], np.arange(0, N + 1)[None]  # key 0 is the token that asks
    return float((1 / np.exp(-eta * (place - key) ** 2).sum(axis=1)).min())


@pytest.mark.parametrize("share", [0.5, 0.75, 0.95, 0.999])
def test_the_quadratic_share_never_exceeds_the_least_weight(share: float) -> None:
    for N in (*range(1, 30), 100, 1000):
        result = lookup("quadratic", N, FLOAT64, share)
        weight = least_quadratic_weight(N, result.eta)
        assert share <= result.share <= weight
        assert N < 3 or weight - result.share < 1e-5  # and it is not far below, once a place has two neighbours


def addresses(weights: AddressWeights, N: int) -> Array:
    """N different vectors of an address, from its definition."""
    if weights.kind == "one-hot":
        return np.eye(N)
    assert weights.stored is not None
    if weights.kind == "table":
        return weights.stored[:N].astype(np.float64)
    bits = np.arange(N)[:, None] >> np.arange(weights.stored.shape[1]) & 1
    return 1.0 - 2.0 * (bits @ weights.stored.T % 2)


@pytest.mark.parametrize("address", ["binary", "one-hot", "code", "random"])
def test_the_share_of_every_other_address_never_exceeds_the_least_weight(address: str) -> None:
    for N in (1, 2, 5, 12, 33):
        result = lookup(address, N, FLOAT64)
        vectors = addresses(result.weights, N)
        logits = result.eta * vectors @ vectors.T
        weights = np.exp(np.diag(logits)) / (np.exp(logits).sum(axis=1) + 1)
        assert result.share <= weights.min() * (1 + 1e-12)


def test_an_address_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match="unknown address 'zip': expected binary, quadratic, code, random or one-hot"):
        lookup("zip", 4, FLOAT64)
