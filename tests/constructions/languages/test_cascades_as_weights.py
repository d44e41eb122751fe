"""Cascades as weights: right at all lengths, and not once a weight is changed.

Star-free languages in selective RNNs, Mamba-2, DeltaNet and gated DeltaNet; 2-groups in DeltaNet with negative eigenvalues.
"""

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
from separatrix.errors import BadInput
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.cascades import keep_or_reset, with_end
from separatrix.tasks.languages.given import given_language
from separatrix.tasks.languages.periods import period

LAYERS = {"regular/selective-rnn-positive": 1, "regular/mamba2": 2, "regular/deltanet": 2, "regular/gated-deltanet": 2}  # a level
FORMATS = {"regular/selective-rnn-positive": ("fixed:16,4", "float32", "float64")}


def sample() -> list[Automaton]:
    draw = random.Random(8)
    small = [language for states in (1, 2, 3) for language in automata(states) if period(language) is None]
    large = [language for language in draw.sample([*automata(4)], 150) if period(language) is None]
    return [small[0], *draw.sample(small, 4), *large[:4]]


@pytest.mark.parametrize("name", LAYERS)
def test_star_free_languages_are_recognised_at_all_lengths(name: str) -> None:
    for language in sample():
        levels = max(1, len(keep_or_reset(with_end(language, "end")).layers))
        for arithmetic in FORMATS.get(name, ("float32", "float64")):
            built = sx.build(name, length=20, language=json.dumps(language.document()), arithmetic=arithmetic)
            found = simulate(built.model, language, len(language.alphabet))
            assert found.holds
            assert found.margin > 0.99
            assert len(built.model.layers) == LAYERS[name] * levels


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("language", ["(ab)*", "@flip-flop"])
def test_the_checker_proves_them(name: str, language: str) -> None:
    verdict = check_document(verify(sx.build(name, length=40, language=language)).document)
    assert verdict.strength == "proven"
    assert "every length" in verdict.claim


@pytest.mark.parametrize(("arithmetic", "open_"), [("float32", -80.0), ("float64", -600.0)])
def test_a_share_that_is_tiny_and_not_0_is_not_proven_at_every_length(arithmetic: str, open_: float) -> None:
    """sigma(-80) is a number of float32: what is kept may drift, however slowly."""
    built = sx.build("regular/deltanet", length=6, language="@flip-flop", arithmetic=arithmetic)
    share = dict(built.model.named_parameters())["layers.1.mixer.share"]
    with torch.no_grad():
        share[share < 0] = open_ - float(share.max())
    verdict = check_document(verify(built).document)
    assert verdict.strength == "proven"
    assert "N = 6" in verdict.claim


@pytest.mark.parametrize("name", LAYERS)
def test_all_tokens_at_once_give_what_the_recurrence_gives(name: str) -> None:
    built = sx.build(name, length=60, language="(a(ab)*b)*", arithmetic="float64")
    language = built.task.automaton  # type: ignore[attr-defined]
    words = torch.tensor([[random.Random(seed * 100 + t).randrange(2) for t in range(60)] for seed in range(20)] + [[0, 1] * 30])
    with torch.no_grad():
        said = built.model(words).argmax(dim=2)
    for word, row in zip(words.tolist(), said.tolist(), strict=True):
        assert row == [int(language.accepts(word[: t + 1])) for t in range(60)]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("regular/selective-rnn-positive", "layers.0.mixer.gate"),
        ("regular/mamba2", "layers.1.mixer.rate_bias"),
        ("regular/deltanet", "layers.1.mixer.share"),
        ("regular/gated-deltanet", "layers.1.mixer.rate_bias"),
    ],
)
def test_a_changed_gate_breaks_it(name: str, place: str) -> None:
    built = sx.build(name, length=10, language="@flip-flop")
    language = built.task.automaton  # type: ignore[attr-defined]
    assert simulate(built.model, language, 3).holds
    with torch.no_grad():
        dict(built.model.named_parameters())[place].fill_(
            4096.0 if place.endswith("bias") else 0.0
        )  # nothing is kept, or nothing forgotten
    assert not simulate(built.model, language, 3).holds


def test_what_cannot_be_built_is_refused_in_one_line() -> None:
    for name in LAYERS:
        with pytest.raises(BadInput, match="expected a star-free language"):
            sx.build(name, length=10, language="@parity")
    with pytest.raises(BadInput, match="expected float32 or float64"):
        sx.build("regular/mamba2", length=10, language="(ab)*", arithmetic="float16")
    with pytest.raises(BadInput, match="expected at least fixed:10,2"):
        sx.build("regular/selective-rnn-positive", length=10, language="(ab)*", arithmetic="fixed:9,2")


def test_one_fractional_bit_less_leaves_no_room_for_two_digits() -> None:
    assert sx.build("regular/selective-rnn-positive", length=10, language="(ab)*", arithmetic="fixed:10,2").claim.arithmetic == "fixed:10,2"
    with pytest.raises(BadInput, match="a coordinate has 2 values"):
        sx.build("regular/selective-rnn-positive", length=10, language="(ab)*", arithmetic="fixed:10,1")


NEGATIVE = "regular/deltanet-negative"


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
def test_languages_whose_groups_are_2_groups_are_recognised_by_reflections(arithmetic: str) -> None:
    draw, counting = random.Random(5), [language for states in (2, 3) for language in automata(states) if period(language) is not None]
    some = [language for language in draw.sample(counting, 20) if syntactic_monoid(language).two_groups]  # type: ignore[union-attr]
    assert len(some) >= 8
    for language in (*some, given_language("group:q8").automaton, given_language("(ab)*").automaton):
        built = sx.build(NEGATIVE, length=20, language=json.dumps(language.document()), arithmetic=arithmetic)
        found = simulate(built.model, language, len(language.alphabet))
        assert found.holds, language.document()
        assert found.margin > 0.99
        assert all(layer.mixer.config.negative for layer in built.model.each_layer())


def test_reflections_are_proven_at_one_length_and_break_when_beta_stops_at_1() -> None:
    built = sx.build(NEGATIVE, length=12, language="@parity")
    language = built.task.automaton  # type: ignore[attr-defined]
    verdict = check_document(verify(built).document)
    assert verdict.strength == "proven"
    assert verdict.architecture == "deltanet-negative"
    assert "N = 12" in verdict.claim
    with torch.no_grad():
        dict(built.model.named_parameters())["layers.1.mixer.share"].clamp_(max=0.0)  # 2 sigma(0) = 1: a flip becomes an overwrite
    assert not simulate(built.model, language, 2).holds


def test_groups_that_are_not_2_groups_are_refused_by_reflections() -> None:
    with pytest.raises(BadInput, match="expected a language whose groups are 2-groups"):
        sx.build(NEGATIVE, length=10, language="@mod-3")
    with pytest.raises(BadInput, match="expected float32 or float64, found float16"):
        sx.build(NEGATIVE, length=10, language="@parity", arithmetic="float16")
