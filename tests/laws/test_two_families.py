"""For as long as both stand: the old classes and the one model family give the same numbers, bit for bit. Goes with the old family."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
import torch
from safetensors.torch import load, save

from separatrix.constructions import build
from separatrix.constructions.quick import QUICK
from separatrix.models import make_model
from separatrix.models.model import Model
from separatrix.models.saved import describe, restore, weights_bytes
from separatrix.models.transformer import Transformer


def moved(description: dict[str, Any], weights: bytes) -> tuple[dict[str, Any], bytes]:
    """A description and weights of the old classes in the one family."""
    old, tensors = json.loads(json.dumps(description["config"])), load(weights)
    if description["class"] == "register-file":
        return moved_registers(old, tensors)
    stack = description["class"] == "stack"
    layers: list[dict[str, Any]] = []
    names: dict[str, str] = {"unembedding": "readout.weight", "unembedding_bias": "readout.bias"}
    names |= {"unembedding.weight": "readout.weight", "unembedding.bias": "readout.bias"}
    names |= {f"final_norm.{part}": f"readout.norm.{part}" for part in ("weight", "bias")}
    if stack:
        for mixer in old["mixers"]:
            hidden = old["hidden"]
            heads = {
                "kind": "attention", "heads": old["heads"], "key_width": old["width"] // old["heads"], "value_width": old["width"] // old["heads"],
                "scores": "softmax", "mask": {"kind": "causal"}, "scaled": True, "bias": True, "rotary": False,
            }  # fmt: skip
            layers.append({
                "mixer": heads if mixer == "attention" else {"kind": mixer},
                "feedforward": {"hidden": hidden, "activation": "gelu", "bias": True} if hidden else None,
                "residual": old["residual"], "norm": "layer" if old["residual"] else "none",
            })  # fmt: skip
        norm = "layer" if old["residual"] else "none"
    else:
        for layer in old["layers"]:
            heads = {
                "kind": "attention", "heads": layer["heads"], "key_width": layer["key_width"], "value_width": layer["value_width"],
                "scores": layer["attention"], "mask": {"kind": "causal" if old["causal"] else "all"}, "scaled": old["scaled"],
                "bias": old["attention_bias"], "rotary": old["rotary"],
            }  # fmt: skip
            layers.append({
                "mixer": {"kind": "linear-rnn", "state": layer["state"]} if layer["state"] else heads,
                "feedforward": {"hidden": layer["hidden"], "activation": old["activation"], "bias": old["feedforward_bias"]} if layer["hidden"] else None,
                "residual": old["residual"], "norm": old["norm"],
            })  # fmt: skip
        norm = old["norm"]
    document = {
        "embedding": {**old["embedding"], "reads": "tokens"},
        "layers": layers,
        "readout": {"targets": old["targets"], "norm": norm, "bias": True},
        "width": old["width"], "arithmetic": old.get("arithmetic", "float32"), "length": old.get("length", 0),
    }  # fmt: skip

    def name(key: str) -> str:
        key = names.get(key, key).replace("blocks.", "layers.").replace(".mixer.heads.", ".mixer.")
        return key.replace(".attention.", ".mixer.").replace(".unit.", ".mixer.").replace("before_attention", "before_mixing")

    return document, save({name(key): tensor for key, tensor in tensors.items()})


def moved_registers(old: dict[str, Any], tensors: dict[str, torch.Tensor]) -> tuple[dict[str, Any], bytes]:
    rows, numbers = old["plain"] + (old["numbers"] > 0), old["numbers"]
    width = max(rows + numbers, old["registers"])
    address = {"address": "one-hot", "dims": numbers, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    document = {
        "embedding": {
            "reads": "tokens", "plain": old["plain"], "numbers": numbers, "number_address": address if numbers else None,
            "places": [], "gated": False,
        },
        "layers": [{
            "mixer": {"kind": "register-file", **{key: old[key] for key in ("registers", "scratch", "writes", "numbers", "length")}, "rows": rows},
            "feedforward": None, "residual": False, "norm": "none",
        }],
        "readout": {"targets": old["targets"], "norm": "none", "bias": True},
        "width": width, "arithmetic": old["arithmetic"], "length": old["length"],
    }  # fmt: skip
    weight = torch.zeros(old["targets"], width)
    weight[:, : old["registers"]] = tensors["unembedding"]
    new = {f"layers.0.mixer.{key}": tensors[key] for key in ("write", "read", "number_read", "gates") if key in tensors}
    new |= {"embedding.table": torch.eye(rows, width), "readout.weight": weight, "readout.bias": tensors["unembedding_bias"]}
    if numbers:
        new["embedding.number.weight"] = torch.eye(rows + numbers, width)[rows:].contiguous()
    return document, save(new)


@cache
def built(index: int) -> Any:
    return build(QUICK[index][0], **QUICK[index][1])


@pytest.mark.parametrize("index", range(len(QUICK)))
def test_every_construction_says_the_same_in_both(index: int) -> None:
    old = built(index)
    new = restore(*moved(describe(old.model), weights_bytes(old.model)))
    assert isinstance(new, Model)
    batch = old.task.sample(3, 4)
    keep = batch.lengths == batch.lengths[0]
    tokens = torch.from_numpy(batch.tokens[keep, : batch.lengths[0]])
    with torch.no_grad():
        assert torch.equal(new(tokens, at=-1), old.model(tokens, at=-1))
        if old.task.length <= 1000:
            assert torch.equal(new(tokens), old.model(tokens))
        steps = (
            isinstance(old.model, Transformer) and old.task.length <= 128 and (old.model.config.causal or len(old.model.config.layers) == 1)
        )
        if steps or (not isinstance(old.model, Transformer) and old.task.length < 50):
            one, other = old.model.initial_state(len(tokens)), new.initial_state(len(tokens))
            for t in range(tokens.shape[1]):
                one, said = old.model.step(one, tokens[:, t])
                other, again = new.step(other, tokens[:, t])
                assert torch.equal(said, again)
            assert new.state_bits(7) == old.model.state_bits(7)


TRAINED = {
    "learned": ("transformer", {"layers": 2, "heads": 2, "length": 16, "width": 8}),
    "sinusoidal": ("transformer", {"layers": 2, "positions": "sinusoidal", "width": 8, "heads": 2}),
    "rotary llama": ("transformer", {"layers": 2, "positions": "rotary", "block": "llama", "width": 8, "heads": 2}),
    "no mask": ("transformer", {"layers": 1, "causal": False, "width": 8, "heads": 2}),
    "lstm": ("lstm", {"layers": 2, "width": 6}),
    "gru": ("gru", {"layers": 2, "width": 6}),
    "elman": ("elman", {"layers": 2, "width": 6}),
    "stack": ("stack", {"mixers": ("attention", "lstm", "gru", "elman", "attention"), "width": 8, "heads": 2, "length": 16}),
    "no feed-forward": ("stack", {"mixers": ("attention", "lstm"), "width": 8, "heads": 2, "feedforward": False, "positions": "none"}),
}


@pytest.mark.parametrize("case", TRAINED)
def test_every_trained_model_says_the_same_in_both(case: str) -> None:
    name, chosen = TRAINED[case]
    old = make_model(name, vocabulary=7, targets=5, **chosen)
    new = restore(*moved(describe(old), weights_bytes(old)))
    tokens = torch.randint(0, 7, (3, 11), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        for at in (None, -1, torch.tensor([0, 5, 10])):
            assert torch.equal(new(tokens, at=at), old(tokens, at=at))
        if case != "no mask":
            one, other = old.initial_state(3), new.initial_state(3)
            for t in range(11):
                one, said = old.step(one, tokens[:, t])
                other, again = new.step(other, tokens[:, t])
                assert torch.equal(said, again)
    assert new.state_bits(9, "float16") == old.state_bits(9, "float16")
