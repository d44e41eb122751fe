"""A mixer beside its definition: random weights, and the same numbers three ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from separatrix.arithmetic import arithmetic
from separatrix.models.config import MixerConfig
from separatrix.models.mixers.mixer import Mixer

Array = np.ndarray[Any, np.dtype[np.float64]]
Definition = Callable[[dict[str, Array], Array], Array]  # weights by name, one sequence [n, width] -> [n, width]


def drawn(config: MixerConfig, width: int, seed: int = 0) -> Mixer:
    """In float64, with every weight random."""
    mixer, generator = config.build(width, arithmetic("float64")).double(), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in mixer.parameters():
            parameter.copy_(0.7 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return mixer


def inputs(rows: int, n: int, width: int) -> torch.Tensor:
    return torch.randn(rows, n, width, dtype=torch.float64, generator=torch.Generator().manual_seed(1))


@torch.no_grad()
def stepped(mixer: Mixer, x: torch.Tensor) -> torch.Tensor:
    state, outputs = mixer.initial_state(len(x)), []
    for t in range(x.shape[1]):
        state, y = mixer.step(state, x[:, t], t)
        outputs.append(y)
    assert sum(tensor[0].numel() for tensor in state) == mixer.state_numbers(x.shape[1])
    return torch.stack(outputs, dim=1)


def agree(mixer: Mixer, definition: Definition, n: int) -> None:
    """All at once, token by token, and read at one position: each is what the definition says, in float64; and close to it in float32."""
    x, width = inputs(2, n, mixer.width), mixer.width
    weights = {name: tensor.detach().numpy() for name, tensor in mixer.state_dict().items()}
    wanted = torch.from_numpy(np.stack([definition(weights, row.numpy()) for row in x]))
    assert wanted.shape == (2, n, width)
    assert float(wanted.abs().max()) > 0.1
    with torch.no_grad():
        torch.testing.assert_close(mixer.mix(x), wanted, rtol=1e-10, atol=1e-10)
        torch.testing.assert_close(stepped(mixer, x), wanted, rtol=1e-10, atol=1e-10)
        at = torch.tensor([n - 1, n // 2])
        torch.testing.assert_close(mixer(x, at)[:, 0], wanted[torch.arange(2), at], rtol=1e-10, atol=1e-10)
        single = mixer.float().mix(x.float())
        mixer.double()
    assert float((single - wanted).abs().max()) < 1e-4 * float(wanted.abs().max())


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def silu(x: Array) -> Array:
    return x * sigmoid(x)


def softplus(x: Array) -> Array:
    return np.log1p(np.exp(x))


def convolution(taps: Array, x: Array, t: int) -> Array:
    """sum over j of taps_j x_(t - K + 1 + j), channel by channel."""
    size = taps.shape[1]
    return sum((taps[:, j] * x[t - size + 1 + j] for j in range(size) if t - size + 1 + j >= 0), np.zeros(len(taps)))


def rms(x: Array, weight: Array | float = 1.0, epsilon: float = 1e-6) -> Array:
    return x / np.sqrt((x**2).mean() + epsilon) * weight
