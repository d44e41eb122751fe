"""The papers' configurations: their sizes by name, and where they come from."""

from __future__ import annotations

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models import make_model, model_for
from separatrix.models.masks import BlockSparse
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.mamba import MambaConfig
from separatrix.models.model import Model
from separatrix.models.model_names import configuration
from separatrix.models.published import PUBLISHED, sparse_block
from separatrix.models.tied_stack import tied_stack
from separatrix.papers import statements


def make(name: str, **chosen: object) -> Model:
    model = model_for(name, {"vocabulary": 70, "targets": 70, "length": 100, "seed": 0}, chosen)
    assert isinstance(model, Model)
    return model


def trainable(model: Model) -> int:
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("wen2024-llama-0.5m", 525_376), ("wen2024-llama-1m", 1_050_688), ("wen2024-llama-2m", 1_969_280),
        ("wen2024-mamba-0.5m", 523_328), ("wen2024-mamba-1m", 1_166_208), ("wen2024-mamba-2m", 2_099_072),
        ("wen2024-hybrid-0.5m", 458_176), ("wen2024-hybrid-1m", 980_480), ("wen2024-hybrid-2m", 1_796_736),
    ],
)  # fmt: skip
def test_the_retrieval_models_have_as_many_trainable_parameters_as_the_papers_code(name: str, count: int) -> None:
    """Counted by hand from the public code's configurations: an entry of the statement wen2024 Experiment 4 lists them."""
    assert trainable(make(name)) == count


def test_their_token_vectors_are_frozen_sinusoids_that_the_read_out_shares() -> None:
    """Token i is sin and cos of i / 10000^(2j/d), interleaved, and the nearest of all vectors to itself."""
    model = make("wen2024-llama-0.5m")
    table = model.embedding.table
    assert not table.requires_grad
    assert not model.readout.weight.requires_grad
    assert torch.equal(table, model.readout.weight)
    assert model.readout.bias is None
    j = torch.arange(32, dtype=torch.float64)
    angle = 5 / 10000 ** (2 * j / 64)
    torch.testing.assert_close(table[5, 0::2].double(), angle.sin(), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(table[5, 1::2].double(), angle.cos(), rtol=1e-6, atol=1e-6)
    assert torch.equal((table @ table.T).argmax(dim=1), torch.arange(70))


def test_the_last_norm_of_a_hybrid_stands_below_its_llama_block() -> None:
    layers = make("wen2024-hybrid-0.5m").config.layers
    assert [type(layer.mixer) for layer in layers] == [MambaConfig] * 12 + [type(None), AttentionConfig]
    assert (layers[12].norm, layers[12].feedforward, layers[12].residual) == ("rms", None, False)
    assert make("wen2024-hybrid-0.5m").readout.norm is None
    assert make("wen2024-mamba-0.5m").readout.norm is not None


def test_training_leaves_frozen_vectors_alone() -> None:
    from separatrix.training.budget import Budget
    from separatrix.training.loop import make_optimiser

    model = tied_stack(9, 9, width=8, mamba=1, llama=1, heads=2, hidden=8)
    before = model.embedding.table.clone()
    optimiser = make_optimiser(model, Budget())
    model(torch.zeros(2, 3, dtype=torch.int64)).square().sum().backward()
    optimiser.step()
    assert torch.equal(model.embedding.table, before)


@pytest.mark.parametrize(
    ("label", "name", "layers", "width"),
    [("LSTM-(3,256)", "lstm", 3, 256), ("LinTF-(6, 256)", "linear-attention", 6, 256), ("TF-(1,64)", "transformer", 1, 64)],
)
def test_a_label_of_a_figure_names_a_configuration(label: str, name: str, layers: int, width: int) -> None:
    assert configuration(label, {}) == (name, {"layers": layers, "width": width})


def test_sparse_blocks_follow_the_length() -> None:
    """Blocks of 8 tokens at the paper's lengths up to 223, and of 16 from 342 on."""
    assert [sparse_block(n) for n in (72, 83, 223, 342, 506)] == [8, 8, 8, 16, 16]
    for length, block in ((223, 8), (355, 16)):
        model = model_for("yang2024-sparse-3-32", {"vocabulary": 5, "targets": 5, "length": length, "seed": 0}, {})
        assert isinstance(model, Model)
        mixer = model.config.layers[0].mixer
        assert isinstance(mixer, AttentionConfig)
        assert (mixer.mask, mixer.heads) == (BlockSparse(block, 1, 1), 4)


def test_every_configuration_cites_a_statement_and_names_an_architecture() -> None:
    known = {statement.key for statement in statements()}
    assert len(PUBLISHED) == 6 + 5 + 9 + 2 * 6 * 3
    for name, published in PUBLISHED.items():
        assert published.cites in known, name
        assert configuration(name, {}, 100)[0] == published.architecture


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadInput, match="model wen2024-mamba-1m: its name says width = 128, found width=64"):
        make("wen2024-mamba-1m", width=64)
    with pytest.raises(BadInput, match="tied-stack: expected counts of at least 0 and an even width divisible by heads, found mamba=0"):
        make_model("tied-stack", vocabulary=5, targets=5, width=6)
    with pytest.raises(BadInput, match="tied-stack: layers must be at least 1, found 0"):
        make_model("tied-stack", vocabulary=5, targets=5, llama=0)
