"""Models as files: the configuration as JSON, the numbers as safetensors. Nothing here unpickles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from separatrix.errors import BadInput
from separatrix.models.config import ModelConfig
from separatrix.models.description import read_model, written
from separatrix.models.mixers.user import UserConfig
from separatrix.models.model import Model
from separatrix.naming import named_place, only


def describe(model: torch.nn.Module) -> dict[str, Any]:
    """Everything but the numbers needed to rebuild the model: MODEL of docs/certificates.md."""
    if not isinstance(model, Model):
        raise BadInput(f"a model of class {type(model).__name__} has no description")
    description: dict[str, Any] = written(model.config)
    return description


def weights_bytes(model: torch.nn.Module) -> bytes:
    """The parameters and buffers as a safetensors file."""
    return tensors_file(model.state_dict())


def tensors_file(tensors: Mapping[str, Tensor]) -> bytes:
    """Tensors by name as a safetensors file."""
    return save_tensors({name: tensor.detach().contiguous() for name, tensor in tensors.items()})


def restore(description: Mapping[str, Any], weights: bytes, code: Collection[str] = ()) -> Model:
    """The model of a description and its safetensors bytes.

    A file cannot run code by itself: a user's own mixers are loaded only if `code` lists them.
    """
    config = _with_named_code(read_model(description), code)
    try:
        tensors = load_tensors(weights)
    except SafetensorError as error:
        raise BadInput(f"the weights are not a safetensors file: {_one_line(error)}") from error
    with only([m.code for m in _user_mixers(config)]):
        return filled(config, tensors)


def filled(config: ModelConfig, tensors: Mapping[str, Tensor]) -> Model:
    """The model of a configuration with exactly these tensors, in their number type."""
    floating = next((t.dtype for t in tensors.values() if t.is_floating_point()), torch.float32)
    try:
        model = Model(config).to(floating)
        model.load_state_dict(dict(tensors))
    except RuntimeError as error:
        raise BadInput(f"the weights do not match the model's description: {_one_line(error)}") from error
    return model


def _with_named_code(config: ModelConfig, code: Collection[str]) -> ModelConfig:
    """The configuration with the places of the user's own mixers on this machine."""
    layers = tuple(
        replace(layer, mixer=replace(layer.mixer, code=named_place(layer.mixer.code, layer.mixer.sha256, code)))
        if isinstance(layer.mixer, UserConfig)
        else layer
        for layer in config.layers
    )
    return replace(config, layers=layers)


def _user_mixers(config: ModelConfig) -> list[UserConfig]:
    return [layer.mixer for layer in config.layers if isinstance(layer.mixer, UserConfig)]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
