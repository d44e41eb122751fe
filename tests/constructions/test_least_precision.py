"""The least precision is derived by building, and one bit less is seen to fail."""

from __future__ import annotations

import pytest

from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.constructions import build
from separatrix.constructions.least_precision import carried_over, least_fixed
from separatrix.errors import BadInput


def accuracy(built: Built) -> float:
    batch = built.task.cases("complement", 0, built.task.length)
    return float((logits_of(built.model, batch).argmax(axis=1) == batch.targets[batch.mask]).mean())


@pytest.mark.parametrize("address", ["binary", "code", "quadratic"])
def test_the_least_precision_holds_and_one_bit_less_fails(address: str) -> None:
    least = least_fixed("index-lookup", length=64, address=address)
    assert accuracy(least.built) == 1
    for f in range(1, least.p - 2):
        with pytest.raises(BadInput):
            build("index-lookup", length=64, address=address, arithmetic=f"fixed:{least.p - 1},{f}")
    assert accuracy(carried_over(least.built, f"fixed:{least.p - 1},{least.f}")) < 1


def test_the_quadratic_address_needs_two_more_bits_for_each_doubling() -> None:
    # the largest logit is 3 N^2: 14 integer bits at N = 64, 16 at N = 128; with the sign and f = 1 that is p = 16 and 18
    assert [least_fixed("index-lookup", length=N, address="quadratic").p for N in (64, 128)] == [16, 18]


def test_half_a_unit_of_temperature_suffices_for_the_binary_address() -> None:
    # f = 1: e^(-1) floors to 0 on a grid of halves, so c = 1/2 makes every competitor vanish; biases of up to b = 6 need 3 integer bits
    least = least_fixed("index-lookup", length=64)
    assert (least.p, least.f, least.built.claim.facts["eta"]) == (5, 1, 0.5)
