"""Inclusions as maps of weights: random models, and the same logits afterwards; what is not included is seen to differ."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
import torch

import separatrix as sx
from separatrix.architectures import Mode
from separatrix.constructions import build, constructions
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.models.inclusions import (
    INCLUSIONS,
    as_hybrid,
    causal_as_block_sparse,
    causal_as_window,
    deltanet_as_gated_deltanet,
    elman_as_gru,
    linear_rnn_as_dss,
    linear_rnn_as_relu_rnn,
    wider,
    with_idle_head,
    with_idle_layer,
)
from separatrix.models.masks import Window
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.deltanet import DeltaNetConfig
from separatrix.models.mixers.dss import DssConfig
from separatrix.models.mixers.elman import ElmanConfig
from separatrix.models.mixers.gated_deltanet import GatedDeltaNetConfig
from separatrix.models.mixers.gru import GruConfig
from separatrix.models.mixers.linear_attention import LinearAttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.mixers.lstm import LstmConfig
from separatrix.models.mixers.mamba import MambaConfig
from separatrix.models.mixers.mamba2 import Mamba2Config
from separatrix.models.mixers.retnet import RetNetConfig
from separatrix.models.model import Model
from tests.constructions.named.running import all_right, every_input_right

LENGTH = 13
TOKENS = torch.randint(0, 4, (5, LENGTH), generator=torch.Generator().manual_seed(1))
RESIDUAL: tuple[MixerConfig, ...] = (
    AttentionConfig(2, 3, 2, scaled=True, bias=True),
    LinearAttentionConfig(2, 3, 2, bias=True),
    RetNetConfig(2, 4, 3),
    DeltaNetConfig(2, 3, 2, 4, negative=True),
    Mamba2Config(2, 3, 1, 4, 4),
    LinearRnnConfig(3),
    MambaConfig(6, 3, 4, 2),
    DssConfig(2),
    GatedDeltaNetConfig(2, 3, 2, 4, negative=False),
)


def drawn(mixer: MixerConfig, norm: Any = "none", residual: bool = True, layers: int = 2) -> Model:
    """Random weights, also in norms and biases."""
    layer = LayerConfig(mixer, FeedForwardConfig(5) if residual else None, residual, norm)
    model = Model(ModelConfig(EmbeddingConfig(4), (layer,) * layers, ReadoutConfig(3, norm), 6, "float64")).double()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.5 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return model


@torch.no_grad()
def difference(one: Model, other: Model) -> float:
    """The largest, all at once and token by token."""
    a, b = one.initial_state(5), other.initial_state(5)
    worst = float((one(TOKENS) - other(TOKENS)).abs().max())
    for t in range(TOKENS.shape[1]):
        (a, y), (b, z) = one.step(a, TOKENS[:, t]), other.step(b, TOKENS[:, t])
        worst = max(worst, float((y - z).abs().max()))
    return worst


@pytest.mark.parametrize("mixer", RESIDUAL, ids=lambda mixer: mixer.kind)
@pytest.mark.parametrize("norm", ["none", "layer", "rms"])
def test_an_idle_layer_changes_nothing(mixer: MixerConfig, norm: str) -> None:
    model = drawn(mixer, norm)
    for at in (None, 0, 1):
        deeper = with_idle_layer(model, at=at)
        assert len(deeper.config.layers) == 3
        assert difference(model, deeper) == 0


@pytest.mark.parametrize("mixer", RESIDUAL, ids=lambda mixer: mixer.kind)
def test_half_of_a_hybrid_may_rest(mixer: MixerConfig) -> None:
    hybrid = as_hybrid(drawn(mixer, "layer"), heads=2)
    assert isinstance(hybrid.config.layers[-1].mixer, AttentionConfig)
    assert difference(drawn(mixer, "layer"), hybrid) == 0
    with torch.no_grad():  # attention that does not rest is seen
        for name in ("query", "key", "value", "out"):
            awake = hybrid.get_parameter(f"layers.2.mixer.{name}")
            awake.copy_(torch.randn(awake.shape, generator=torch.Generator().manual_seed(2), dtype=awake.dtype))
    assert difference(drawn(mixer, "layer"), hybrid) > 1e-3
    named = with_idle_layer(sx.model("mamba2", vocabulary=4, targets=3, width=8, layers=1).double(), AttentionConfig(1, 8, 8))
    assert len(named.config.layers) == 2


@pytest.mark.parametrize("mixer", RESIDUAL[:3], ids=lambda mixer: mixer.kind)
def test_an_idle_head_changes_nothing(mixer: MixerConfig) -> None:
    model = drawn(mixer, "rms")
    more = with_idle_head(model, layer=1)
    assert (model.config.layers[1].mixer.heads, more.config.layers[1].mixer.heads) == (2, 3)  # type: ignore[union-attr]
    assert difference(model, more) < 1e-13


@pytest.mark.parametrize("mixer", RESIDUAL, ids=lambda mixer: mixer.kind)
def test_a_wider_stream_holds_the_same_model(mixer: MixerConfig) -> None:
    assert difference(drawn(mixer), wider(drawn(mixer), 9)) < 1e-12
    for norm in ("layer", "rms"):
        assert difference(drawn(mixer, norm), wider(drawn(mixer, norm), 18)) < 1e-12


def test_zeros_beside_a_normed_stream_are_not_the_same_model() -> None:
    """Mean and mean square change: the map of a stream without norms, done by hand, is far off."""
    model = drawn(RESIDUAL[0], "layer", layers=1)
    with pytest.raises(BadInput, match=r"^norms see every number of the stream: expected a multiple of the width 6, found 9$"):
        wider(model, 9)
    twice = wider(model, 12)
    with torch.no_grad():
        twice.embedding.table[:, 6:] = 0
    assert difference(model, twice) > 1e-2


def test_deltanet_is_a_gated_deltanet() -> None:
    model = drawn(RESIDUAL[3])
    gated = deltanet_as_gated_deltanet(model)
    assert {layer.mixer.kind for layer in gated.config.layers if layer.mixer} == {"gated-deltanet"}
    assert difference(model, gated) < 1e-11
    with torch.no_grad():
        gated.get_parameter("layers.0.mixer.decay").fill_(-3.0)  # now something fades
    assert difference(model, gated) > 1e-3


def test_a_linear_recurrence_is_one_of_relus() -> None:
    assert difference(drawn(RESIDUAL[5]), linear_rnn_as_relu_rnn(drawn(RESIDUAL[5]))) < 1e-12


def test_a_linear_recurrence_is_a_sum_of_waves_up_to_a_length() -> None:
    """On random weights, and on every linear RNN that is built, whose answers stay those of the oracle."""
    model = drawn(RESIDUAL[5])
    waves = linear_rnn_as_dss(model, LENGTH)
    assert {layer.mixer.kind for layer in waves.config.layers if layer.mixer} == {"dss"}
    assert difference(model, waves) < 1e-11
    assert difference(model, linear_rnn_as_dss(model, LENGTH // 2)) > 1e-3  # what lies further back comes round again
    with pytest.raises(BadInput, match=r"^expected layers of linear-rnn without norms, and an embedding of tokens alone$"):
        linear_rnn_as_dss(drawn(RESIDUAL[5], "layer"), LENGTH)


LINES = [
    one.name
    for one in constructions()
    if one.name.endswith("/linear-rnn") and one.mode is Mode.ALONE and one.settings["arithmetic"].default == "float64"  # waves do not clamp
]


@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
@pytest.mark.parametrize("name", LINES)
def test_what_a_linear_recurrence_is_built_for_dss_does(name: str, arithmetic: str) -> None:
    tiny = {"mqar": 4, "associative-recall": 2}.get(name.partition("/")[0], 6)
    for length in (tiny, 16):
        built = build(name, length=length, arithmetic=arithmetic, **({"symbols": 2} if name.startswith(("copy", "index")) else {}))
        mapped = replace(built, program=replace(built.program, model=linear_rnn_as_dss(built.model, built.task.token_count)))
        assert all_right(mapped, 10)
        assert length != tiny or every_input_right(mapped)


def test_an_elman_network_is_a_gru() -> None:
    model = drawn(ElmanConfig(), residual=False)
    assert difference(model, elman_as_gru(model)) < 1e-13
    with pytest.raises(BadInput, match=r"^expected Elman networks alone$"):
        elman_as_gru(drawn(GruConfig(), residual=False))


def test_an_elman_network_is_not_an_lstm_of_its_width() -> None:
    """After one token an LSTM shows o tanh(i tanh(u)), at most tanh(1) whatever its weights; an Elman network shows nearly 1."""
    models = [drawn(mixer, residual=False, layers=1) for mixer in (ElmanConfig(), LstmConfig())]
    with torch.no_grad():
        for model in models:
            for parameter in model.layers[0].parameters():
                parameter.mul_(1000)
        elman, lstm = (float(model.hidden(TOKENS[:, :1], None).abs().max()) for model in models)
    assert lstm <= math.tanh(1) < 0.9999 < elman


def test_causal_attention_is_a_window_or_a_block_as_long_as_the_input() -> None:
    model = drawn(AttentionConfig(2, 3, 2))
    assert difference(model, causal_as_window(model, 13)) == 0
    assert difference(model, causal_as_block_sparse(model, 13)) < 1e-13
    assert difference(model, causal_as_window(model, 12)) > 1e-6  # one token less is seen by the last one
    with pytest.raises(BadInput, match=r"^expected layers of causal attention alone$"):
        causal_as_window(drawn(AttentionConfig(2, 3, 2, mask=Window(3))), 13)


def test_retention_does_not_take_a_head_before_the_others() -> None:
    """A head fades at the rate of its number, so the same weights one head later fade more slowly; what never fades has no place."""
    model, later = drawn(RetNetConfig(1, 4, 3), layers=1), drawn(RetNetConfig(2, 4, 3), layers=1)
    old = model.state_dict()
    with torch.no_grad():
        for name, parameter in later.named_parameters():
            if old[name].shape == parameter.shape:
                parameter.copy_(old[name])
                continue
            parameter.zero_()
            part = parameter[:, old[name].shape[1] :] if name.endswith(".out") else parameter[old[name].shape[0] :]
            part.copy_(old[name])
    assert difference(model, later) > 1e-5


def test_what_has_no_residual_connection_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^an idle layer needs residual connections"):
        with_idle_layer(drawn(ElmanConfig(), residual=False))
    with pytest.raises(BadInput, match=r"^a bare cell is as wide as its state"):
        wider(drawn(ElmanConfig(), residual=False), 8)
    with pytest.raises(BadInput, match=r"^an idle head needs heads side by side"):
        with_idle_head(drawn(RESIDUAL[5]))


def test_every_inclusion_has_a_name() -> None:
    assert len(INCLUSIONS) == 10
