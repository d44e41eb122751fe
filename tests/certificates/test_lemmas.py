"""What a construction claims of its attention and what the checker proves from the weights are derived apart, and agree."""

from __future__ import annotations

import math

import pytest

from separatrix.certificates.lemmas import lemmas_of
from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.checker.kinds.lemmas import POSITIONS
from separatrix.constructions import build


@pytest.mark.parametrize("address", ["binary", "quadratic", "code"])
@pytest.mark.parametrize("N", [16, 64, 1024])
def test_the_checker_proves_the_share_that_the_construction_derived(address: str, N: int) -> None:
    built = build("index-lookup", length=N, address=address)
    (lemma,) = lemmas_of(built)
    assert lemma == {"lemma": "index-weight", "layer": 1, "head": 1, "weight": math.floor(built.claim.facts["share"] * 10**4) / 10**4}
    verdict = check_text(verify(built).to_json())
    assert [entry["weight"] for entry in verdict.evidence if entry["kind"] == "lemma"] == [lemma["weight"]], verdict.reason


@pytest.mark.parametrize("address", ["binary", "quadratic"])
def test_every_positional_head_of_equality_has_at_least_its_share(address: str) -> None:
    built = build("equality", length=64, address=address)
    weights = [lemma["weight"] for lemma in lemmas_of(built)]
    assert len(weights) == 2  # the matching place and its own
    assert all(weight >= math.floor(built.claim.facts["share"] * 10**4) / 10**4 for weight in weights)
    verdict = check_text(verify(built).to_json())
    assert [entry["weight"] for entry in verdict.evidence if entry["kind"] == "lemma"] == weights, verdict.reason


def test_no_lemma_is_claimed_that_the_checker_does_not_derive() -> None:
    """Of equality at N = 2 both tokens ask for the first place; beyond the checker's bound on positions it compares none."""
    assert [len(lemmas_of(build("equality", length=N))) for N in (2, 4, POSITIONS, POSITIONS + 2)] == [1, 2, 2, 0]
    for N in (2, 4):
        verdict = check_text(verify(build("equality", length=N)).to_json())
        assert verdict.holds, verdict.reason


def test_a_composed_bound_stands_in_the_claim() -> None:
    bounds = build("equality", length=64).document()["bounds"]
    tolerated = [bound for bound in bounds if bound["tolerance"] is not None]
    assert tolerated
    assert all(bound["value"] <= bound["tolerance"] for bound in tolerated)
