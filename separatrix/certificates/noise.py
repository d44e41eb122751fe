"""A built model with perturbed weights: how much weight noise a construction tolerates."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from separatrix.certificates.built import Built
from separatrix.errors import BadInput
from separatrix.models.model import Model


def perturbed(built: Built, sigma: float, seed: int = 0) -> Built:
    """Every weight w becomes w (1 + sigma z) with z normal; zeros and address generators stay unchanged."""
    if not 0 <= sigma < float("inf"):
        raise BadInput(f"noise must be a finite number, 0 or more, found {sigma}")
    if sigma == 0:
        return built
    if built.model.numbers.format.exact:
        raise BadInput(f"noise leaves the grid of {built.claim.arithmetic}: expected a floating-point arithmetic")
    model = noisy(built.model, seed, lambda weight, z: weight.mul_((1 + sigma * z).to(weight.dtype)))
    return replace(built, program=replace(built.program, model=model))


def noisy(model: Model, seed: int, change: Callable[[Tensor, Tensor], object]) -> Model:
    """A copy in which `change` has altered every weight, given a normal float64 number for each."""
    changed, generator = copy.deepcopy(model), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in changed.parameters():
            change(parameter, torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return changed
