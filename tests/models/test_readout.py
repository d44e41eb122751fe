"""A read-out that is tied to the embedding: three forward passes agree on it, and a description that mistakes it is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch

from recheck.network import Network
from recheck.reading import parse_safetensors as read_tensors
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import parse_safetensors
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.description import read_model
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.saved import describe, weights_bytes

FORMATS = ["float64", "nearest:41"]


@pytest.mark.parametrize("arithmetic", FORMATS)
def test_the_logit_of_a_token_is_its_embedding_times_the_stream(arithmetic: str) -> None:
    built = build("index/transformer", length=5, arithmetic=arithmetic)
    model, tokens = built.model, torch.tensor([built.task.sample(1, 1).row(0)])
    x = model.numbers.leave(model.hidden(tokens, None))[0, -1]
    slots = {slot.name: x[slot.start : slot.start + slot.width].tolist() for slot in built.layouts[-1].slots}
    number, square = slots["number"]
    expected = [word + slots["one"][0] for word in slots["word"]] + [number * i + square * i * i + slots["one"][0] for i in range(1, 6)]
    assert model(tokens)[0, -1].tolist() == expected
    assert "readout.weight" not in model.state_dict()


@pytest.mark.parametrize("arithmetic", FORMATS)
def test_both_checkers_read_it_out_as_the_model_does(arithmetic: str) -> None:
    built = build("recall-next/transformer", length=5, arithmetic=arithmetic)
    tokens = built.task.sample(3, 1).row(0)
    own = built.model(torch.tensor([tokens]))[0, -1].detach()
    description, weights = describe(built.model), weights_bytes(built.model)
    ops = numbers(arithmetic)
    first = Model(read_description(description), parse_safetensors(weights), ops).logits(np.array(tokens), [len(tokens) - 1])
    scale = 1 if ops.scale is None else ops.scale
    low, high = (np.asarray(end, dtype=np.float64)[0] / scale for end in (first.low, first.high))
    assert (low <= own.numpy()).all()
    assert (own.numpy() <= high).all()
    assert (high - low).max() <= (0 if ops.exact else 1e-12)
    second = Network(description, read_tensors(weights)).logits(tokens, [len(tokens) - 1])[len(tokens) - 1]
    assert [float(y.mid() if hasattr(y, "mid") else y / scale) for y in second] == own.tolist()


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"tied": False}, "readout: tied is true without a bias"),
    ({"bias": True}, "readout: tied is true without a bias"),
    ({"targets": 8}, "readout: tied is true without a bias and with 9 targets"),
    ({"tied": 1}, "readout.tied: expected bool, found int"),
]


@pytest.mark.parametrize(("change", "why"), CHANGES)
def test_a_description_that_mistakes_it_is_refused(change: dict[str, Any], why: str) -> None:
    built = build("index/transformer", length=8)
    document = json.loads(json.dumps(describe(built.model)))
    assert document["readout"] == {"targets": 9, "norm": "none", "bias": False, "tied": True}
    read_description(document)
    document["readout"] |= change
    with pytest.raises(Refused, match=why):
        read_description(document)
    with pytest.raises(BadInput):
        read_model(document)


def test_embeddings_that_float64_may_round_are_not_a_read_out() -> None:
    built = build("index/transformer", length=8)
    description, tensors = read_description(describe(built.model)), parse_safetensors(weights_bytes(built.model))
    Model(description, tensors, numbers("float64"))
    for name, value in (("embedding.table", 0.5), ("embedding.number.weight", 0.25), ("embedding.number.weight", 2.0**50)):
        changed = {**tensors, name: tensors[name].copy()}
        changed[name][0, 0] = value
        with pytest.raises(Refused, match="integer embeddings below 2\\^53"):
            Model(description, changed, numbers("float64"))


def test_a_changed_embedding_changes_the_read_out() -> None:
    model = build("index/transformer", length=8).model
    before = model.readout.weight.clone()
    with torch.no_grad():
        model.embedding.table[0, 0] += 1
        assert model.readout.weight[0, 0] == before[0, 0] + 1


def test_a_configuration_that_cannot_be_tied_is_refused() -> None:
    layers = (LayerConfig(AttentionConfig(1, 1, 1)),)
    with pytest.raises(BadInput, match="has no bias"):
        ReadoutConfig(4, tied=True)
    with pytest.raises(BadInput, match="a target for each of 4 tokens that are read, found 3"):
        ModelConfig(EmbeddingConfig(4), layers, ReadoutConfig(3, bias=False, tied=True), 2)
