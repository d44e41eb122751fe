"""Stacks: any list of mixers, and one mixer over and over."""

from __future__ import annotations

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.model import Model
from separatrix.models.stack import layers_of, stack
from separatrix.models.transformer import transformer


def test_attention_in_residual_blocks_is_the_gpt2_transformer() -> None:
    ours = stack(7, 5, mixers=("attention",) * 2, width=8, length=9, seed=1, settings={"heads": 2})
    peer = transformer(7, 5, width=8, layers=2, heads=2, length=9)
    assert ours.config == peer.config
    peer.load_state_dict(ours.state_dict())
    tokens = torch.arange(18).reshape(2, 9) % 7
    assert torch.equal(ours(tokens), peer(tokens))


def test_a_setting_goes_to_every_mixer_that_knows_it() -> None:
    model = make_model("stack", vocabulary=5, targets=3, width=8, mixers="attention,linear-rnn,attention", heads="2", state=3)
    assert isinstance(model, Model)
    first, second, third = (layer.mixer for layer in model.config.layers)
    assert isinstance(first, AttentionConfig)
    assert (first.heads, first) == (2, third)
    assert second == LinearRnnConfig(3)


def test_one_mixer_is_stacked_as_is_usual_for_it() -> None:
    lstm, linear = layers_of("lstm", 5, 3, width=4, layers=2), layers_of("linear-rnn", 5, 3, width=4)
    assert {(layer.residual, layer.norm, layer.feedforward) for layer in lstm.config.layers} == {(False, "none", None)}
    assert (lstm.config.readout.norm, lstm.config.embedding.places) == ("none", ())
    (layer,) = linear.config.layers
    assert layer.residual
    assert layer.feedforward is not None
    assert (layer.norm, linear.config.readout.norm, linear.config.embedding.places) == ("layer", "layer", ())
    attention = layers_of("window", 5, 3, width=4, settings={"heads": 2})
    assert [place.address for place in attention.config.embedding.places] == ["table"]
    assert layers_of("lstm", 5, 3, width=4, positions="learned").config.embedding.places


def test_a_block_has_no_norm_before_a_part_that_it_lacks() -> None:
    """Two norms in each block with a feed-forward part, one without, and one before the read-out."""
    for feedforward, norms in ((True, 2 * 2 + 1), (False, 2 + 1)):
        names = stack(5, 3, mixers=("gru", "gru"), width=4, feedforward=feedforward).state_dict()
        assert sum(name.endswith(("before_mixing.weight", "before_feedforward.weight", "norm.weight")) for name in names) == norms
        assert any("before_feedforward" in name for name in names) == feedforward


def test_ids_outside_the_vocabulary_are_refused() -> None:
    model = layers_of("lstm", 5, 3, width=4)
    with pytest.raises(BadInput, match=r"token 5 lies outside the vocabulary 0\.\.4"):
        model(torch.tensor([[0, 5]]))
    with pytest.raises(BadInput, match=r"expected integer tokens \[rows, n\], found float32 of shape \[1, 2\]"):
        model(torch.zeros(1, 2))


def test_dropout_acts_in_training_only() -> None:
    model, tokens = layers_of("lstm", 5, 3, width=16, layers=2, dropout=0.5), torch.zeros(2, 4, dtype=torch.int64)
    assert not torch.equal(model(tokens), model(tokens))
    model.eval()
    assert torch.equal(model(tokens), model(tokens))


def test_a_chosen_deviation_is_that_of_the_weights_no_mixer_starts_itself() -> None:
    """Attention, feed-forward parts, embedding and read-out follow it, in stacks and layers of one mixer; Mamba starts as before."""
    for made in (
        make_model("stack", vocabulary=50, targets=40, width=32, mixers="mamba,attention", deviation=0.5),
        make_model("hybrid-mamba-1-32+1", vocabulary=50, targets=40, length=9, deviation="0.5"),
    ):
        weights = dict(made.named_parameters())
        for name in ("embedding.table", "layers.1.mixer.query", "layers.1.feedforward.inner", "readout.weight"):
            assert weights[name].std().item() == pytest.approx(0.5, rel=0.1), name
    usual, chosen = (make_model("mamba-1-32", vocabulary=50, targets=40, **more) for more in ({}, {"deviation": 0.5}))
    assert usual.get_parameter("embedding.table").std().item() == pytest.approx(0.02, rel=0.1)
    assert chosen.get_parameter("embedding.table").std().item() == pytest.approx(0.5, rel=0.1)
    assert torch.equal(usual.get_parameter("layers.0.mixer.decay"), chosen.get_parameter("layers.0.mixer.decay"))
    for name in ("stack", "mamba-1-32"):
        with pytest.raises(BadInput, match=r"deviation must be positive, found 0\.0"):
            make_model(name, vocabulary=5, targets=4, deviation=0.0)


def test_no_positions_can_be_chosen_where_learned_ones_are_usual() -> None:
    """`none` is one of the choices here, and not the absence of one."""
    chosen = {"vocabulary": 3, "targets": 2, "width": 8}
    assert make_model("linear-attention", **chosen).config.embedding.places
    assert not make_model("linear-attention", **chosen, positions="none").config.embedding.places
    assert not make_model("lintf-1-8", vocabulary=3, targets=2, positions="none").config.embedding.places
