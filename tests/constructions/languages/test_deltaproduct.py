"""Letters that permute or reset, in one layer of DeltaProduct, and all other languages by a cascade."""

from __future__ import annotations

import json
import random

import pytest
import torch

import separatrix as sx
from separatrix.bounds.languages.classes import permutation_reset
from separatrix.bounds.languages.enumeration import automata
from separatrix.certificates.simulation import simulate
from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.periods import period


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


def others(count: int) -> list[Automaton]:
    """Languages some of whose letters neither permute nor reset, star-free ones and others."""
    every = [language for states in (2, 3, 4) for language in automata(states) if not permutation_reset(language.moves)]
    return random.Random(2).sample(every, count)


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
def test_any_other_language_is_recognised_by_two_layers_for_each_coordinate_of_a_cascade(arithmetic: str) -> None:
    counting = 0
    for language in others(12):
        built = sx.build("regular/deltaproduct", length=10, language=json.dumps(language.document()), arithmetic=arithmetic)
        found = simulate(built.model, language, len(language.alphabet))
        assert found.holds
        assert found.margin > 0.99
        assert len(built.model.layers) in range(2, 2 * language.states, 2)
        counting += period(language) is not None
    assert 0 < counting < 12


def test_a_star_free_language_is_proven_at_every_length_and_one_that_counts_at_a_short_one() -> None:
    for language, length, lengths in (("(ab)*", 12, "of every length"), ("(a|ba*b)*(ab)*", 4, "N = 4")):
        verdict = check_document(verify(sx.build("regular/deltaproduct", length=length, language=language)).document)
        assert verdict.strength == "proven"
        assert lengths in verdict.claim


@pytest.mark.parametrize("layer", [0, 1])
def test_a_share_that_is_changed_in_a_delay_or_a_register_breaks_it(layer: int) -> None:
    built = sx.build("regular/deltaproduct", length=10, language="(ab)*c*")
    assert simulate(built.model, built.task.automaton, 3).holds  # type: ignore[attr-defined]
    share = dict(built.model.named_parameters())[f"layers.{layer}.mixer.share"]
    with torch.no_grad():
        share.fill_(-1024.0)  # nothing is ever written
    assert not simulate(built.model, built.task.automaton, 3).holds  # type: ignore[attr-defined]
