"""Chains of sparse models by the compiled kernel, beside the decoder's own loop over the model's steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.decoders.decoder import ChainDecoder
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.decoders.retrieval import Retrieval
from separatrix.models.decoders.rounding import Rounding
from separatrix.models.fast import sparse_chain
from separatrix.models.masks import BlockSparse, Causal, Window
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_attention import LinearAttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnn, LinearRnnConfig
from separatrix.models.model import Model

WIDTH, WORDS = 7, 5


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel for chains of any length."""
    monkeypatch.setattr(sparse_chain, "WORTH", 0)


def drawn(seed: int, reads: str = "tokens", **changes: Any) -> Model:
    """A sparse random model of one to three layers, whose states neither die nor explode."""
    rng = np.random.default_rng(seed)
    layers = []
    for _ in range(int(rng.integers(1, 4))):
        drawn_mixer = rng.random()
        mixer = LinearRnnConfig(int(rng.integers(1, 6))) if drawn_mixer < 0.4 else heads(rng) if drawn_mixer < 0.8 else None
        activation = str(rng.choice(["relu", "reglu", "gelu"]))
        hidden = (
            FeedForwardConfig(int(rng.integers(2, 9)), activation, bool(rng.random() < 0.5))
            if mixer is None or rng.random() < 0.7
            else None
        )
        layers.append(LayerConfig(mixer, hidden, bool(rng.random() < 0.6), "none"))
    words, tied = reads == "tokens", bool(rng.random() < 0.4)
    numbers = 3 if words and rng.random() < 0.4 else 0
    place = PlaceConfig("sinusoidal", dims=4)
    embedding = EmbeddingConfig(
        plain=WORDS, numbers=numbers, number_address=place if numbers else None,
        places=(place, PlaceConfig("sinusoidal", dims=2, shift=1, fold=3))[: int(rng.integers(0, 3))],
        gated=words and bool(rng.random() < 0.5), reads=reads,
    )  # fmt: skip
    tied = words and tied
    readout = ReadoutConfig(WORDS + numbers, "none", bool(rng.random() < 0.5) and not tied, tied)
    config = ModelConfig(
        **{"arithmetic": "float64", "length": 64, "width": WIDTH, "embedding": embedding, "layers": tuple(layers),
           "readout": readout, **changes}
    )  # fmt: skip
    model = Model(config).to(torch.float64)
    with torch.no_grad():
        for parameter in model.parameters():
            values = rng.standard_normal(parameter.shape) * (rng.random(parameter.shape) < 0.2)
            parameter.copy_(torch.as_tensor(values))
        for layer in model.each_layer():
            if isinstance(layer.mixer, LinearRnn):
                layer.mixer.transition.clamp_(-0.9, 0.9)
        for weight in (model.embedding.table, model.embedding.gate, *(p.weight for p in model.embedding.every_place())):
            if weight is not None:
                weight.copy_(torch.as_tensor(rng.standard_normal(weight.shape)))
    return model


def heads(rng: np.random.Generator) -> AttentionConfig | LinearAttentionConfig:
    """Attention of any mask, with and without scaling and biases, or linear attention."""
    mask = (Causal(), Window(3), BlockSparse(3, 1, 1))[int(rng.integers(3))]
    number, keys, values = (int(size) for size in rng.integers(1, 4, 3))
    if rng.random() < 0.3:
        return LinearAttentionConfig(number, keys, values, bias=bool(rng.random() < 0.5))
    scores = "uniform" if rng.random() < 0.2 else "softmax"
    return AttentionConfig(number, keys, values, scores, mask, scaled=bool(rng.random() < 0.5), bias=bool(rng.random() < 0.5))


@pytest.mark.usefixtures("always")
def test_the_kernel_writes_what_the_steps_of_the_model_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse_chain, "SPARSE", 1.0)  # small models have few zeros
    monkeypatch.setattr(sparse_chain, "BLOCK", 7)  # a chain takes several calls of the kernel
    varied = 0
    for seed in range(120):
        model, decoder = drawn(seed), Greedy(stop=0, limit=24)
        prompts = np.random.default_rng(seed).integers(0, model.config.embedding.vocabulary, (3, 1 + seed % 11)).tolist()
        assert sparse_chain.writer(model, 1) is not None
        fast, slow = decoder.chains(model, prompts), ChainDecoder.chains(decoder, model, prompts)
        assert fast == slow, seed
        varied += len({token for chain in fast for token in chain.tokens}) > 2
    assert varied >= 20  # else the models say the same whatever they read


