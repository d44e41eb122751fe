"""How published recurrent models draw their first weights, from torch's generator."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

SLOWEST, FASTEST, LEAST = 1e-3, 1e-1, 1e-4  # time steps are drawn between the first two, and none is smaller than the third


def as_linear(matrix: Tensor, scale: float = 1.0) -> None:
    """As torch starts a linear map, uniform within 1 / sqrt(inputs), times a scale."""
    bound = scale / math.sqrt(matrix.shape[1])
    nn.init.uniform_(matrix, -bound, bound)


def log_time_steps(count: int) -> Tensor:
    """Logarithms of time steps, uniform between those of SLOWEST and FASTEST."""
    return torch.rand(count) * (math.log(FASTEST) - math.log(SLOWEST)) + math.log(SLOWEST)


def memory_biases(count: int, memory: int) -> Tensor:
    """b with 1 / (1 - sigma(b)), the tokens over which a gate that keeps sigma(b) forgets, uniform between 2 and `memory`.

    The chrono initialisation of Tallec and Ollivier (2018).
    """
    return torch.log1p(torch.rand(count) * (memory - 2))


def time_step_biases(count: int) -> Tensor:
    """b with softplus(b) a time step as above."""
    steps = log_time_steps(count).exp().clamp(min=LEAST)
    return steps + torch.log(-torch.expm1(-steps))  # the inverse of softplus
