"""A built model with perturbed weights: how much weight noise a construction tolerates."""

from __future__ import annotations

import copy
from dataclasses import replace

import torch

from separatrix.certificates.built import Built
from separatrix.errors import BadInput


def perturbed(built: Built, sigma: float, seed: int = 0) -> Built:
    """Every weight w becomes w (1 + sigma z) with z normal; zeros and address generators stay unchanged."""
    if not 0 <= sigma < float("inf"):
        raise BadInput(f"noise must be a finite number, 0 or more, found {sigma}")
    if sigma == 0:
        return built
    if built.model.numbers.format.exact:
        raise BadInput(f"noise leaves the grid of {built.claim.arithmetic}: expected a floating-point arithmetic")
    model = copy.deepcopy(built.model)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            z = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            parameter.mul_((1 + sigma * z).to(parameter.dtype))
    return replace(built, program=replace(built.program, model=model))
