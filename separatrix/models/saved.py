"""Models as files: the configuration as JSON, the numbers as safetensors. Nothing here unpickles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import torch
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors

from separatrix.errors import BadInput
from separatrix.models.embedding import EmbeddingConfig, PlaceConfig
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig


def describe(model: torch.nn.Module) -> dict[str, Any]:
    """What is needed besides the numbers to make the model again."""
    if isinstance(model, Transformer):
        return {"class": "transformer", "config": asdict(model.config)}
    raise BadInput(f"a model of class {type(model).__name__} has no description")


def weights_bytes(model: torch.nn.Module) -> bytes:
    """The parameters and buffers as a safetensors file."""
    return save_tensors({name: tensor.detach().contiguous() for name, tensor in model.state_dict().items()})


def restore(description: Mapping[str, Any], weights: bytes) -> Transformer:
    """The model of a description and its safetensors bytes."""
    if description.get("class") != "transformer":
        raise BadInput(f"unknown model class {description.get('class')!r}: expected 'transformer'")
    try:
        model = Transformer(transformer_config(description["config"]))
        tensors = load_tensors(weights)
        floating = next((t.dtype for t in tensors.values() if t.is_floating_point()), torch.float32)
        model.to(floating).load_state_dict(tensors)
    except (KeyError, TypeError, RuntimeError) as error:
        raise BadInput(f"the model's description and its weights do not fit: {' '.join(str(error).split())[:200]}") from error
    return model


def transformer_config(document: Mapping[str, Any]) -> TransformerConfig:
    """The inverse of `asdict` for a Transformer's configuration."""
    embedding = dict(document["embedding"])
    number = embedding["number_address"]
    embedding["number_address"] = PlaceConfig(**number) if number else None
    embedding["places"] = tuple(PlaceConfig(**place) for place in embedding["places"])
    layers = tuple(LayerConfig(**layer) for layer in document["layers"])
    return TransformerConfig(**{**document, "embedding": EmbeddingConfig(**embedding), "layers": layers})
