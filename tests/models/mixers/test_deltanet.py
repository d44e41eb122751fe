"""DeltaNet and gated DeltaNet are their definitions; the gated one is that of `transformers` weight for weight."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch

import separatrix as sx
from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models.mixers.deltanet import DeltaNetConfig
from separatrix.models.mixers.gated_deltanet import GatedDeltaNetConfig, gated_deltanet
from tests.models.mixers.comparing import Array, Definition, agree, convolution, drawn, inputs, rms, sigmoid, silu, softplus

H, M, V = 2, 3, 4


def definition(gated: bool, negative: bool) -> Definition:
    """S as a product of matrices: (I - beta k k^T) S + beta k v^T, times the decay."""

    def mix(w: dict[str, Array], x: Array) -> Array:
        projected, S, mixed = x @ w["into"].T, np.zeros((H, M, V)), []
        for t in range(len(x)):
            inner = silu(convolution(w["convolution.weight"], projected, t))
            beta = (2 if negative else 1) * sigmoid(w["share"] @ x[t])
            read = np.zeros((H, V))
            for h in range(H):
                q, k, v = inner[h * M : (h + 1) * M], inner[(H + h) * M : (H + h + 1) * M], inner[2 * H * M + h * V :][:V]
                q, k = (y / np.sqrt(y @ y + 1e-6) for y in (q, k))
                alpha = np.exp(-np.exp(w["decay"][h]) * softplus(w["rate"][h] @ x[t] + w["rate_bias"][h])) if gated else 1.0
                S[h] = alpha * (np.eye(M) - beta[h] * np.outer(k, k)) @ S[h] + beta[h] * np.outer(k, v)
                read[h] = q @ S[h] / np.sqrt(M)
            normed = np.concatenate([rms(row, w["norm.weight"]) for row in read])
            mixed.append(w["out"] @ (normed * silu(w["gate"] @ x[t]) if gated else normed))
        return np.array(mixed)

    return mix


@pytest.mark.parametrize("negative", [False, True])
def test_deltanet_is_its_definition(negative: bool) -> None:
    agree(drawn(DeltaNetConfig(H, M, V, 3, negative), 5), definition(False, negative), 75)  # three chunks


@pytest.mark.parametrize("negative", [False, True])
def test_gated_deltanet_is_its_definition(negative: bool) -> None:
    agree(drawn(GatedDeltaNetConfig(H, M, V, 3, negative), 5), definition(True, negative), 75)


def test_gated_deltanet_is_that_of_transformers() -> None:
    """Qwen3-Next, which stores the rows of q, k, v and the gate head by head."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers import Qwen3NextConfig
        from transformers.models.qwen3_next.modeling_qwen3_next import Qwen3NextGatedDeltaNet
    config = Qwen3NextConfig(
        hidden_size=5, linear_num_key_heads=H, linear_num_value_heads=H, linear_key_head_dim=M, linear_value_head_dim=V,
        linear_conv_kernel_dim=3, num_hidden_layers=1, layer_types=["linear_attention"], rms_norm_eps=1e-6, num_experts=0,
    )  # fmt: skip
    peer: Any = Qwen3NextGatedDeltaNet(config, 0)
    ours, x = drawn(GatedDeltaNetConfig(H, M, V, 3, False), 5).float(), inputs(2, 40, 5).float()
    q, k, v = ours.into.split([H * M, H * M, H * V])
    rows = [part.reshape(H, -1, 5) for part in (q, k, v, ours.gate)]
    peer.load_state_dict({
        "in_proj_qkvz.weight": torch.cat(rows, dim=1).flatten(0, 1),
        "in_proj_ba.weight": torch.stack([ours.share, ours.rate], dim=1).flatten(0, 1),
        "conv1d.weight": ours.convolution.weight[:, None], "dt_bias": ours.rate_bias, "A_log": ours.decay,
        "norm.weight": ours.norm.weight, "out_proj.weight": ours.out,
    })  # fmt: skip
    with torch.no_grad():
        torch.testing.assert_close(ours.mix(x), peer.eval()(x), rtol=1e-4, atol=1e-4)


def test_a_share_of_two_turns_the_state_around() -> None:
    """With beta = 2 the map I - beta k k^T has the eigenvalue -1: what a key has stored comes back with the other sign."""
    from separatrix.models.fast.delta_rule import following

    S = torch.tensor([[3.0, -1.0], [5.0, 2.0]], dtype=torch.float64)[None, None]
    k, v, two = (torch.tensor(y, dtype=torch.float64)[None, None] for y in ([1.0, 0.0], [0.0, 0.0], 2.0))
    assert following(S, k, v, two, None)[0, 0].tolist() == [[-3.0, 1.0], [5.0, 2.0]]


@torch.no_grad()
def test_the_decay_starts_as_published() -> None:
    """e^a uniform in [0, 16] and softplus(b) log-uniform in [0.001, 0.1]."""
    mixer = gated_deltanet(width=128, heads=64).build(128, arithmetic("float32"))
    torch.manual_seed(0)
    mixer.start(0.02, 1.0)
    rates, steps = mixer.decay.exp(), torch.nn.functional.softplus(mixer.rate_bias)
    assert 0 < float(rates.min()) < 1.5
    assert 14.5 < float(rates.max()) <= 16.001
    assert 0.000999 <= float(steps.min()) <= float(steps.max()) <= 0.1001


def test_bad_sizes_are_refused() -> None:
    for name in ("deltanet", "gated-deltanet"):
        with pytest.raises(BadInput, match=f"^{name}: width 10 is not divisible by heads 4"):
            sx.model(f"{name}-1-10", vocabulary=2, targets=2)


def test_the_state_is_one_matrix_for_each_head_and_the_inputs_of_the_convolution() -> None:
    model = sx.model("deltanet-2-16", vocabulary=2, targets=2)
    assert model.state_numbers(7) == 2 * (4 * 4 * 4 + 3 * 3 * 16)
