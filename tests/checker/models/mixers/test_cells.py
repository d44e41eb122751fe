"""LSTM, GRU and Elman against torch's own kernels: within the error bound, in both floats."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.models.sizes import state_bits
from separatrix.checker.numbers.formats import numbers
from tests.checker.models.small import document, layer, tensors

CELLS = {"lstm": (nn.LSTM, 4, 2), "gru": (nn.GRU, 3, 1), "elman": (nn.RNN, 1, 1)}


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize(("arithmetic", "dtype"), [("float64", torch.float64), ("float32", torch.float32)])
def test_a_cell_is_torchs_within_the_error(kind: str, arithmetic: str, dtype: torch.dtype) -> None:
    cell, gates, states = CELLS[kind]
    embedding = {"numbers": 0, "number_address": None, "places": [], "gated": False}
    described = document(arithmetic, [layer({"kind": kind}, None, residual=False)], width=4, embedding=embedding)
    used = 0.0
    for seed in range(12):
        weights = {name: tensor.astype(str(dtype).removeprefix("torch.")) for name, tensor in tensors(described, seed, 0.17, 6).items()}
        kernel = cell(4, 4, batch_first=True).to(dtype)
        part = "layers.0.mixer.kernel."
        with torch.no_grad():
            for name, parameter in kernel.named_parameters():
                parameter.copy_(torch.from_numpy(weights[part + name]))
        tokens = np.random.default_rng(seed).integers(0, 3, (2, 9))
        with torch.no_grad():
            mixed = kernel(torch.from_numpy(weights["embedding.table"][tokens]))[0]
            theirs = (mixed @ torch.from_numpy(weights["readout.weight"]).T + torch.from_numpy(weights["readout.bias"])).numpy()
        output = Model(read_description(described), weights, numbers(arithmetic)).logits(tokens, list(range(9)))
        assert ((output.low <= theirs) & (theirs <= output.high)).all()
        assert output.radius.max() < (2e-8 if arithmetic == "float64" else 1.0)
        used = max(used, float((np.abs(output.middle - theirs) / output.radius).max()))
    assert used > 1e-3
    assert state_bits(read_description(described), 32) == states * 4 * 32
    assert weights["layers.0.mixer.kernel.weight_hh_l0"].shape == (gates * 4, 4)
