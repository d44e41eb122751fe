"""Whole models of the user's own, under the names that they have for the sizes of a task."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models import make_model, model_for
from separatrix.models.user_model import is_whole

MINE = """
from types import SimpleNamespace

import torch
from torch import nn

class Tiny(nn.Module):
    def __init__(self, vocabulary, targets):
        super().__init__()
        assert type(vocabulary) is int
        self.table = nn.Embedding(vocabulary, targets)

    def forward(self, tokens):
        return self.table(tokens)

class Theirs(nn.Module):
    def __init__(self, vocab_size: int, num_classes: int, hidden=8):
        super().__init__()
        self.table, self.out = nn.Embedding(vocab_size, hidden), nn.Linear(hidden, num_classes)

    def forward(self, input_ids):
        return SimpleNamespace(logits=self.out(self.table(input_ids)))

class FromConfig(nn.Module):
    def __init__(self, vocabulary, config):
        super().__init__()

def model(vocabulary: int, targets: int) -> nn.Module:
    return nn.Embedding(vocabulary, targets)

def nothing(vocabulary):
    return None

def mixer(width):
    return nn.Identity()

class configuration:
    model_type = "gpt2"

try:
    from transformers import GPT2Config
    config = GPT2Config(n_layer=1, n_head=2, n_embd=8, n_positions=16)
except ImportError:
    config = None
"""
SIZES = {"vocabulary": 6, "targets": 4, "length": 5, "seed": 3}


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return str(path)


def test_a_model_is_told_from_a_mixer(mine: str) -> None:
    assert [is_whole(f"{mine}:{name}") for name in ("Tiny", "Theirs", "FromConfig", "model", "mixer")] == [True, True, True, True, False]


def test_parameters_without_a_type_keep_their_numbers(mine: str) -> None:
    model = model_for(f"{mine}:Tiny", SIZES, {})
    assert model(torch.zeros(2, 3, dtype=torch.int64)).shape == (2, 3, 4)


def test_other_names_of_the_sizes_are_known(mine: str) -> None:
    model = model_for(f"{mine}:Theirs", SIZES, {"hidden": "12"})
    assert model.table.weight.shape == (6, 12)
    assert model.out.out_features == 4


def test_the_weights_depend_on_the_seed_alone(mine: str) -> None:
    def weights(seed: int) -> torch.Tensor:
        return model_for(f"{mine}:Tiny", {**SIZES, "seed": seed}, {}).table.weight.detach()

    torch.manual_seed(0)
    one = weights(3)
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    assert torch.equal(weights(3), one)
    assert not torch.equal(weights(4), one)
    assert torch.equal(torch.random.get_rng_state(), before)  # the caller's generator is left alone


def test_what_cannot_be_made_is_one_line(mine: str) -> None:
    for name, says in (
        ("FromConfig", "mine.py:FromConfig needs config, which no task determines: set it, or write a function of vocabulary and targets"),
        ("nothing", "mine.py:nothing: expected a torch module, found NoneType"),
    ):
        with pytest.raises(BadInput, match=says):
            make_model(f"{mine}:{name}", **SIZES)
    with pytest.raises(BadInput, match=r"mine.py:Tiny has no parameter 'depth': expected one of vocabulary, targets"):
        make_model(f"{mine}:Tiny", **SIZES, depth=2)


def test_a_hugging_face_configuration_makes_its_model(mine: str) -> None:
    pytest.importorskip("transformers")
    model = model_for(f"{mine}:config", SIZES, {})
    tokens = torch.tensor([[0, 5, 3]])
    assert model(tokens).logits.shape == (1, 3, 6)
    again = model_for(f"{mine}:config", SIZES, {})
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters(), strict=True))
