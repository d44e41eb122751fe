"""2-groups, and languages whose groups are 2-groups, in a selective RNN with signed gates."""

from __future__ import annotations

import json
import random

import pytest
import torch

import separatrix as sx
from separatrix.bounds.languages.enumeration import automata
from separatrix.bounds.languages.monoid import syntactic_monoid
from separatrix.certificates.simulation import simulate
from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.tasks.languages.given import given_language
from separatrix.tasks.languages.periods import period

NAME = "regular/selective-rnn"


@pytest.mark.parametrize("arithmetic", ["fixed:9,2", "fixed:16,4", "float32", "float64"])
def test_languages_that_count_modulo_powers_of_2_are_recognised_at_all_lengths(arithmetic: str) -> None:
    counting = [language for states in (2, 3) for language in automata(states) if period(language) is not None]
    some = [language for language in random.Random(4).sample(counting, 20) if syntactic_monoid(language).two_groups]  # type: ignore[union-attr]
    assert len(some) >= 8
    for language in some:
        built = sx.build(NAME, length=20, language=json.dumps(language.document()), arithmetic=arithmetic)
        found = simulate(built.model, language, len(language.alphabet))
        assert found.holds
        assert found.margin > 0.99


@pytest.mark.parametrize(("group", "layers"), [("parity", 1), ("v4", 2), ("z2_3", 3), ("q8", 3)])
@pytest.mark.parametrize("arithmetic", ["fixed:16,4", "float32"])
def test_the_checker_proves_2_groups_at_every_length(group: str, layers: int, arithmetic: str) -> None:
    language = given_language("@parity" if group == "parity" else f"group:{group}").automaton
    built = sx.build(NAME, length=6, language=json.dumps(language.document()), arithmetic=arithmetic)
    verdict = check_document(verify(built).document)
    assert verdict.strength == "proven", verdict.reason
    assert "right on every input of every length" in verdict.claim
    assert len(built.model.layers) == layers


def test_positive_gates_in_the_same_weights_break_it() -> None:
    built = sx.build(NAME, length=10, language="@parity")
    language = built.task.automaton  # type: ignore[attr-defined]
    assert simulate(built.model, language, 2).holds
    with torch.no_grad():
        for name, parameter in built.model.named_parameters():
            if name.endswith("mixer.gate"):
                parameter.copy_(parameter.abs())
    assert not simulate(built.model, language, 2).holds
