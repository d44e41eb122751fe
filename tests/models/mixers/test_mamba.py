"""Mamba is its definition, is that of `transformers` weight for weight, and starts as published."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch

import separatrix as sx
from separatrix.arithmetic import arithmetic
from separatrix.models.mixers.mamba import MambaConfig, mamba
from tests.models.mixers.comparing import Array, agree, convolution, drawn, inputs, silu, softplus


def definition(w: dict[str, Array], x: Array) -> Array:
    """Channel by channel and number by number."""
    E, N = w["decay"].shape
    R = w["rate"].shape[1]
    projected, h, mixed = x @ w["into"].T, np.zeros((E, N)), []
    for t in range(len(x)):
        u = silu(convolution(w["convolution.weight"], projected[:, :E], t) + w["convolution.bias"])
        chosen = w["select"] @ u
        delta = softplus(w["rate"] @ chosen[:R] + w["rate_bias"])
        y = np.zeros(E)
        for e in range(E):
            for n in range(N):
                h[e, n] = np.exp(-delta[e] * np.exp(w["decay"][e, n])) * h[e, n] + delta[e] * u[e] * chosen[R + n]
                y[e] += chosen[R + N + n] * h[e, n]
        mixed.append(w["out"] @ ((y + w["skip"] * u) * silu(projected[t, E:])))
    return np.array(mixed)


def test_it_is_its_definition() -> None:
    agree(drawn(MambaConfig(inner=6, state=3, convolution=3, rank=2), 4), definition, 37)  # more than two spans of the kernel
    agree(drawn(MambaConfig(inner=5, state=2, convolution=1, rank=1), 3), definition, 5)


def test_it_is_that_of_transformers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers import MambaConfig as TheirConfig
        from transformers.models.mamba.modeling_mamba import MambaMixer
    peer: Any = MambaMixer(TheirConfig(hidden_size=8, state_size=4, conv_kernel=3, expand=2, time_step_rank=3, num_hidden_layers=1), 0)
    ours, x = drawn(MambaConfig(inner=16, state=4, convolution=3, rank=3), 8).float(), inputs(2, 19, 8).float()
    theirs = {
        "in_proj.weight": ours.into, "conv1d.weight": ours.convolution.weight[:, None], "conv1d.bias": ours.convolution.bias,
        "x_proj.weight": ours.select, "dt_proj.weight": ours.rate, "dt_proj.bias": ours.rate_bias, "A_log": ours.decay, "D": ours.skip,
        "out_proj.weight": ours.out,
    }  # fmt: skip
    peer.load_state_dict(theirs)
    with torch.no_grad():
        torch.testing.assert_close(ours.mix(x), peer.eval()(x), rtol=1e-4, atol=1e-4)


@torch.no_grad()
def test_it_starts_as_published() -> None:
    """A = -1 .. -N in every channel; time steps of an input 0 log-uniform in [0.001, 0.1]; skip 1."""
    mixer = mamba(width=64).build(64, arithmetic("float32"))
    torch.manual_seed(0)
    mixer.start(0.02, 1.0)
    torch.testing.assert_close(mixer.decay.exp(), torch.arange(1.0, 17).expand(128, 16))
    steps = torch.nn.functional.softplus(mixer.rate_bias)
    assert float(steps.min()) >= 0.000999
    assert float(steps.max()) <= 0.1001
    assert float(steps.log().mean()) == pytest.approx(np.log(0.01), abs=0.4)  # the middle of the range, 128 draws
    assert bool((mixer.skip == 1).all())
    assert float(mixer.rate.abs().max()) <= 4**-0.5


def test_its_state_counts_the_inputs_of_the_convolution() -> None:
    """E N numbers and E (K - 1) inputs, as in the cut of an efficient Transformer: 3 layers of width 256, 16-bit numbers."""
    model = sx.model("mamba-3-256", vocabulary=2, targets=2)
    assert model.state_bits(250, "float16") == 3 * (2 * 256 * 16 + 2 * 256 * 3) * 16 == 466_944
