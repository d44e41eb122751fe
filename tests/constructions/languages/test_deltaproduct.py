"""Letters that permute or reset, in one layer of DeltaProduct."""

from __future__ import annotations

import json

import pytest
import torch

import separatrix as sx
from separatrix.bounds.languages.classes import permutation_reset
from separatrix.bounds.languages.enumeration import automata
from separatrix.certificates.simulation import simulate
from separatrix.certificates.verify import verify


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
def test_it_is_in_one_state_for_each_of_the_automaton(arithmetic: str) -> None:
    met = [language for states in (1, 2, 3) for language in automata(states) if permutation_reset(language.moves)]
    assert len(met) == 156
    for language in met[::5]:
        built = sx.build("regular/deltaproduct", length=10, language=json.dumps(language.document()), arithmetic=arithmetic)
        found = simulate(built.model, language, len(language.alphabet))
        assert found.holds
        assert found.pairs == language.states
        assert found.margin > 0.49


def test_s5_is_tracked_by_one_layer() -> None:
    built = sx.build("regular/deltaproduct", length=10, language="@s5")
    found = simulate(built.model, built.task.automaton, 2)  # type: ignore[attr-defined]
    assert (found.holds, found.pairs, len(built.model.layers)) == (True, 120, 1)


def test_the_checker_proves_a_length() -> None:
    assert verify(sx.build("regular/deltaproduct", length=12, language="@s3")).strength == "proven"


def test_a_reflection_that_is_only_a_projection_breaks_it() -> None:
    built = sx.build("regular/deltaproduct", length=10, language="@s3")
    with torch.no_grad():
        share = built.model.layers[0].mixer.share  # type: ignore[union-attr]
        share[share == share.max()] = 0.0  # type: ignore[index, operator, union-attr]  beta = 1
    assert not simulate(built.model, built.task.automaton, 2).holds  # type: ignore[attr-defined]
