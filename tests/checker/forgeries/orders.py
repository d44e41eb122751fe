"""Programs that are right as their formula is written, and wrong as torch computes it: a sum in another order, or a product.

All recognise 1*: a token that is not a 1 adds to what is read at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.checker.forgeries.documents import Document, program_document
from tests.checker.forgeries.ranges import DTYPES

WIDTH = 3  # a token is one of 0, 1 and the end


def biases_added_first(arithmetic: str, small: int, strength: str = "exhaustive") -> Document:
    """An LSTM that counts by tanh(W x + b + b'), b = 1 and b' = 2^small, with W x = -1 at a 0; what lets it write is shut elsewhere.

    torch adds the two biases before anything else in float32, where 1 + 2^small is 1.
    """
    first, gates = np.eye(1, WIDTH)[0], np.zeros((4, WIDTH, WIDTH))
    biases = np.zeros((2, 4, WIDTH))
    gates[0, 0], gates[2, 0] = 250 * first - 200, -first
    biases[0, 2, 0], biases[1, 2, 0], biases[0, [1, 3]] = 1, 2.0**small, 50
    tensors = {"weight_ih_l0": gates.reshape(-1, WIDTH), "weight_hh_l0": np.zeros((4 * WIDTH, WIDTH))}
    tensors |= {"bias_ih_l0": biases[0].reshape(-1), "bias_hh_l0": biases[1].reshape(-1)}
    cell = {f"kernel.{name}": tensor for name, tensor in tensors.items()}
    return _ones(arithmetic, {"kind": "lstm"}, cell, 2.0 ** (4 - small), strength=strength)


def values_added_first(arithmetic: str, exponent: int, N: int, scores: str = "softmax", strength: str = "exhaustive") -> Document:
    """Equal weights over values of 2^exponent, read twice and subtracted. torch adds up values before it divides by the sum of weights."""
    value = np.array([[2.0**exponent, 0, 0]] * 2)
    out = np.outer(np.eye(WIDTH)[0], [2.0 ** (1 - exponent), -(2.0**-exponent)])
    layer = {"query": np.zeros((2, WIDTH)), "key": np.zeros((2, WIDTH)), "value": value, "out": out}
    return _ones(arithmetic, _attention(scores, 2, 2), layer, 16, N, strength=strength)


def keys_multiplied_first(arithmetic: str, exponent: int, scaled: bool = True) -> Document:
    """A query of 4 or 8, and keys of 2^(exponent - 110). Where it scales, torch multiplies the query by K, 2^exponent, before tokens."""
    key, value = np.zeros((4, WIDTH)), np.zeros((4, WIDTH))
    key[0], value[0] = 2.0**exponent, np.eye(1, WIDTH)[0] * 2.0**110
    layer: dict[str, Any] = {"query": np.zeros((4, WIDTH)), "key": key, "value": value, "out": np.eye(WIDTH, 4)}
    layer |= {"query_bias": np.eye(1, 4)[0] * 8, "key_bias": np.zeros(4), "value_bias": np.zeros(4), "out_bias": np.zeros(WIDTH)}
    mixer = _attention("softmax", 4, 4) | {"scaled": scaled, "bias": True}
    return _ones(arithmetic, mixer, layer, 16, table=np.eye(WIDTH) * 2.0**-110)


def scores_of_one(arithmetic: str, exponent: int, state: int = 1, strength: str = "exhaustive") -> Document:
    """PD with one number in its state, so that its score, of 2^(2 exponent), is always the largest; torch takes its softmax, too."""
    first = np.eye(1, WIDTH)[0]
    layer = {"choice": np.full((1, WIDTH), 2.0**exponent), "tables": np.eye(state).reshape(1, -1) * 2.0**exponent}
    layer |= {"gate": np.zeros((state, WIDTH)), "gate_bias": np.ones(state), "initial": np.zeros(state)}
    layer |= {"drive": np.outer(np.ones(state), first), "out": np.eye(WIDTH, state)}
    return _ones(arithmetic, {"kind": "pd", "state": state, "tables": 1}, layer, 16, strength=strength)


def _attention(scores: str, key_width: int, value_width: int) -> Document:
    return {
        "kind": "attention", "scores": scores, "mask": {"kind": "causal"}, "heads": 1, "key_width": key_width, "value_width": value_width,
        "scaled": False, "bias": False, "rotary": False,
    }  # fmt: skip


def _ones(
    arithmetic: str, mixer: Document, layer: dict[str, Any], read: float, N: int = 3, table: Any = None, strength: str = "exhaustive"
) -> Document:
    """1* by one layer: its first number, times `read`, against 1."""
    model = {
        "arithmetic": arithmetic, "length": N + 1, "width": WIDTH, "readout": {"targets": 2, "norm": "none", "bias": True},
        "embedding": {"reads": "tokens", "plain": 3, "numbers": 0, "number_address": None, "places": [], "gated": False},
        "layers": [{"mixer": mixer, "feedforward": None, "residual": False, "norm": "none"}],
    }  # fmt: skip
    tensors = {"embedding.table": np.eye(WIDTH) if table is None else table}
    tensors |= {"readout.weight": np.eye(2, WIDTH) * [read, 0, 0], "readout.bias": np.eye(2)[1]}
    tensors |= {f"layers.0.mixer.{name}": tensor for name, tensor in layer.items()}
    claim = {"task": "ones", "parameters": {"length": N}}
    return program_document(claim, model, {name: tensor.astype(DTYPES[arithmetic]) for name, tensor in tensors.items()}, strength)
