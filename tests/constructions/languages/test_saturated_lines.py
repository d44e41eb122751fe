"""Any automaton in a linear RNN whose numbers saturate: right at all lengths, and not once they do not."""

from __future__ import annotations

import json
import random

import pytest
import torch

import separatrix as sx
from separatrix.bounds.languages.enumeration import automata
from separatrix.certificates.simulation import simulate
from separatrix.certificates.verify import verify
from separatrix.checker import check_document
from separatrix.errors import BadInput
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.given import given_language

NAME = "regular/linear-rnn"


def sample() -> list[Automaton]:
    """All of at most two states, some of three and four, over one letter and over three, and A5."""
    draw = random.Random(2)
    some = [language for states in (1, 2) for language in automata(states)]
    some += draw.sample([*automata(3)], 15) + draw.sample([*automata(4)], 15) + draw.sample([*automata(2, 3)], 10)
    return [*some, given_language("(aaa)*").automaton, given_language("@a5").automaton]


@pytest.mark.parametrize("arithmetic", ["fixed:8,0", "fixed:16,4"])
def test_every_language_is_recognised_at_all_lengths(arithmetic: str) -> None:
    for language in sample():
        if arithmetic == "fixed:8,0" and language.states > 10:
            continue
        built = sx.build(NAME, length=20, language=json.dumps(language.document()), arithmetic=arithmetic)
        found = simulate(built.model, language, len(language.alphabet))
        assert found.holds, language.document()
        assert found.margin >= 127
        assert len(built.model.layers) == 1


@pytest.mark.parametrize(("language", "arithmetic"), [("@s3", "fixed:16,4"), ("@parity", "fixed:4,0"), ("(ab)*", "fixed:5,0")])
def test_the_checker_proves_it_at_every_length(language: str, arithmetic: str) -> None:
    verdict = check_document(verify(sx.build(NAME, length=20, language=language, arithmetic=arithmetic)).document)
    assert verdict.strength == "proven", verdict.reason
    assert "right on every input of every length" in verdict.claim
    assert verdict.architecture == "linear-rnn"


def test_the_same_weights_in_a_format_with_more_room_fail() -> None:
    """Where nothing saturates the update is linear, and what is off does not stay off."""
    from dataclasses import replace

    from separatrix.models.model import Model

    built = sx.build(NAME, length=20, language="@parity", arithmetic="fixed:5,0")
    wider = Model(replace(built.model.config, arithmetic="fixed:24,0")).eval()
    wider.load_state_dict(built.model.state_dict())
    language = built.task.automaton  # type: ignore[attr-defined]
    assert simulate(built.model, language, 2).holds
    assert not simulate(wider, language, 2, most=200).holds


def test_a_changed_weight_breaks_it() -> None:
    built = sx.build(NAME, length=20, language="@s3")
    with torch.no_grad():
        dict(built.model.named_parameters())["layers.0.mixer.transition"][0, 0] += 1
    assert not simulate(built.model, built.task.automaton, len(built.task.automaton.alphabet)).holds  # type: ignore[attr-defined]


def test_a_format_without_room_is_refused() -> None:
    with pytest.raises(BadInput, match="expected fixed:p,f with"):
        sx.build(NAME, length=20, language="@parity", arithmetic="fixed:3,0")
    with pytest.raises(BadInput, match="expected fixed:p,f with"):
        sx.build(NAME, length=20, language="@parity", arithmetic="float32")
