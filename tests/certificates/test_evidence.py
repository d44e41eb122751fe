"""What a construction claims of its attention and what the checker proves from the weights are derived apart, and agree."""

from __future__ import annotations

import math

import pytest

from separatrix.certificates.verify import verify
from separatrix.constructions import build


@pytest.mark.parametrize("address", ["binary", "quadratic", "code"])
@pytest.mark.parametrize("N", [16, 64, 1024])
def test_the_checker_proves_the_share_that_the_construction_derived(address: str, N: int) -> None:
    built = build("index-lookup", length=N, address=address)
    (proven,) = [entry for entry in verify(built, cases=1).document["evidence"] if entry["tag"] == "proven"]
    assert proven["value"] == math.floor(built.claim.facts["share"] * 10**4 + 1e-6) / 10**4


@pytest.mark.parametrize("address", ["binary", "quadratic"])
def test_every_positional_head_of_equality_has_at_least_its_share(address: str) -> None:
    built = build("equality", length=64, address=address)
    proven = [entry["value"] for entry in verify(built, cases=1).document["evidence"] if entry["tag"] == "proven"]
    assert len(proven) == 2  # the matching place and its own
    assert all(value >= math.floor(built.claim.facts["share"] * 10**4) / 10**4 for value in proven)


def test_a_composed_bound_stands_in_the_claim() -> None:
    bounds = build("equality", length=64).document()["bounds"]
    tolerated = [bound for bound in bounds if bound["tolerance"] is not None]
    assert tolerated
    assert all(bound["value"] <= bound["tolerance"] for bound in tolerated)
