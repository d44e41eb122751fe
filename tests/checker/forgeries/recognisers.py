"""A recogniser of two languages that is wrong where a simulation over words of one symbol or more does not look."""

from __future__ import annotations

import json

import numpy as np

from separatrix.checker import SCHEMA, VERSION, sealed
from tests.checker.forgeries.documents import POSITION, Document
from tests.fuzz.aimed.witnesses import recogniser

ENDS_WITH_A = {"alphabet": ["a", "b"], "start": "0", "accepting": ["1"], "moves": {"0": {"a": "1", "b": "0"}, "1": {"a": "1", "b": "0"}}}


def told_apart_from_nothing(turned: float, arithmetic: str = "float64") -> Document:
    """Whether the last symbol is an a, by one number of state; another is 1 until a symbol comes, and then 0.

    At the end of the empty word it moves the logit of a member of the first language up by `turned`, and that of the other answer down.
    """
    mixer = {"kind": "selective-rnn", "state": 2, "gates": "signed"}
    e = {"plain": 3, "numbers": 0, "number_address": None, "places": [], "gated": False, "reads": "tokens"}
    model = {
        "embedding": e,
        "layers": [{"mixer": mixer, "feedforward": None, "residual": False, "norm": "none"}],
        "readout": {"targets": 4, "norm": "none", "bias": True},
        "width": 3,
        "arithmetic": arithmetic,
        "length": 40,
    }
    tensors = {
        "embedding.table": np.eye(3),
        "layers.0.mixer.gate": np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]),  # the end symbol leaves both numbers as they are
        "layers.0.mixer.gate_bias": np.zeros(2),
        "layers.0.mixer.drive": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
        "layers.0.mixer.drive_bias": np.zeros(2),
        "layers.0.mixer.initial": np.array([0.0, 1.0]),
        "layers.0.mixer.out": np.eye(3, 2),
        "readout.weight": np.array([[-1.0, -turned, 0.0], [1.0, turned, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]),
        "readout.bias": np.array([0.5, -0.5, -0.5, 0.5]),
    }
    document = {
        "schema": SCHEMA, "version": VERSION, "kind": "languages", "automaton": json.dumps(ENDS_WITH_A), "languages": [[1], [0]],
        "construction": "", "program": {"model": model, "decoder": POSITION}, "weights": {}, "proof": {}, "strength": "proven",
    }  # fmt: skip
    dtype = np.float32 if arithmetic == "float32" else np.float64
    return sealed(recogniser(document, model, {name: tensor.astype(dtype) for name, tensor in tensors.items()}))
