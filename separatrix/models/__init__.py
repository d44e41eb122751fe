"""Architectures: the same classes carry built and trained weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from separatrix.naming import find
from separatrix.parameters import typed

if TYPE_CHECKING:
    from torch import nn

MODELS = {
    "transformer": "separatrix.models.trainable:transformer",
}


def make_model(name: str, **chosen: Any) -> nn.Module:
    """A model by name with fresh weights; parameters given as values or as text."""
    maker = find(name, MODELS, "model")
    made: nn.Module = maker(**typed(maker, chosen, f"model {name}"))
    return made
