"""The law of the zoo: every formula equals what the model of that name stores and carries, and counts about what it computes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.cost_formulas import MIXER_COSTS, SIZED, sized_model
from separatrix.models.measured_costs import operations_per_token
from separatrix.models.mixers import MIXERS
from separatrix.models.model import Model

VOCABULARY, TARGETS, LENGTH = 37, 5, 60


def test_every_mixer_that_can_be_trained_is_in_the_zoo() -> None:
    assert {*MIXER_COSTS} == {*MIXERS} - {"register-file", "user"}
    assert {*SIZED} >= ({*MIXER_COSTS} - {"attention"}) | {"transformer"}


@pytest.mark.parametrize("architecture", SIZED)
def test_the_formulas_are_those_of_the_model(architecture: str) -> None:
    for layers, width in ((2, 32), (3, 64)):
        formulas = sized_model(architecture, layers, width, VOCABULARY, TARGETS)
        model = make_model(formulas.name, vocabulary=VOCABULARY, targets=TARGETS, length=LENGTH)
        assert isinstance(model, Model)
        assert formulas.parameters(LENGTH) == sum(p.numel() for p in model.parameters())
        for tokens in (0, 1, 7, 50):
            assert formulas.cuts(tokens) == model.cuts(tokens)
            assert formulas.state_bits(tokens, 16) == model.state_bits(tokens, "bfloat16")
            assert formulas.carried_bits(tokens, 16, 6) == model.bits_at_cut(tokens, "bfloat16")
        counted = operations_per_token(model, 50)
        assert 0.8 < formulas.operations(50) / counted < 1.1, (formulas.operations(50), counted)


def test_sizes_that_no_model_has_are_refused() -> None:
    for architecture, layers, width in (("lstm", 0, 64), ("lstm", 2, 63), ("hybrid-mamba", 1, 64)):
        with pytest.raises(BadInput, match="found"):
            sized_model(architecture, layers, width, 8, 8)


def test_the_zoo_needs_no_torch() -> None:
    program = "import sys; sys.modules['torch'] = None; import separatrix.models.cost_formulas"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
