"""Chains of linear recurrent networks by the compiled kernel, beside the decoder's own loop over the model's steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.decoders.decoder import ChainDecoder
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.fast import linear_chain
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.model import Model

WIDTH, WORDS = 7, 5


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel for chains of any length."""
    monkeypatch.setattr(linear_chain, "WORTH", 0)


def drawn(seed: int, **changes: Any) -> Model:
    """A sparse random model of one to three layers, whose states neither die nor explode."""
    rng = np.random.default_rng(seed)
    layers = []
    for _ in range(int(rng.integers(1, 4))):
        mixer = LinearRnnConfig(int(rng.integers(1, 6))) if rng.random() < 0.8 else None
        activation = str(rng.choice(["relu", "reglu"]))
        hidden = (
            FeedForwardConfig(int(rng.integers(2, 9)), activation, bool(rng.random() < 0.5))
            if mixer is None or rng.random() < 0.7
            else None
        )
        layers.append(LayerConfig(mixer, hidden, bool(rng.random() < 0.6), "none"))
    embedding = EmbeddingConfig(plain=WORDS, numbers=0, number_address=None, places=(), gated=False, reads="tokens")
    config = ModelConfig(
        **{"arithmetic": "float64", "length": 64, "width": WIDTH, "embedding": embedding, "layers": tuple(layers),
           "readout": ReadoutConfig(WORDS, "none", bool(rng.random() < 0.5)), **changes}
    )  # fmt: skip
    model = Model(config).to(torch.float64)
    with torch.no_grad():
        for parameter in model.parameters():
            values = rng.standard_normal(parameter.shape) * (rng.random(parameter.shape) < 0.2)
            parameter.copy_(torch.as_tensor(values))
        for layer in model.each_layer():
            if layer.mixer is not None:
                layer.mixer.transition.clamp_(-0.9, 0.9)  # type: ignore[attr-defined]
        model.embedding.table.copy_(torch.as_tensor(rng.standard_normal((WORDS, WIDTH))))
    return model


@pytest.mark.usefixtures("always")
def test_the_kernel_writes_what_the_steps_of_the_model_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_chain, "SPARSE", 1.0)  # small models have few zeros
    varied = 0
    for seed in range(60):
        model, decoder = drawn(seed), Greedy(stop=0, limit=24)
        prompts = np.random.default_rng(seed).integers(0, WORDS, (3, 1 + seed % 6)).tolist()
        assert linear_chain.writer(model, 1) is not None
        fast, slow = decoder.chains(model, prompts), ChainDecoder.chains(decoder, model, prompts)
        assert fast == slow, seed
        varied += len({token for chain in fast for token in chain.tokens}) > 2
    assert varied >= 10  # else the models say the same whatever they read


@pytest.mark.usefixtures("always")
def test_a_turing_machine_is_run_by_the_kernel_token_by_token() -> None:
    built = build("turing-machine/linear-rnn", length=6)
    assert linear_chain.writer(built.model, 1) is not None
    prompts = [built.task.sample(0, 8).row(r) for r in range(8)]
    for prompt in prompts:
        assert built.generate(prompt) == built.task.chain(prompt)


@pytest.mark.usefixtures("always")
def test_bad_tokens_and_empty_prompts_are_refused_as_ever() -> None:
    model, decoder = build("turing-machine/linear-rnn", length=2).model, Greedy(stop=0, limit=8)
    with pytest.raises(BadInput, match="outside the vocabulary"):
        decoder.chains(model, [[0, 999]])
    with pytest.raises(BadInput, match="at least one token"):
        decoder.chains(model, [[]])


@pytest.mark.usefixtures("always")
def test_other_models_keep_their_own_steps() -> None:
    assert linear_chain.writer(build("is-tree/transformer", length=4).model, 1) is None  # attention
    assert linear_chain.writer(build("turing-machine/linear-rnn", length=2, arithmetic="float32").model, 1) is None
    dense = drawn(1)
    with torch.no_grad():
        for parameter in dense.parameters():
            parameter.fill_(0.1)
    assert linear_chain.writer(dense, 1) is None


def test_short_chains_do_not_wait_for_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_chain, "KERNELS", "not.loaded.yet")
    assert linear_chain.writer(build("turing-machine/linear-rnn", length=2).model, linear_chain.WORTH - 1) is None
