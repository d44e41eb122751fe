from __future__ import annotations

import pytest

from separatrix.errors import BadInput
from separatrix.models import make_model, model_for
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.model import Model
from separatrix.models.model_names import configuration


def kinds(model: object) -> list[str]:
    assert isinstance(model, Model)
    return [layer.mixer.kind for layer in model.config.layers if layer.mixer is not None]


@pytest.mark.parametrize(
    ("name", "architecture", "parameters"),
    [
        ("lstm-3-256", "lstm", {"layers": 3, "width": 256}),
        ("mamba2-4-64", "mamba2", {"layers": 4, "width": 64}),
        ("block-sparse-2-64", "block-sparse", {"layers": 2, "width": 64}),
        ("lintf-6-256", "linear-attention", {"layers": 6, "width": 256}),
        ("gated-deltanet-2-64", "gated-deltanet", {"layers": 2, "width": 64}),
        ("hybrid-mamba-14-128+1", "stack", {"mixers": ("mamba",) * 14 + ("attention",), "width": 128, "feedforward": None}),
        ("hybrid-mamba2-2-64+2", "stack", {"mixers": ("mamba2", "mamba2", "attention", "attention"), "width": 64, "feedforward": None}),
        ("mamba2", "mamba2", {}),
    ],
)
def test_a_name_tells_architecture_layers_and_width(name: str, architecture: str, parameters: dict[str, object]) -> None:
    assert configuration(name, {}) == (architecture, parameters)


def test_what_is_chosen_stands_beside_the_name() -> None:
    assert configuration("tf-1-64", {"heads": 2}) == ("transformer", {"layers": 1, "width": 64, "heads": 2})
    assert configuration("gru", {"width": 8}) == ("gru", {"width": 8})
    assert configuration("hybrid-gru-1-8+1", {"feedforward": True})[1]["feedforward"] is True


def test_models_are_made_by_such_names() -> None:
    tf, lstm = make_model("tf-2-16", vocabulary=5, targets=3), make_model("lstm-3-16", vocabulary=5, targets=3)
    assert isinstance(tf, Model)
    assert (kinds(tf), tf.config.width) == (["attention"] * 2, 16)
    assert kinds(lstm) == ["lstm"] * 3
    assert kinds(make_model("linear-rnn-2-16", vocabulary=5, targets=3)) == ["linear-rnn"] * 2


def test_a_hybrid_has_attention_above_its_mixer() -> None:
    model = make_model("hybrid-gru-2-16+1", vocabulary=5, targets=3, heads=2)
    assert isinstance(model, Model)
    assert kinds(model) == ["gru", "gru", "attention"]
    assert [layer.feedforward is not None for layer in model.config.layers] == [False, False, True]  # as is usual for each


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("lstn-1-64", r"unknown model 'lstn'; did you mean 'lstm'\? expected one of attention, .*, gru, .*transformer"),
        ("hybrid-lstn-2-16+1", r"unknown mixer 'lstn'; did you mean 'lstm'\? expected one of attention, "),
        ("stm2-4-64", r"unknown model 'stm2'; did you mean 'lstm'\? expected one of"),
    ],
)
def test_an_unknown_architecture_is_refused(name: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make_model(name, vocabulary=5, targets=3)


def test_a_model_takes_the_sizes_that_its_architecture_knows() -> None:
    sizes = {"vocabulary": 13, "targets": 4, "length": 10, "seed": 3}
    model = model_for("tf-1-64", sizes, {"heads": "2"})
    assert isinstance(model, Model)
    assert (model.config.embedding.vocabulary, model.config.readout.targets, model.config.length) == (13, 4, 10)
    assert isinstance(model.config.layers[0].mixer, AttentionConfig)
    assert model.config.layers[0].mixer.heads == 2
    lstm = model_for("lstm-1-8", sizes, {})
    assert isinstance(lstm, Model)
    assert lstm.config.length == 0  # it has none
    with pytest.raises(BadInput, match="model lstm-1-8 has no parameter 'heads'"):
        model_for("lstm-1-8", sizes, {"heads": 2})
