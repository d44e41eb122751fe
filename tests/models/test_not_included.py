"""What is not included: what every model of one kind does with long inputs, whatever its weights, and one of another kind that does not.

Each test runs random weights of the first kind, where the argument in its docstring is about all of them, and built ones of the second.
"""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from separatrix.arithmetic import arithmetic
from separatrix.models.config import MixerConfig
from separatrix.models.mixers.deltanet import DeltaNetConfig
from separatrix.models.mixers.linear_attention import LinearAttentionConfig
from separatrix.models.mixers.mamba import MambaConfig
from separatrix.models.mixers.mamba2 import Mamba2Config
from separatrix.models.mixers.mixer import Mixer
from separatrix.models.mixers.retnet import RetNetConfig

WIDTH = 4
SEEDS = range(8)
A, B, C = torch.eye(WIDTH, dtype=torch.float64)[:3]


def blank(config: MixerConfig) -> Mixer:
    """All weights 0."""
    mixer = config.build(WIDTH, arithmetic("float64")).double().requires_grad_(False)
    for parameter in mixer.parameters():
        parameter.zero_()
    return mixer


def drawn(config: MixerConfig, seed: int, deviation: float = 0.7) -> Mixer:
    """All weights random."""
    mixer, generator = blank(config), torch.Generator().manual_seed(seed)
    for parameter in mixer.parameters():
        parameter.copy_(deviation * torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return mixer


def last(mixer: Mixer, *runs: tuple[Tensor, int]) -> Tensor:
    """The output at the last of these tokens, each repeated so many times."""
    x = torch.cat([token.repeat(count, 1) for token, count in runs])
    output: Tensor = mixer(x[None])[0, -1]
    return output


def mean_of_values() -> Mixer:
    """Linear attention with phi(q) = 1 that adds up A and B and does not see C: elu(-40) + 1 = 0."""
    mixer = blank(LinearAttentionConfig(1, 1, WIDTH, bias=True))
    mixer.key[0, 2] = -40
    mixer.value.copy_(torch.eye(WIDTH))
    mixer.out.copy_(torch.eye(WIDTH))
    return mixer


@pytest.mark.parametrize("seed", SEEDS)
def test_linear_attention_is_no_retention_which_forgets(seed: int) -> None:
    """A head keeps gamma^n of what it read n tokens ago, beside what it reads now: A C .. C B and B C .. C B come to look the same."""
    retention = drawn(RetNetConfig(2, 4, 3), seed)
    near, far = (float((last(retention, (A, 1), (C, n), (B, 1)) - last(retention, (B, 1), (C, n), (B, 1))).abs().max()) for n in (1, 3000))
    assert far < 1e-9
    assert near > 1e-3
    mean = mean_of_values()
    for n in (1, 3000):
        assert torch.equal(last(mean, (A, 1), (C, n), (B, 1)), (A + B) / 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_linear_attention_is_no_deltanet_which_settles_exponentially(seed: int) -> None:
    """One token again and again takes the state to a fixed point by the same factor 1 - beta each time; a mean takes 1/n to forget."""
    deltanet = drawn(DeltaNetConfig(1, 3, 2, 4, negative=False), seed)
    mean = mean_of_values()

    def left(mixer: Mixer, n: int) -> float:
        return float((last(mixer, (A, 1), (B, n)) - last(mixer, (A, 1), (B, 4000))).abs().max())

    assert left(deltanet, 64) < 1e-3 * left(deltanet, 8)
    assert left(mean, 64) > 0.05 * left(mean, 8)


@pytest.mark.parametrize("seed", SEEDS)
def test_mamba_is_no_mamba2_whose_norm_bounds_it(seed: int) -> None:
    """The norm before O leaves numbers of mean square 1: no past shows more than |O w| sqrt(inner). What Mamba adds up has no bound."""
    config = Mamba2Config(2, 3, 1, 4, 4)
    second = drawn(config, seed, 3.0)
    most = float((second.out * second.norm.weight).norm()) * math.sqrt(config.inner)
    assert all(float(last(second, (A, n), (B, 1)).norm()) <= most for n in (1, 10, 1000))
    first = blank(MambaConfig(1, 1, 4, 1))
    first.into.copy_(torch.ones_like(first.into))
    first.convolution.weight[:, -1] = 1
    first.select[1:] = 1  # B and C show the channel
    first.decay.fill_(-1000.0)  # nothing fades
    first.out.fill_(1.0)
    few, many = (float(last(first, (A, n), (B, 1)).abs().max()) for n in (100, 10_000))
    assert many > 90 * few
