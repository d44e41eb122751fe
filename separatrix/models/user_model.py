"""A user's own whole model: a class or function that creates it from the sizes of a task, or a Hugging Face configuration.

    class Mine(nn.Module):                                        def mine(vocabulary, targets): ...
        def __init__(self, vocab_size, num_classes, width=64)     config = GPT2Config(n_layer=2)

The model maps tokens [b, n] to logits [b, n, targets], or to an object whose `logits` are that.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import torch
from torch import nn

from separatrix.errors import BadInput
from separatrix.models.mixers.user import WIDTHS
from separatrix.naming import load
from separatrix.parameters import parameters, typed

NAMES = {  # usual parameter names for the sizes of a task
    "vocabulary": ("vocabulary", "vocab_size", "vocab", "num_tokens", "num_embeddings"),
    "targets": ("targets", "num_classes", "num_labels", "output_size", "out_features"),
    "length": ("length", "max_length", "max_len", "block_size", "context_length"),
    "seed": ("seed",),
}


def is_whole(place: str) -> bool:
    """Whether the code at a place creates whole models rather than mixers."""
    maker = load(place)
    if _is_configuration(maker):
        return True
    if not callable(maker):
        raise BadInput(f"{place}: expected a model, a mixer or a Hugging Face configuration, found {type(maker).__name__}")
    known = parameters(maker)
    if any(name in known for name in NAMES["vocabulary"]):
        return True
    return not inspect.isclass(maker) and not any(name in known for name in WIDTHS)


def whole_model(place: str, settings: Mapping[str, Any]) -> nn.Module:
    """The model, created after seeding torch's generator, so that its weights depend on nothing else."""
    maker, what, sizes = load(place), f"model {place}", dict(settings)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(sizes.get("seed", 0)))
        make = _hugging_face if _is_configuration(maker) else _call
        model = make(maker, what, sizes)
    if not isinstance(model, nn.Module):
        raise BadInput(f"{what}: expected a torch module, found {type(model).__name__}")
    return model


def of_configuration(configuration: Any, what: str, sizes: Mapping[str, Any]) -> nn.Module:
    """The model of a Hugging Face configuration, sized for a task and created after seeding torch's generator."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(sizes.get("seed", 0)))
        return _hugging_face(configuration, what, sizes)


def _call(maker: Any, what: str, sizes: Mapping[str, Any]) -> Any:
    return maker(**typed(maker, _named(maker, what, sizes), what))


def _named(maker: Any, what: str, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes of the task under the maker's own names for them, and its other settings."""
    known, arguments = parameters(maker), {key: value for key, value in sizes.items() if key not in NAMES}
    for size in NAMES.keys() & sizes.keys():
        arguments |= {name: sizes[size] for name in NAMES[size] if name in known}
    for parameter in known.values():
        if parameter.required and parameter.name not in arguments:
            raise BadInput(
                f"{what} needs {parameter.name}, which no task determines: set it, or write a function of vocabulary and targets"
            )
    return arguments


def _is_configuration(thing: Any) -> bool:
    return not inspect.isclass(thing) and hasattr(thing, "model_type") and hasattr(thing, "vocab_size")


def _hugging_face(configuration: Any, what: str, sizes: Mapping[str, Any]) -> nn.Module:
    """The causal language model of a configuration, with a vocabulary as large as the task's tokens or answers."""
    try:
        from transformers import AutoModelForCausalLM
    except ImportError as error:
        raise BadInput(f"{what} is a Hugging Face configuration: pip install 'separatrix[hf]' to use it") from error
    sized = deepcopy(configuration)
    sized.vocab_size = max(int(sizes["vocabulary"]), int(sizes["targets"]))
    for name in ("bos_token_id", "eos_token_id", "pad_token_id"):  # special tokens of its own vocabulary, which the task does not have
        if getattr(sized, name, None) is not None:
            setattr(sized, name, None)
    model: nn.Module = AutoModelForCausalLM.from_config(sized)  # type: ignore[no-untyped-call]
    return model
