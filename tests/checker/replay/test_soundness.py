"""What a rule proves is never above the truth: its margin beside the least one over ALL inputs, for random small models."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.checker.replay.random_models import least_margin, lookup_model, match_model, models, proof_of

MAKERS = {"lookup": lookup_model, "content match": match_model}


def proven_among(make: Any, seeds: range) -> Counter[str]:
    """How many models of each format were proven; no proof claims more than the forward pass shows."""
    found: Counter[str] = Counter()
    for seed, model, form in models(make, seeds):
        proof = proof_of(model, form)
        if proof is not None:
            least = least_margin(model, form)
            assert 0 < proof.margin <= least, f"seed {seed}, {model.ops.name}: the rule says {proof.margin}, an input has {least}"
            found[model.ops.name] += 1
    return found


@pytest.mark.parametrize("rule", MAKERS)
def test_a_proven_margin_is_at_most_that_of_every_input(rule: str) -> None:
    found = proven_among(MAKERS[rule], range(200))
    assert len(found) >= 6, found  # every format, or the test says little
    assert found.total() >= 40, found


@pytest.mark.slow
@pytest.mark.parametrize("rule", MAKERS)
def test_ten_thousand_models_have_no_margin_above_the_truth(rule: str) -> None:
    assert proven_among(MAKERS[rule], range(1000, 11_000)).total() > 2000
