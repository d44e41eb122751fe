"""LSTM, GRU and Elman layers are torch's, in both of their forms."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.config import EmbeddingConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.models.mixers.elman import elman
from separatrix.models.mixers.gru import gru
from separatrix.models.mixers.lstm import lstm
from separatrix.models.model import Model
from separatrix.models.saved import describe, restore, weights_bytes

CELLS: list[tuple[MixerConfig, Any, int]] = [(lstm(), nn.LSTM, 2), (gru(), nn.GRU, 1), (elman(), nn.RNN, 1)]


@pytest.mark.parametrize(("config", "kernel", "vectors"), CELLS)
@torch.no_grad()
def test_a_cell_is_torchs_in_parallel_and_by_its_definition(config: MixerConfig, kernel: Any, vectors: int) -> None:
    torch.manual_seed(0)
    peer = kernel(6, 6, batch_first=True).double()
    cell = config.build(6, arithmetic("float64")).double()
    cell.get_submodule("kernel").load_state_dict(peer.state_dict())
    x = torch.randn(3, 7, 6, dtype=torch.float64)
    expected, last = peer(x)
    assert torch.equal(cell(x), expected)
    state = cell.initial_state(3)
    for t in range(7):
        state, y = cell.step(state, x[:, t], t)
        assert torch.allclose(y, expected[:, t], rtol=0, atol=1e-12)
    carried = last if isinstance(last, tuple) else (last,)
    assert len(state) == len(carried) == vectors
    for ours, theirs in zip(state, carried, strict=True):
        assert torch.allclose(ours, theirs[0], rtol=0, atol=1e-12)
    assert cell.state_numbers(5) == cell.state_numbers(5000) == vectors * 6


@pytest.mark.parametrize("layers", [1, 3])
def test_several_layers_are_those_of_torch(layers: int) -> None:
    model, tokens = make_model("lstm", vocabulary=6, targets=4, width=10, layers=layers, seed=3), torch.arange(24).reshape(3, 8) % 6
    assert isinstance(model, Model)
    peer = nn.LSTM(10, 10, num_layers=layers, batch_first=True)
    for index, layer in enumerate(model.each_layer()):
        assert layer.mixer is not None
        for name, parameter in layer.mixer.get_submodule("kernel").named_parameters():
            getattr(peer, name.replace("_l0", f"_l{index}")).data.copy_(parameter.data)
    hidden = peer(nn.functional.embedding(tokens, model.embedding.table))[0]
    assert torch.allclose(model(tokens), model.readout(hidden), atol=1e-6)


def test_a_cell_carries_built_weights() -> None:
    """An Elman network whose only register holds whether a 1 has come: tanh(20 x + 20 h) with x = 0 or 1."""
    config = ModelConfig(EmbeddingConfig(2), (LayerConfig(elman()),), ReadoutConfig(2), 1, "float64", 6)
    model = Model(config).double()
    weights = {name: torch.zeros_like(tensor) for name, tensor in model.state_dict().items()}
    weights["embedding.table"][1, 0] = 1
    weights["layers.0.mixer.kernel.weight_ih_l0"][0, 0] = weights["layers.0.mixer.kernel.weight_hh_l0"][0, 0] = 20
    weights["readout.weight"][1, 0], weights["readout.bias"][0] = 1, 0.5
    model.load_state_dict(weights)
    again = restore(describe(model), weights_bytes(model))
    assert describe(model)["layers"][0]["mixer"] == {"kind": "elman"}
    tokens = torch.tensor([[0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1]])
    assert again(tokens).argmax(dim=-1).tolist() == [[0, 0, 1, 1, 1, 1], [0] * 6, [1] * 6]


@pytest.mark.parametrize(
    ("name", "gates", "keeping", "writing"), [("lstm", 4, 1, 0), ("gru", 3, 1, None)]
)  # in the order of torch's weights
def test_a_fresh_cell_with_a_memory_forgets_over_all_times_up_to_it(name: str, gates: int, keeping: int, writing: int | None) -> None:
    """A gate that keeps the share s of a number forgets it over 1 / (1 - s) tokens."""
    sizes: dict[str, Any] = {"vocabulary": 3, "targets": 2, "width": 400, "layers": 2, "seed": 4}
    plain, lasting = make_model(name, **sizes), make_model(name, **sizes, memory=100)
    assert isinstance(plain, Model)
    assert isinstance(lasting, Model)
    assert describe(plain) == describe(lasting)  # it is nothing that the model does: only where its weights begin
    weights, usual = lasting.state_dict(), plain.state_dict()
    for layer in range(2):
        first, second = (weights[f"layers.{layer}.mixer.kernel.{bias}_l0"].chunk(gates) for bias in ("bias_ih", "bias_hh"))
        times = 1 / (1 - (first[keeping] + second[keeping]).double().sigmoid())
        counts = torch.histc(times, 7, 2, 100)  # 57 in each seventh
        assert counts.sum() == 400
        assert counts.min() > 25
        assert counts.max() < 95
        moved = {keeping, writing} - {None}
        if writing is not None:
            assert torch.equal(first[writing] + second[writing], -(first[keeping] + second[keeping]))
        for gate in set(range(gates)) - moved:
            for bias, new in (("bias_ih", first), ("bias_hh", second)):
                assert torch.equal(new[gate], usual[f"layers.{layer}.mixer.kernel.{bias}_l0"].chunk(gates)[gate])
    for matrix in (key for key in usual if "weight_" in key):
        assert torch.equal(weights[matrix], usual[matrix])


@pytest.mark.parametrize("memory", [-1, 1, 2])
def test_a_memory_of_less_than_three_tokens_is_refused(memory: int) -> None:
    with pytest.raises(BadInput, match=f"^lstm: memory must be 0 or at least 3 tokens, found {memory}$"):
        make_model("lstm", vocabulary=3, targets=2, memory=memory)
