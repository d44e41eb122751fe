"""What models of each architecture carry and cost, for the pages of the atlas."""

from __future__ import annotations

from typing import Any

from separatrix.architectures import COLUMNS, TRANSFORMERS, Architecture
from separatrix.models.cost_formulas import SIZED, SizedModel, sized_model

PRECISION = "32"  # bits of a number
WIDTH, SYMBOLS = 64, 64  # of the models whose costs are shown
LENGTHS = (100, 1000, 10_000)


def models_record() -> dict[str, list[dict[str, Any]]]:
    """For each architecture the models with cost formulas that belong to it, with the bits of their state and the operations of a token."""
    return {architecture: [_costs(model) for model in members(architecture)] for architecture in COLUMNS}


def members(architecture: Architecture) -> list[SizedModel]:
    """The models with cost formulas that a bound on this architecture is about, at one width."""
    layers = TRANSFORMERS.index(architecture) + 1 if architecture in TRANSFORMERS else 2
    every = [sized_model(kind, layers, WIDTH, SYMBOLS, SYMBOLS) for kind in SIZED if layers > 1 or not kind.startswith("hybrid-")]
    if architecture is Architecture.RECURRENT:
        return [model for model in every if is_recurrent(model)]
    if architecture is Architecture.HYBRID:
        return [model for model in every if model.architecture.startswith("hybrid-")]
    kind = "transformer" if architecture in TRANSFORMERS else architecture
    return [model for model in every if model.architecture == kind]


def is_recurrent(model: SizedModel) -> bool:
    """Whether what crosses a cut has a fixed size, however many tokens came before."""
    return model.state_bits(LENGTHS[0], 1) == model.state_bits(LENGTHS[-1], 1)


def _costs(model: SizedModel) -> dict[str, Any]:
    bits = int(PRECISION)
    return {
        "name": model.name,
        "state_bits": {str(length): model.state_bits(length, bits) for length in LENGTHS},
        "operations": {str(length): model.operations(length) for length in LENGTHS},
        "parameters": model.parameters(LENGTHS[0]),
    }
