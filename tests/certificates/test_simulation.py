from __future__ import annotations

import pytest
import torch

import separatrix as sx
from separatrix.certificates.simulation import simulate
from separatrix.tasks.languages.gallery import named_language


def test_a_built_model_is_right_at_all_lengths() -> None:
    built = sx.build("regular/lstm", length=4, language="(ab|b)*a?")
    found = simulate(built.model, built.task.automaton, len(built.task.letters))  # type: ignore[attr-defined]
    assert found.holds
    assert found.pairs < 40
    assert found.margin == pytest.approx(2.0)


def test_beside_another_automaton_the_first_wrong_word_is_found() -> None:
    """Weights for an even number of 1s against a number that 3 divides: no shorter word than 11 tells them apart."""
    built = sx.build("regular/elman", length=4, language="@parity")
    found = simulate(built.model, named_language("mod-3"), 2)
    assert found.wrong == (1, 1)
    assert not found.holds


def test_one_changed_weight_is_found() -> None:
    built = sx.build("regular/elman", length=4, language="@parity")
    with torch.no_grad():
        built.model.readout.bias[1] -= 2  # type: ignore[index]
    found = simulate(built.model, built.task.automaton, 2)  # type: ignore[attr-defined]
    assert found.wrong == ()


def test_a_model_with_too_many_states_is_not_said_to_hold() -> None:
    torch.manual_seed(0)
    model = sx.model("elman", vocabulary=3, targets=2, width=8, layers=1)
    found = simulate(model, named_language("ones"), None, most=50)
    assert not found.holds
    assert found.wrong is not None or not found.complete


def test_answers_after_every_letter() -> None:
    built = sx.build("regular/elman", length=4, language="@flip-flop")
    assert simulate(built.model, built.task.automaton, None).holds  # type: ignore[attr-defined]
