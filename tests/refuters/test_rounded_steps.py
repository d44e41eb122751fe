"""Steps whose every operator is rounded: against the modules' own form where there is one, against a reference, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from benchmarks.formats import CASES, line
from separatrix.arithmetic.small_float import nearest_float
from separatrix.constructions import build
from separatrix.constructions.least_precision import carried_over
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.mixers.elman import ElmanConfig
from separatrix.models.model import Model
from separatrix.refuters.rounded_steps import every_input, rounded_logits, wrong_rows
from tests.docs.reading import ROOT

PAGE = (ROOT / "docs" / "architectures.md").read_text("utf-8")
QUICK = ("copy/elman", "index-lookup/gru", "index-lookup/linear-attention")


@pytest.mark.parametrize("arithmetic", ["float:4,3", "float:5,10", "float:8,7"])
def test_a_mixer_with_a_form_of_its_own_gives_the_same_numbers(arithmetic: str) -> None:
    built = build("copy/linear-rnn", length=6, symbols=3)
    with torch.no_grad():
        for parameter in built.model.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1), dtype=parameter.dtype))
    tokens = torch.from_numpy(built.task.sample(0, 20).tokens)
    own = carried_over(built, arithmetic).model(tokens)
    torch.testing.assert_close(rounded_logits(built.model, tokens, arithmetic), own, rtol=0, atol=0, equal_nan=True)  # some overflow
    assert not torch.equal(own, built.model(tokens))


def test_an_elman_network_is_rounded_after_each_sum_and_each_tanh() -> None:
    """W x + b and U h + b' once each, their sum, and its tanh: a reference in plain Python."""
    model = Model(ModelConfig(EmbeddingConfig(3), (LayerConfig(ElmanConfig()),), ReadoutConfig(2), 4, "float64")).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(2), dtype=torch.float64))

    def rounded(x: np.ndarray) -> np.ndarray:
        return nearest_float(torch.from_numpy(np.asarray(x, dtype=np.float64)), 5, 4).numpy()

    weights = {name: rounded(tensor.detach().numpy()) for name, tensor in model.named_parameters()}
    W, U, b, c = (weights[f"layers.0.mixer.kernel.{name}_l0"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    tokens, h, said = [0, 2, 1, 1, 0, 2, 2], np.zeros(4), []
    for token in tokens:
        x = weights["embedding.table"][token]
        total = rounded(rounded(W @ x + b) + rounded(U @ h + c))
        h = rounded(np.array([math.tanh(number) for number in total]))
        said.append(rounded(weights["readout.weight"] @ h + weights["readout.bias"]))
    assert np.array_equal(rounded_logits(model, torch.tensor([tokens]), "float:5,4")[0].numpy(), np.array(said))


def test_one_bit_less_is_wrong_and_the_least_is_right() -> None:
    built = build("mqar/deltanet", length=4, arithmetic="float32")
    every = every_input(built.task)
    assert len(every.tokens) == 96
    assert wrong_rows(built, every, "float:7,4") == 0
    assert all(wrong_rows(built, every, f"float:{11 - 1 - m},{m}") > 0 for m in range(2, 9))


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in CASES])
def test_the_page_has_the_least_formats(name: str) -> None:
    assert line(name) in PAGE


def test_what_cannot_be_rounded_is_refused() -> None:
    built = build("index-lookup/retnet", length=4, symbols=2)
    tokens = torch.from_numpy(built.task.sample(0, 1).tokens)
    with pytest.raises(BadInput, match=r"^operator \w+: expected one whose rounding is known, such as mul or tanh$"):
        rounded_logits(built.model, tokens, "float:8,7")
    with pytest.raises(BadInput, match=r"^rounded steps: expected float:e,m, found fixed:8,4$"):
        rounded_logits(built.model, tokens, "fixed:8,4")
