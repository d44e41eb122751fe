"""Architectures: the same classes carry built and trained weights."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from separatrix.models.configurations import configuration
from separatrix.naming import find
from separatrix.parameters import parameters, typed

if TYPE_CHECKING:
    from torch import nn

MODELS = {
    "transformer": "separatrix.models.trainable:transformer",
    "lstm": "separatrix.models.lstm:lstm",
    "gru": "separatrix.models.gru:gru",
    "elman": "separatrix.models.elman:elman",
    "stack": "separatrix.models.stack:stack",
}


def make_model(name: str, **chosen: Any) -> nn.Module:
    """A model by name with fresh weights; parameters given as values or as text.

    The name is an architecture, a configuration such as tf-1-64, or a user's file.py:Name: a maker of whole models
    (it takes `vocabulary` and `targets`) or a mixer, which is wrapped in a stack.
    """
    architecture, given = configuration(name, chosen)
    maker, given = _maker(architecture, given)
    made: nn.Module = maker(**typed(maker, given, f"model {name}"))
    return made


def model_for(name: str, sizes: Mapping[str, int], chosen: Mapping[str, Any]) -> nn.Module:
    """A model by name that fits a task: of `sizes` (vocabulary, targets, length, seed) it takes those that its architecture knows."""
    architecture, given = configuration(name, chosen)
    maker, given = _maker(architecture, given)
    known = parameters(maker)
    given = {**{key: value for key, value in sizes.items() if key in known}, **given}
    made: nn.Module = maker(**typed(maker, given, f"model {name}"))
    return made


def _maker(architecture: str, given: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The function that makes the model, and its parameters; a user's mixer becomes a stack of `layers` of it."""
    maker = find(architecture, MODELS, "model")
    if architecture in MODELS or not inspect.isclass(maker) or "vocabulary" in inspect.signature(maker).parameters:
        return maker, given
    layers = int(given.pop("layers", 1))
    return find("stack", MODELS, "model"), {"mixers": (architecture,) * layers, **given}
