"""Parameter bits, state bits and operations of a step; and which architectures are regular."""

from __future__ import annotations

import pytest
import torch

from separatrix.models import measured_costs as of_measures
from separatrix.models import model_for
from separatrix.models.measured_costs import grows, measures, operations_per_token, regular
from separatrix.models.mixers.mamba import Mamba
from separatrix.models.model import Model

SIZES = {"vocabulary": 5, "targets": 5, "length": 40, "seed": 0}


def make(name: str, **chosen: object) -> Model:
    model = model_for(name, SIZES, chosen)
    assert isinstance(model, Model)
    return model


def test_the_operations_of_an_elman_step_are_those_counted_by_hand() -> None:
    """Two products of a vector with an 8 x 8 matrix, two biases, a sum and tanh, then a read-out of 5 x 8 with bias; 8 for the embedding.

    addmm adds its bias within the product, which counts 2 x 8 x 8.
    """
    model = make("elman-1-8")
    assert operations_per_token(model, 3) == pytest.approx(2 * (2 * 64) + 8 + 8 + 2 * 40 + 8, abs=24)
    assert operations_per_token(model, 30) == operations_per_token(model, 3)


def test_attention_costs_more_with_every_token() -> None:
    model = make("tf-1-8")
    more = operations_per_token(model, 30) - operations_per_token(model, 20)
    assert more >= 10 * 4 * 8  # each earlier token costs a logit and a share of the values, 2 x 8 operations each


def test_a_window_costs_the_same_once_it_is_full() -> None:
    model = make("window-1-8", window=4)
    assert operations_per_token(model, 1) < operations_per_token(model, 4) == operations_per_token(model, 30)


def test_only_layers_whose_state_grows_take_all_steps_and_the_count_is_that_of_taking_all(monkeypatch: pytest.MonkeyPatch) -> None:
    hybrid = make("hybrid-mamba-2-8+1")
    counted = operations_per_token(hybrid, 20)
    with torch.no_grad():
        state = hybrid.initial_state(1)
        for _ in range(20):
            state, _ = hybrid.step(state, torch.zeros(1, dtype=torch.int64))
    monkeypatch.setattr(of_measures, "_state_after", lambda *_: state)
    assert operations_per_token(hybrid, 20) == counted
    monkeypatch.undo()
    taken = []
    step = Mamba.step
    monkeypatch.setattr(Mamba, "step", lambda self, *given: (taken.append(1), step(self, *given))[1])
    operations_per_token(hybrid, 20)
    assert len(taken) == 2 + 2  # both Mamba layers: one step before, and the one that is counted


def test_the_measures_count_bits() -> None:
    """Elman: 5 x 8 rows, two 8 x 8 matrices with biases, a read-out of 5 x 8 and 5; the state is h."""
    counted = measures(make("elman-1-8"), 10, "float16")
    assert counted.parameters == counted.trainable == 5 * 8 + 2 * (64 + 8) + 45
    assert (counted.parameter_bits, counted.state_bits) == (16 * counted.parameters, 16 * 8)


@pytest.mark.parametrize(
    "name", ["lstm", "gru", "linear-attention", "retnet", "dss", "mamba", "mamba2", "deltanet", "linear-rnn", "window"]
)
def test_recurrent_models_are_regular(name: str) -> None:
    says, why = regular(lambda width: make(name, width=width), 64, "float32")
    assert says, why
    assert "from width 64 to 128" in why


@pytest.mark.parametrize("name", ["transformer", "block-sparse"])
def test_a_state_that_grows_is_not_that_of_a_recurrent_model(name: str) -> None:
    assert grows(make(name))
    assert regular(lambda width: make(name, width=width), 16, "float32") == (
        False, "its state grows with the length, so Definition 3.3 does not cover it",
    )  # fmt: skip


def test_a_family_whose_work_or_memory_leaves_its_parameters_behind_is_not_regular() -> None:
    """A vocabulary that grows with the width adds parameters that no step touches; heads that merge add state and no parameters."""

    def ever_more_tokens(width: int) -> Model:
        model = model_for("elman", {**SIZES, "vocabulary": 5 if width == 16 else 5000}, {"width": width})
        assert isinstance(model, Model)
        return model

    says, why = regular(ever_more_tokens, 16, "float32")
    assert not says, why

    def ever_fewer_heads(width: int) -> Model:
        return make("linear-attention", width=width, heads=8 if width == 16 else 1, feedforward=False)

    says, why = regular(ever_fewer_heads, 16, "float32")
    assert not says, why
