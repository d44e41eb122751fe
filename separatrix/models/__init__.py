"""Architectures: one model family carries built and trained weights."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from separatrix.errors import BadInput, did_you_mean
from separatrix.models.mixers import MIXERS
from separatrix.models.model_names import configuration
from separatrix.naming import find
from separatrix.parameters import convert, parameters, typed

if TYPE_CHECKING:
    from torch import nn

MODELS = {  # besides the mixers, each of which is also a model by name
    "transformer": "separatrix.models.transformer:transformer",
    "stack": "separatrix.models.stack:stack",
    "tied-stack": "separatrix.models.tied_stack:tied_stack",
}


def make_model(name: str, **chosen: Any) -> nn.Module:
    """A model by name with fresh weights; parameters are values or text.

    The name is an architecture, a mixer, a configuration such as tf-1-64, or a user's file.py:Name: a maker of whole models
    or a mixer, which is wrapped in a stack.
    """
    return model_for(name, {}, chosen)


def model_for(name: str, sizes: Mapping[str, int], chosen: Mapping[str, Any]) -> nn.Module:
    """A model by name for a task; it gets those of `sizes` (vocabulary, targets, length, seed) that its architecture takes."""
    architecture, settings = configuration(name, chosen, sizes.get("length"))
    if architecture not in MODELS and architecture not in MIXERS and ":" in architecture:
        user_model = import_module("separatrix.models.user_model")
        if user_model.is_whole(architecture):
            whole: nn.Module = user_model.whole_model(architecture, {**sizes, **settings})
            return whole
        settings["mixer"] = architecture
    elif architecture in MIXERS:
        settings["mixer"] = architecture
    maker = import_module("separatrix.models.stack").layers_of if "mixer" in settings else find(architecture, {**MODELS, **MIXERS}, "model")
    known = parameters(maker)
    settings = {**{key: value for key, value in sizes.items() if key in known}, **settings}
    if "settings" in known:
        settings = _for_mixers(name, settings, known)
    model: nn.Module = maker(**typed(maker, settings, f"model {name}"))
    return model


def _for_mixers(name: str, settings: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Pass parameters that the stack does not know to its mixers."""
    stack = import_module("separatrix.models.stack")
    mixers = (
        convert(settings["mixers"], tuple[str, ...], "mixers")
        if "mixers" in settings
        else [settings["mixer"]]
        if "mixer" in settings
        else ()
    )
    own = stack.own_parameters(mixers or parameters(stack.stack)["mixers"].default)
    for key in settings:
        if key not in known and key not in own:
            accepted = [*(public for public in known if public not in ("settings", "mixer")), *own]
            raise BadInput(f"model {name} has no parameter {key!r}: expected one of {', '.join(accepted)}{did_you_mean(key, accepted)}")
    return {key: value for key, value in settings.items() if key in known} | {
        "settings": {key: value for key, value in settings.items() if key not in known}
    }
