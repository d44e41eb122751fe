"""Predictors of PARITY that are better, or worse, than claimed: in logits that float64 does not resolve, or beyond its exponents."""

from __future__ import annotations

from typing import Any

import numpy as np

from separatrix.constructions.other import predictors
from tests.checker.forgeries.documents import Document, predictor_document


def large_logits(exponent: int, off: float, arithmetic: str, excess: float = 1e-6, p: float = 0.5, N: int = 1000) -> Document:
    """The predictor of PARITY with 2^exponent added to every logit, and `off` to that of the symbol 0: so much too likely."""
    program = predictors.predictor(predictors.parity_source(p), N)
    model = {**program.document()["model"], "arithmetic": arithmetic}
    tensors: dict[str, Any] = {name: tensor.numpy().copy() for name, tensor in program.model.state_dict().items()}
    grain = 2.0 ** -int(arithmetic.partition(",")[2])
    for name in ("outer", "outer_bias"):
        part = f"layers.0.feedforward.{name}"
        tensors[part] = np.round(tensors[part] / grain) * grain
    tensors["layers.0.feedforward.outer_bias"][0] += off
    tensors["readout.bias"] += 2.0**exponent
    claim = {"task": "parity-next", "parameters": {"length": N, "p": p}}
    return predictor_document(claim, model, tensors, "at-most", excess)


def softmax_reader(embedded: int, value: int, out: int, place: int = 0, arithmetic: str = "float64", excess: float = 0.19) -> Document:
    """One head that counts the ones of two bits, which an optimal predictor of PARITY is made of, claimed to be far from the optimum.

    A one is 2^embedded, values are scaled by 2^value, what the head reads by 2^out, and hidden units put it right. With `place` every
    token stands at a place that adds 2^place, which hidden units take away again.
    """
    width, n = 3, 2  # the bits, what the head reads, and a constant
    grow = -(embedded + value + out)
    address = {"address": "one-hot", "dims": n, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    mixer = {
        "kind": "attention", "scores": "softmax", "mask": {"kind": "all"}, "heads": 1, "key_width": 1, "value_width": 1, "scaled": False,
        "bias": False, "rotary": False,
    }  # fmt: skip
    model = {
        "arithmetic": arithmetic, "length": n, "width": width, "readout": {"targets": 3, "norm": "none", "bias": True},
        "embedding": {"reads": "tokens", "plain": 2, "numbers": 0, "number_address": None, "places": [address], "gated": False},
        "layers": [{"mixer": mixer, "feedforward": {"hidden": 2, "activation": "relu", "bias": True}, "residual": True, "norm": "none"}],
    }  # fmt: skip
    one, up = 2.0**embedded, 2.0**grow
    added = one * 2.0**place if place else 0.0  # before the head; as much as 2^place ones after it
    offset = 2.0**place if place else 0.0
    tensors = {
        "embedding.table": np.array([[0.0, 0.0, one], [one, 0.0, one]]),
        "embedding.places.0.weight": np.array([[added, 0.0, 0.0]] * n),
        "layers.0.mixer.query": np.zeros((1, width)),
        "layers.0.mixer.key": np.zeros((1, width)),
        "layers.0.mixer.value": np.array([[2.0**value, 0.0, 0.0]]),
        "layers.0.mixer.out": np.array([[0.0], [2.0**out], [0.0]]),
        # 2 m and 4 m - 2 of the mean m: their difference is 1 where m is 1/2, and 0 where it is 0 or 1
        "layers.0.feedforward.inner": np.array([[0.0, 2 * up, 0.0], [0.0, 4 * up, -2.0 / one]]),
        "layers.0.feedforward.inner_bias": np.array([-2 * offset, -4 * offset]),
        "layers.0.feedforward.outer": np.array([[0.0, 0.0], [32.0, -32.0], [0.0, 0.0]]),
        "layers.0.feedforward.outer_bias": np.zeros(width),
        "readout.weight": np.array([[0.0] * width, [0.0] * width, [0.0, -1.0, 0.0]]),
        "readout.bias": np.array([0.0, 0.0, 0.75]),  # about ln 2: with an even number of ones the end is as likely as both bits
    }
    return predictor_document({"task": "parity-next", "parameters": {"length": n, "p": 0.5}}, model, tensors, "at-least", excess)
