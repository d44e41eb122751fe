"""Chains that a model writes: token by token through its state, until they end or reach their limit."""

from __future__ import annotations

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.decoders.decoder import Chain
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.decoders.rounding import Rounding
from separatrix.models.masks import All
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.model import Model
from separatrix.models.transformer import transformer

STOP = 4


def counting_down(number_format: str = "float64") -> Model:
    """Reads ids 0 .. 4 and says the id below, 4 after 0: `3` -> 2 1 0 4. The logit of i at id s is 2 i d - i^2 with d = s - 1 mod 5."""
    config = ModelConfig(EmbeddingConfig(5), (LayerConfig(LinearRnnConfig(1), residual=True),), ReadoutConfig(5), 1, number_format, 20)
    model = Model(config).double()
    with torch.no_grad():
        model.embedding.table[:, 0] = torch.tensor([4.0, 0.0, 1.0, 2.0, 3.0])
        model.readout.weight[:, 0] = 2 * torch.arange(5)
        model.readout.bias.copy_(-(torch.arange(5.0) ** 2))  # type: ignore[union-attr]
    return model


def countdown_vectors(number_format: str = "float64") -> Model:
    """(a, b) -> (a - 1, b - 1 where b is read with weight 0.4): the read-out is rounded, so b' = round(0.4 b)."""
    embedding = EmbeddingConfig(2, reads="vectors")
    config = ModelConfig(embedding, (LayerConfig(LinearRnnConfig(1), residual=True),), ReadoutConfig(2), 2, number_format, 20)
    model = Model(config).double()
    with torch.no_grad():
        model.embedding.table.copy_(torch.eye(2))
        model.readout.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 0.375]]))
        model.readout.bias.copy_(torch.tensor([-1.0, 0.0]))  # type: ignore[union-attr]
    return model


@pytest.mark.parametrize("number_format", ["float64", "fixed:12,2"])
def test_a_greedy_chain_ends_with_its_stop_token(number_format: str) -> None:
    chains = Greedy(STOP, 10).chains(counting_down(number_format), [[3], [0, 1, 2], [1], [0]])
    assert chains == [Chain((2, 1, 0, 4), True), Chain((1, 0, 4), True), Chain((0, 4), True), Chain((4,), True)]


def test_a_limit_cuts_a_chain_that_does_not_end() -> None:
    assert Greedy(STOP, 2).chains(counting_down(), [[3], [1]]) == [Chain((2, 1), False), Chain((0, 4), True)]
    assert Greedy(STOP, 1).chains(counting_down(), [[3]]) == [Chain((2,), False)]


def test_the_last_token_of_a_limit_is_not_read_again() -> None:
    """Five tokens of prompt and three more that are read: the model stores eight positions, and the fourth token is only said."""
    model = transformer(6, 5, width=8, length=8)
    with torch.no_grad():
        model.readout.bias[4] = -100.0  # type: ignore[index]  # it never stops
    (chain,) = Greedy(4, 4).chains(model, [[0, 1, 2, 3, 0]])
    assert (len(chain.tokens), chain.ended) == (4, False)
    with pytest.raises(BadInput, match="position 9 lies beyond the 8 positions"):
        Greedy(4, 5).chains(model, [[0, 1, 2, 3, 0]])


def test_what_is_written_is_what_one_pass_over_it_predicts() -> None:
    """By induction on the tokens: at each step the model has read exactly that prefix."""
    model = transformer(6, 6, width=16, layers=2, length=30, deviation=0.7, seed=8).double().eval()
    prompts = torch.randint(0, 6, (12, 5), generator=torch.Generator().manual_seed(0)).tolist()
    chains = Greedy(5, 20).chains(model, prompts)
    assert {chain.ended for chain in chains} == {True, False}  # both were met
    assert len({len(chain.tokens) for chain in chains}) > 3
    for prompt, chain in zip(prompts, chains, strict=True):
        row = torch.tensor([[*prompt, *chain.tokens[:-1]]])
        with torch.no_grad():
            predicted = model(row)[0, len(prompt) - 1 :].argmax(dim=-1).tolist()
        assert tuple(predicted) == chain.tokens
        assert chain.ended == (chain.tokens[-1] == 5)
        assert 5 not in chain.tokens[:-1]


@pytest.mark.parametrize("number_format", ["float64", "fixed:12,4"])
def test_a_rounded_chain_ends_with_the_zero_vector(number_format: str) -> None:
    """0.375 * 5 = 1.875 -> 2, 0.75 -> 1, 0.375 -> 0; the other coordinate counts down."""
    chains = Rounding(10).chains(countdown_vectors(number_format), [[(4, 5)], [(0, 0), (1, 1)]])
    assert chains[0] == Chain(((3, 2), (2, 1), (1, 0), (0, 0)), True)
    assert chains[1] == Chain(((0, 0),), True)  # a zero vector in the prompt ends nothing
    assert Rounding(3).chains(countdown_vectors(), [[(4, 5)]]) == [Chain(((3, 2), (2, 1), (1, 0)), False)]


def test_programs_that_cannot_write_are_refused() -> None:
    config = counting_down().config
    for decoder, says in (
        (Greedy(5, 10), r"^greedy: a chain needs a stop token among the targets 0\.\.4, found 5$"),
        (Greedy(-1, 10), r"^greedy: a chain needs a stop token among the targets 0\.\.4, found -1$"),
        (Greedy(STOP, 0), "^greedy: the limit of a chain must be at least 1, found 0$"),
        (Rounding(0), "^rounding: the limit of a chain must be at least 1, found 0$"),
        (Rounding(3), "^rounding: the read-out must be an input vector of the model, found 5 targets and an embedding of 5 tokens$"),
    ):
        with pytest.raises(BadInput, match=says):
            decoder.refuse(config)  # type: ignore[attr-defined]
    with pytest.raises(BadInput, match=r"^greedy: every target must be an input token, found 6 targets and 5 tokens$"):
        Greedy(1, 3).refuse(transformer(5, 6, width=4).config)
    with pytest.raises(BadInput, match=r"^greedy: every target must be an input token"):
        Greedy(1, 3).refuse(countdown_vectors().config)


def test_a_model_without_mask_writes_nothing() -> None:
    layer = LayerConfig(AttentionConfig(1, 1, 1, mask=All()))
    with pytest.raises(BadInput, match=r"^a model without a causal mask cannot write a chain"):
        Greedy(1, 3).chains(Model(ModelConfig(EmbeddingConfig(2), (layer,), ReadoutConfig(2), 1)), [[0]])
    with pytest.raises(BadInput, match=r"^a chain follows a prompt: expected at least one token, found none$"):
        Greedy(1, 3).chains(counting_down(), [[]])


def test_numbers_that_are_no_integers_of_float64_are_refused() -> None:
    for wrong in (float("inf"), float("nan"), 1e300):
        with pytest.raises(BadInput, match=r"^rounding: the read-out is not a vector of integers that float64 holds exactly$"):
            Rounding(3).following(torch.tensor([[1.0, wrong]]))
