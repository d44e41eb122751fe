"""Models as files: the configuration as JSON, the numbers as safetensors. Nothing here unpickles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, PlaceConfig
from separatrix.models.description import read_model, written
from separatrix.models.model import Model
from separatrix.models.register_file import RegisterFile, RegisterFileConfig
from separatrix.models.sequence_model import SequenceModel
from separatrix.models.stack import Stack, StackConfig, user_code
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig


def describe(model: torch.nn.Module) -> dict[str, Any]:
    """What is needed besides the numbers to make the model again."""
    if isinstance(model, Model):
        described: dict[str, Any] = written(model.config)
        return described
    if isinstance(model, Transformer):
        return {"class": "transformer", "config": asdict(model.config)}
    if isinstance(model, Stack):
        return {"class": "stack", "config": asdict(model.config)}
    if isinstance(model, RegisterFile):
        return {"class": "register-file", "config": asdict(model.config)}
    raise BadInput(f"a model of class {type(model).__name__} has no description")


def weights_bytes(model: torch.nn.Module) -> bytes:
    """The parameters and buffers as a safetensors file."""
    return save_tensors({name: tensor.detach().contiguous() for name, tensor in model.state_dict().items()})


def restore(description: Mapping[str, Any], weights: bytes, code: Collection[str] = ()) -> SequenceModel:
    """The model of a description and its safetensors bytes.

    A file never runs code by itself: mixers of the user's own are loaded only if the caller names them in `code`.
    """
    try:
        return with_weights(empty_model(description, code), load_tensors(weights))
    except SafetensorError as error:
        raise BadInput(f"the weights are not a safetensors file: {' '.join(str(error).split())[:200]}") from error


def empty_model(description: Mapping[str, Any], code: Collection[str] = ()) -> SequenceModel:
    """The architecture of a description, before its numbers are filled in."""
    if "class" not in description:
        return Model(read_model(description))  # type: ignore[return-value]
    kind = description.get("class")
    if kind not in ("transformer", "stack", "register-file"):
        raise BadInput(f"unknown model class {kind!r}: expected 'transformer', 'stack' or 'register-file'")
    try:
        if kind == "transformer":
            return Transformer(transformer_config(description["config"]))
        if kind == "register-file":
            return RegisterFile(RegisterFileConfig(**description["config"]))
        config = stack_config(description["config"])
    except (AttributeError, KeyError, TypeError, RuntimeError) as error:
        raise _unfit(error) from error
    for name in user_code(config.mixers):
        if name not in code:
            raise BadInput(f"this model runs the code {name}; a file cannot ask for that by itself: name it, as in --code {name}")
    return Stack(config)


def with_weights(model: SequenceModel, tensors: Mapping[str, Tensor]) -> SequenceModel:
    """The model filled with these tensors, in their number type."""
    floating = next((t.dtype for t in tensors.values() if t.is_floating_point()), torch.float32)
    try:
        model.to(floating).load_state_dict(dict(tensors))
    except RuntimeError as error:
        raise _unfit(error) from error
    return model


def transformer_config(document: Mapping[str, Any]) -> TransformerConfig:
    """The inverse of `asdict` for a Transformer's configuration."""
    layers = tuple(LayerConfig(**layer) for layer in document["layers"])
    return TransformerConfig(**{**document, "embedding": embedding_config(document["embedding"]), "layers": layers})


def stack_config(document: Mapping[str, Any]) -> StackConfig:
    """The inverse of `asdict` for a stack's configuration."""
    return StackConfig(**{**document, "embedding": embedding_config(document["embedding"]), "mixers": tuple(document["mixers"])})


def embedding_config(document: Mapping[str, Any]) -> EmbeddingConfig:
    """The inverse of `asdict` for tokens and positions."""
    number = document["number_address"]
    places = tuple(PlaceConfig(**place) for place in document["places"])
    return EmbeddingConfig(**{**document, "number_address": PlaceConfig(**number) if number else None, "places": places})


def _unfit(error: Exception) -> BadInput:
    return BadInput(f"the model's description and its weights do not fit: {' '.join(str(error).split())[:200]}")
