"""Retention is its definition, fades as published, and starts as published."""

from __future__ import annotations

import numpy as np
import torch

import separatrix as sx
from separatrix.arithmetic import arithmetic
from separatrix.models.mixers.retnet import RetNetConfig, retnet
from tests.models.mixers.comparing import Array, agree, drawn, inputs, rms, silu

SIZES = RetNetConfig(heads=3, key_width=4, value_width=5)


def definition(w: dict[str, Array], x: Array) -> Array:
    """Every pair of tokens, with rotations as complex numbers: no recurrence."""
    H, m, v = 3, 4, 5
    turn = 10000.0 ** (-np.arange(m // 2) / (m // 2))
    mixed = []
    for t in range(len(x)):
        read = np.zeros((H, v))
        for h in range(H):
            gamma = 1 - 2.0 ** (-5 - h)

            def turned(name: str, i: int, h: int = h) -> Array:
                y = (w[name] @ x[i])[h * m : (h + 1) * m]
                return (y[: m // 2] + 1j * y[m // 2 :]) * np.exp(1j * i * turn)

            for s in range(t + 1):
                weight = gamma ** (t - s) * np.real(np.vdot(turned("key", s), turned("query", t))) / np.sqrt(m)
                read[h] += weight * (w["value"] @ x[s])[h * v : (h + 1) * v]
        normed = np.concatenate([rms(row) for row in read])
        mixed.append(w["out"] @ (silu(w["gate"] @ x[t]) * normed))
    return np.array(mixed)


def test_it_is_its_definition() -> None:
    agree(drawn(SIZES, 6), definition, 15)


def test_in_several_chunks_it_is_its_recurrence() -> None:
    mixer, x = drawn(SIZES, 6), inputs(1, 200, 6)
    state, outputs = mixer.initial_state(1), []
    with torch.no_grad():
        for t in range(200):
            state, y = mixer.step(state, x[:, t], t)
            outputs.append(y)
        torch.testing.assert_close(mixer.mix(x), torch.stack(outputs, dim=1), rtol=1e-10, atol=1e-10)


def test_heads_fade_at_scales_that_double() -> None:
    assert drawn(SIZES, 6).rates == [1 - 1 / 32, 1 - 1 / 64, 1 - 1 / 128]


@torch.no_grad()
def test_it_starts_as_published() -> None:
    """Xavier's uniform bound sqrt(6 / (in + out)), times 2^-2.5 for what reads and 1/2 for what writes."""
    mixer = retnet(width=64).build(64, arithmetic("float32"))
    torch.manual_seed(0)
    mixer.start(0.02, 1.0)
    for parameter, bound in (
        (mixer.query, 2**-2.5 * (6 / 128) ** 0.5),
        (mixer.value, 2**-2.5 * (6 / 192) ** 0.5),
        (mixer.gate, 2**-2.5 * (6 / 192) ** 0.5),
        (mixer.out, 0.5 * (6 / 192) ** 0.5),
    ):
        assert 0.99 * bound < float(parameter.abs().max()) <= bound


def test_its_state_is_one_matrix_for_each_head() -> None:
    """3 layers of width 256 with 4 heads, values twice as wide as keys, 16-bit numbers."""
    model = sx.model("retnet-3-256", vocabulary=2, targets=2)
    assert model.state_bits(250, "float16") == 3 * 4 * 64 * 128 * 16 == 1_572_864