@pytest.mark.usefixtures("always")
def test_vectors_are_rounded_as_the_decoder_rounds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse_chain, "SPARSE", 1.0)
    varied = 0
    for seed in range(60):
        model, decoder = drawn(seed, "vectors"), Rounding(limit=12)
        prompts = np.random.default_rng(seed).integers(-2, 3, (2, 1 + seed % 5, WORDS)).tolist()
        try:
            slow = ChainDecoder.chains(decoder, model, prompts)
        except BadInput:
            continue  # it leaves the integers: the next test
        if any(abs(number) > 1e6 for chain in slow for vector in chain.tokens for number in vector):  # type: ignore[union-attr]
            continue  # the order of summation decides how such numbers are rounded
        assert decoder.chains(model, prompts) == slow, seed
        varied += len({vector for chain in slow for vector in chain.tokens}) > 4
    assert varied >= 10


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("factor", [1e18, float("nan")])
def test_what_is_no_vector_of_exact_integers_is_refused_as_ever(factor: float) -> None:
    built = build("reverse-sum/standard", length=4, arithmetic="float64")
    with torch.no_grad():
        built.model.readout.weight.mul_(factor)
    assert sparse_chain.writer(built.model, 1) is not None
    with pytest.raises(BadInput, match="not a vector of integers that float64 holds exactly"):
        built.generate(built.task.sample(0, 1).row(0))


@pytest.mark.usefixtures("always")
def test_vectors_that_are_not_integers_are_read_by_the_model_itself() -> None:
    built = build("reverse-sum/standard", length=4, arithmetic="float64")
    fast = sparse_chain.writer(built.model, 1)
    assert fast is not None
    plain = built.model.config.embedding.plain
    assert fast.round([[1] * plain], 2) is not None
    for prompt in ([[0.5] * plain], [[1] * (plain + 1)], [[1] * plain, [1]], []):
        assert fast.round(prompt, 2) is None  # type: ignore[arg-type]


@pytest.mark.usefixtures("always")
def test_positions_that_a_model_does_not_store_are_refused_only_where_it_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse_chain, "SPARSE", 1.0)
    place = PlaceConfig("table", dims=WIDTH, extent=6, projected=False)
    embedding = EmbeddingConfig(plain=WORDS, numbers=0, number_address=None, places=(place,), gated=False, reads="tokens")
    layer = LayerConfig(LinearRnnConfig(9), None, True, "none")
    model = drawn(1, embedding=embedding, layers=(layer,), readout=ReadoutConfig(WORDS, "none"))
    with torch.no_grad():
        model.readout.weight.zero_()  # it writes 0 whatever it reads
    assert sparse_chain.writer(model, 1) is not None
    assert Greedy(stop=0, limit=24).chains(model, [[1, 2]])[0].tokens == (0,)
    with pytest.raises(BadInput, match="beyond the 6 positions"):
        Greedy(stop=1, limit=24).chains(model, [[1, 2]])


@pytest.mark.usefixtures("always")
def test_searches_find_what_they_find_beside_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse_chain, "SPARSE", 1.0)
    searched = failed = 0
    for seed in range(150):
        model = drawn(seed)
        words = ("a", "FAILED", "(a)", "(b)", "(.)", "b", "c", "d")[: model.config.embedding.vocabulary]
        end = (0, 3, 4)[seed % 3]
        decoder = Retrieval(start=1, end=end, stop=end if seed % 5 == 0 else 2, limit=20, words=words)
        prompts = np.random.default_rng(seed).integers(0, len(words), (4, 4)).tolist()
        prompts = [[*prompt, 1, pattern] for prompt, pattern in zip(prompts, (2, 4, 0, 2), strict=True)]
        fast, slow = decoder.chains(model, prompts), ChainDecoder.chains(decoder, model, prompts)
        assert fast == slow, seed
        searched += sum(end in chain.tokens[:-1] for chain in fast)
        failed += sum(bool(chain.why) for chain in fast)
    assert min(searched, failed) >= 10, (searched, failed)


