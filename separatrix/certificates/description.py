"""Today's models in the words of docs/certificates.md: MODEL, and tensors by its names.

One file between two vocabularies; it goes when `describe` speaks the schema itself.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from separatrix.models.register_file import RegisterFile
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig

Built = Transformer | RegisterFile
RENAMED = (  # beginning of a name in a Transformer -> in the schema; the layer's number stands between
    ("attention.", "mixer."),
    ("unit.", "mixer."),
    ("before_attention.", "before_mixing."),
)
READOUT = {"unembedding": "readout.weight", "unembedding_bias": "readout.bias", "final_norm.weight": "readout.norm.weight",
           "final_norm.bias": "readout.norm.bias"}  # fmt: skip


def describe_model(model: Built, length: int | None = None) -> dict[str, Any]:
    """MODEL; `length` where the model itself does not fix the number of tokens."""
    return _register_file(model) if isinstance(model, RegisterFile) else _transformer(model.config, length)


def tensors_of(model: Built) -> dict[str, Tensor]:
    """Every tensor by its name in the schema. In an emulated format weights are rounded to it, as the model itself does."""
    if isinstance(model, RegisterFile):
        found = _register_tensors(model)
    else:
        absent = tuple(f"layers.{i}.before_feedforward." for i, layer in enumerate(model.config.layers) if not layer.hidden)
        found = {_renamed(name): tensor.detach() for name, tensor in model.state_dict().items() if not name.startswith(absent)}
    if model.numbers.format.kind == "native":
        return found
    numbers = model.numbers
    return {name: numbers.leave(numbers.enter(t)) if t.is_floating_point() else t for name, t in found.items()}


def weights_file(model: Built) -> bytes:
    """The tensors as a safetensors file."""
    return save({name: tensor.contiguous() for name, tensor in tensors_of(model).items()})


def _transformer(config: TransformerConfig, length: int | None) -> dict[str, Any]:
    embedding = asdict(config.embedding)
    return {
        "arithmetic": config.arithmetic,
        "length": config.length if length is None else length,
        "width": config.width,
        "embedding": {"reads": "tokens", **embedding, "places": list(embedding["places"])},
        "layers": [_layer(config, layer) for layer in config.layers],
        "readout": {"targets": config.targets, "norm": config.norm, "bias": True},
    }


def _layer(config: TransformerConfig, layer: LayerConfig) -> dict[str, Any]:
    attention = {
        "kind": "attention", "scores": layer.attention, "mask": {"kind": "causal" if config.causal else "all"}, "heads": layer.heads,
        "key_width": layer.key_width, "value_width": layer.value_width, "scaled": config.scaled, "bias": config.attention_bias,
        "rotary": config.rotary,
    }  # fmt: skip
    feedforward = {"hidden": layer.hidden, "activation": config.activation, "bias": config.feedforward_bias}
    return {
        "mixer": {"kind": "linear-rnn", "state": layer.state} if layer.state else attention,
        "feedforward": feedforward if layer.hidden else None,
        "residual": config.residual,
        "norm": config.norm,
    }


def _renamed(name: str) -> str:
    if name in READOUT:
        return READOUT[name]
    if not name.startswith("layers."):
        return name
    _, number, rest = name.split(".", 2)
    for old, new in RENAMED:
        if rest.startswith(old):
            rest = new + rest.removeprefix(old)
    return f"layers.{number}.{rest}"


def _register_file(model: RegisterFile) -> dict[str, Any]:
    """The registers as a mixer: it reads one-hot rows and one-hot numbers, and gives the registers."""
    c, rows = model.config, _rows(model)
    one_hot = {"address": "one-hot", "dims": c.numbers, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    mixer = {
        "kind": "register-file", "registers": c.registers, "scratch": c.scratch, "writes": c.writes, "rows": rows, "numbers": c.numbers,
        "length": c.length,
    }  # fmt: skip
    return {
        "arithmetic": c.arithmetic,
        "length": c.length,
        "width": register_width(model),
        "embedding": {
            "reads": "tokens", "plain": c.plain, "numbers": c.numbers, "number_address": one_hot if c.numbers else None, "places": [],
            "gated": False,
        },
        "layers": [{"mixer": mixer, "feedforward": None, "residual": False, "norm": "none"}],
        "readout": {"targets": c.targets, "norm": "none", "bias": True},
    }  # fmt: skip


def register_width(model: RegisterFile) -> int:
    """Of a stream that holds the one-hot row and number, and then the registers."""
    return max(_rows(model) + model.config.numbers, model.config.registers)


def _rows(model: RegisterFile) -> int:
    return model.config.plain + (model.config.numbers > 0)


def _register_tensors(model: RegisterFile) -> dict[str, Tensor]:
    c, rows, width, dtype = model.config, _rows(model), register_width(model), model.gates.dtype
    weight = torch.zeros(c.targets, width, dtype=dtype)
    weight[:, : c.registers] = model.unembedding.detach()
    found = {f"layers.0.mixer.{name}": getattr(model, name).detach() for name in ("write", "read", "gates")}
    found |= {
        "embedding.table": torch.eye(rows, width, dtype=dtype),
        "readout.weight": weight,
        "readout.bias": model.unembedding_bias.detach(),
    }
    if c.numbers:
        number = torch.zeros(c.numbers, width, dtype=dtype)
        number[:, rows : rows + c.numbers] = torch.eye(c.numbers, dtype=dtype)
        found |= {"embedding.number.weight": number, "layers.0.mixer.number_read": model.number_read.detach()}  # type: ignore[union-attr]
    return found
