"""What a configuration refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from separatrix.errors import BadInput
from separatrix.models.config import Activation, EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, Norm, ReadoutConfig
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.elman import elman
from separatrix.models.mixers.gru import gru
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.mixers.lstm import lstm
from separatrix.models.mixers.register_file import RegisterFileConfig
from separatrix.models.model import Model

PLAIN = ModelConfig(EmbeddingConfig(3), (LayerConfig(AttentionConfig(1, 2, 2)),), ReadoutConfig(2), 2)
EXACT = ["fixed:8,4", "nearest:9", "float:5,4"]


def with_layer(**changed: object) -> ModelConfig:
    return replace(PLAIN, layers=(replace(PLAIN.layers[0], **changed),))  # type: ignore[arg-type]


@pytest.mark.parametrize("arithmetic", EXACT)
@pytest.mark.parametrize(
    ("config", "what"),
    [
        (with_layer(norm="layer"), "layer norm"),
        (with_layer(norm="rms"), "rms norm"),
        (replace(PLAIN, readout=ReadoutConfig(2, "layer")), "layer norm"),
        (with_layer(feedforward=FeedForwardConfig(2, "gelu")), "gelu"),
        (with_layer(feedforward=FeedForwardConfig(2, "swiglu")), "swiglu"),
        (with_layer(mixer=AttentionConfig(1, 2, 2, scaled=True)), "scaled logits"),
        (with_layer(mixer=AttentionConfig(1, 2, 2, rotary=True)), "rotary positions"),
        (with_layer(mixer=lstm()), "an LSTM"),
        (with_layer(mixer=gru()), "a GRU"),
        (with_layer(mixer=elman()), "an Elman network"),
    ],
)
def test_an_exact_format_refuses_what_has_no_exact_form(arithmetic: str, config: ModelConfig, what: str) -> None:
    with pytest.raises(BadInput, match=f"^{arithmetic} has no exact form of {what}: expected a native float, such as float64$"):
        Model(replace(config, arithmetic=arithmetic))
    assert Model(replace(config, arithmetic="float64"))


@pytest.mark.parametrize("arithmetic", EXACT)
def test_an_exact_format_takes_what_has_one(arithmetic: str) -> None:
    activations: list[Activation] = ["relu", "reglu"]
    for mixer in (AttentionConfig(1, 2, 2, bias=True), LinearRnnConfig(1), RegisterFileConfig(1, 0, 1, 2, 0, 1), None):
        for activation in activations:
            config = replace(PLAIN, layers=(LayerConfig(mixer, FeedForwardConfig(2, activation), residual=True),))
            assert Model(replace(config, arithmetic=arithmetic)).config.inexact() == ""


def test_sizes_that_cannot_be_are_refused() -> None:
    norms: list[Norm] = ["none", "layer", "rms"]
    assert [Model(with_layer(norm=norm)).config.layers[0].norm for norm in norms] == norms
    for change, says in (
        ({"width": 0}, "model: width must be at least 1, found 0"),
        ({"length": -1}, "model: length must be at least 0, found -1"),
        ({"readout": ReadoutConfig(0)}, "model: targets must be at least 1, found 0"),
        ({"dropout": 1.0}, r"model: dropout must lie in \[0, 1\), found 1.0"),
    ):
        with pytest.raises(BadInput, match=says):
            replace(PLAIN, **change)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="a layer needs a mixer, a feed-forward part or both, or a norm without"):
        LayerConfig(None)
    with pytest.raises(BadInput, match="an embedding of integer vectors has no numbered tokens and no gate"):
        EmbeddingConfig(3, gated=True, reads="vectors")
