"""Mamba-2 is its definition, is that of `transformers` weight for weight, and starts as published."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import torch

from separatrix.arithmetic import arithmetic
from separatrix.models.mixers.mamba2 import Mamba2Config, mamba2
from tests.models.mixers.comparing import Array, agree, convolution, drawn, inputs, rms, silu, softplus

SIZES = Mamba2Config(heads=4, head_width=3, groups=2, state=5, convolution=3)


def definition(w: dict[str, Array], x: Array) -> Array:
    H, P, G, N = 4, 3, 2, 5
    E = H * P
    projected, S, mixed = x @ w["into"].T, np.zeros((H, N, P)), []
    for t in range(len(x)):
        z, r = projected[t, :E], projected[t, -H:]
        inner = silu(convolution(w["convolution.weight"], projected[:, E:-H], t) + w["convolution.bias"])
        y = np.zeros(E)
        for head in range(H):
            group = head // (H // G)
            u = inner[head * P : (head + 1) * P]
            B, C = inner[E + group * N : E + (group + 1) * N], inner[E + (G + group) * N : E + (G + group + 1) * N]
            delta = softplus(r[head] + w["rate_bias"][head])
            S[head] = np.exp(-delta * np.exp(w["decay"][head])) * S[head] + delta * np.outer(B, u)
            y[head * P : (head + 1) * P] = C @ S[head] + w["skip"][head] * u
        normed = [rms(part, weight) for part, weight in zip(np.split(y * silu(z), G), np.split(w["norm.weight"], G), strict=True)]
        mixed.append(w["out"] @ np.concatenate(normed))
    return np.array(mixed)


def test_it_is_its_definition() -> None:
    agree(drawn(SIZES, 6), definition, 21)


def test_in_several_chunks_it_is_its_definition_too() -> None:
    agree(drawn(SIZES, 6), definition, 200)


def test_it_is_that_of_transformers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers import Mamba2Config as TheirConfig
        from transformers.models.mamba2.modeling_mamba2 import Mamba2Mixer
    config = TheirConfig(hidden_size=6, state_size=5, conv_kernel=3, expand=2, num_heads=4, head_dim=3, n_groups=2,
                         num_hidden_layers=1, chunk_size=8, layer_norm_epsilon=1e-6)  # fmt: skip
    peer: Any = Mamba2Mixer(config, 0)
    ours, x = drawn(SIZES, 6).float(), inputs(2, 19, 6).float()
    peer.load_state_dict({
        "in_proj.weight": ours.into, "conv1d.weight": ours.convolution.weight[:, None], "conv1d.bias": ours.convolution.bias,
        "dt_bias": ours.rate_bias, "A_log": ours.decay, "D": ours.skip, "norm.weight": ours.norm.weight, "out_proj.weight": ours.out,
    })  # fmt: skip
    with torch.no_grad():
        torch.testing.assert_close(ours.mix(x), peer.eval()(x), rtol=1e-4, atol=1e-4)


@torch.no_grad()
def test_it_starts_as_published() -> None:
    """A uniform in [-16, -1], time steps of an input 0 log-uniform in [0.001, 0.1], skip 1."""
    mixer = mamba2(width=256, head=4).build(256, arithmetic("float32"))
    torch.manual_seed(0)
    mixer.start(0.02, 1.0)
    rates, steps = mixer.decay.exp(), torch.nn.functional.softplus(mixer.rate_bias)
    assert len(rates) == 128
    assert 1 <= float(rates.min()) < 3
    assert 14 < float(rates.max()) <= 16
    assert float(steps.min()) >= 0.000999
    assert float(steps.max()) <= 0.1001
    assert bool((mixer.skip == 1).all())


def test_its_state_counts_the_inputs_of_the_convolution() -> None:
    """Four heads of 5 x 3 numbers, and two inputs for each of the 12 + 2 x 2 x 5 channels of the convolution."""
    assert drawn(SIZES, 6).state_numbers(9) == 4 * 5 * 3 + 2 * (12 + 20)
