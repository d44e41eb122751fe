"""Diagonal state spaces are their definition, by recurrence, product and FFT, and start with HiPPO's spectrum."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import separatrix as sx
from separatrix.arithmetic import arithmetic
from separatrix.models.mixers.dss import DssConfig, dss, skew_hippo
from tests.models.mixers.comparing import Array, agree, drawn, sigmoid


def gelu(x: Array) -> Array:
    from math import erf

    return x * np.array([0.5 * (1 + erf(value / np.sqrt(2))) for value in x])


def definition(w: dict[str, Array], x: Array) -> Array:
    """The solution of s' = lambda s + u with u held over each step, read as Re W s."""
    width, N = w["reading"].shape[:2]
    mixed, s = [], np.zeros((width, N), dtype=complex)
    for t in range(len(x)):
        y = np.zeros(width)
        for d in range(width):
            for n in range(N):
                rate, step = -np.exp(w["fading"][n]) + 1j * w["turning"][n], np.exp(w["log_step"][d])
                s[d, n] = np.exp(rate * step) * s[d, n] + (np.exp(rate * step) - 1) / rate * x[t, d]
                y[d] += ((w["reading"][d, n, 0] + 1j * w["reading"][d, n, 1]) * s[d, n]).real
        mixed.append(w["out"] @ gelu(y + w["skip"] * x[t]) + w["out_bias"])
    return np.array(mixed)


def test_it_is_its_definition() -> None:
    agree(drawn(DssConfig(5), 4), definition, 40)


@pytest.mark.parametrize("length", [40, 150])
def test_gated_it_is_its_definition_times_a_sigmoid(length: int) -> None:
    """By a product and by FFT: the second half of O gelu(y) + o decides how much of the first half passes."""

    def gated(w: dict[str, Array], x: Array) -> Array:
        both = definition(w, x)
        half = both.shape[1] // 2
        return both[:, :half] * sigmoid(both[:, half:])

    agree(drawn(DssConfig(3, gated=True), 4), gated, length)


def test_by_fft_it_is_its_definition_too() -> None:
    agree(drawn(DssConfig(3), 2), definition, 150)


@torch.no_grad()
def test_it_starts_with_the_spectrum_of_hippo() -> None:
    """HiPPO's matrix plus half an outer product has eigenvalues -1/2 + i w; those with w > 0 are taken, from twice the order."""
    N = 16
    i = np.arange(2 * N)
    root = np.sqrt(2 * i + 1.0)
    hippo = -np.tril(np.outer(root, root), -1) - np.diag(i + 1.0)
    spectrum = np.linalg.eigvals(hippo + np.outer(root, root) / 2)
    np.testing.assert_allclose(spectrum.real, -0.5, atol=1e-6)
    np.testing.assert_allclose(skew_hippo(N), np.sort(spectrum.imag)[N:], rtol=1e-8)
    mixer = dss(state=N).build(200, arithmetic("float32"))
    torch.manual_seed(0)
    mixer.start(0.02, 1.0)
    np.testing.assert_allclose(mixer.turning.detach().numpy(), skew_hippo(N), rtol=1e-6)
    np.testing.assert_allclose(mixer.fading.detach().exp().numpy(), 0.5, rtol=1e-6)
    steps = mixer.log_step.detach().exp()
    assert 0.000999 <= float(steps.min()) < 0.0012
    assert 0.08 < float(steps.max()) <= 0.1001
    assert float(mixer.reading.std()) == pytest.approx(1.0, abs=0.05)


def test_its_state_is_complex() -> None:
    """3 layers of width 256 with 64 complex numbers each, 16-bit numbers."""
    assert sx.model("dss-3-256", vocabulary=2, targets=2).state_bits(250, "float16") == 2 * 3 * 256 * 64 * 16 == 1_572_864