@pytest.mark.usefixtures("always")
def test_a_stop_token_that_a_search_finds_does_not_end_the_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse_chain, "SPARSE", 1.0)
    embedding = EmbeddingConfig(plain=WORDS, numbers=0, number_address=None, places=(), gated=False, reads="tokens")
    model = drawn(1, embedding=embedding, readout=ReadoutConfig(WORDS, "none"))
    with torch.no_grad():
        model.readout.weight.zero_()  # it writes 0, the end of a search, whatever it reads
    decoder = Retrieval(start=2, end=0, stop=1, limit=2, words=(")", "FAILED", "?", "(b)", "a"))
    (chain,) = decoder.chains(model, [[4, 2, 3]])  # b is not in the text
    assert chain.tokens == (0, 1)
    assert not chain.ended


PROGRAMS: list[tuple[str, dict[str, Any]]] = [
    *(("is-tree/transformer", {"length": n}) for n in (4, 9, 20)),
    *(("is-tree/hybrid", {"length": n}) for n in (4, 12)),
    *(("turing-machine/hybrid", {"length": n}) for n in (3, 8)),
    *(("lis/standard", {"length": n}) for n in (5, 9)),
    ("lis/sparse", {"length": 5}),
    ("lis/linear", {"length": 5}),
    *(("reverse-sum/standard", {"length": n}) for n in (4, 17)),
    ("edit-distance/standard", {"length": 4}),
    ("counting/retrieval", {"length": 16}),
]


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(("name", "chosen"), PROGRAMS, ids=str)
def test_a_program_writes_the_chain_of_its_module(name: str, chosen: dict[str, Any]) -> None:
    built = build(name, arithmetic="float64", **chosen)
    assert sparse_chain.writer(built.model, 1) is not None
    inputs = [built.task.cases(kind, 1, 2).row(r) for kind in built.task.case_kinds for r in range(2)]
    inputs = [tokens for tokens in inputs if built.task.answer(tokens) is not None][:4]
    decoder: Any = built.program.decoder
    for tokens in inputs:
        (own,) = ChainDecoder.chains(decoder, built.model, [built._prompt(tokens)])
        assert own.ended
        assert built.generate(tokens) == own.tokens
    assert inputs


@pytest.mark.usefixtures("always")
def test_a_changed_weight_is_read_again() -> None:
    built = build("is-tree/transformer", length=4, arithmetic="float64")
    tokens = built.task.sample(0, 1).row(0)
    chain = built.generate(tokens)
    with torch.no_grad():
        built.model.readout.words.table[0] += 1e6  # type: ignore[union-attr, index, operator]
    decoder: Any = built.program.decoder
    (fast,), (slow,) = decoder.chains(built.model, [tokens]), ChainDecoder.chains(decoder, built.model, [tokens])
    assert fast == slow
    assert fast.tokens != chain


@pytest.mark.usefixtures("always")
def test_a_turing_machine_is_run_by_the_kernel_token_by_token() -> None:
    built = build("turing-machine/linear-rnn", length=6)
    assert sparse_chain.writer(built.model, 1) is not None
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
def test_other_models_keep_their_own_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sparse_chain.writer(build("is-tree/transformer", length=4, arithmetic="nearest:59").model, 1) is None
    hard = LayerConfig(AttentionConfig(1, 2, 2, "hard"), None, True, "none")
    rotary = LayerConfig(AttentionConfig(1, 2, 2, rotary=True), None, True, "none")
    normed = LayerConfig(AttentionConfig(1, 2, 2), None, True, "layer")
    with monkeypatch.context() as patched:
        patched.setattr(sparse_chain, "SPARSE", 1.0)
        assert sparse_chain.writer(drawn(1, layers=(LayerConfig(AttentionConfig(1, 2, 2), None, True, "none"),)), 1) is not None
        for layer in (hard, rotary, normed):
            assert sparse_chain.writer(drawn(1, layers=(layer,)), 1) is None
    assert sparse_chain.writer(build("turing-machine/linear-rnn", length=2, arithmetic="float32").model, 1) is None
    dense = drawn(1)
    with torch.no_grad():
        for parameter in dense.parameters():
            parameter.fill_(0.1)
    assert sparse_chain.writer(dense, 1) is None


def test_short_chains_do_not_wait_for_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse_chain, "KERNELS", "not.loaded.yet")
    model = build("turing-machine/linear-rnn", length=2).model
    assert sparse_chain.writer(model, (sparse_chain.WORTH - 1) // len(model.layers)) is None
