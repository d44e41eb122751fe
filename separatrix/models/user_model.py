"""A whole model of the user's own: a class or function that makes one from the sizes of a task, or a Hugging Face configuration.

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

NAMES = {  # what models call the sizes of a task
    "vocabulary": ("vocabulary", "vocab_size", "vocab", "num_tokens", "num_embeddings"),
    "targets": ("targets", "num_classes", "num_labels", "output_size", "out_features"),
    "length": ("length", "max_length", "max_len", "block_size", "context_length"),
    "seed": ("seed",),
}


def is_whole(place: str) -> bool:
    """Whether the code at a place makes whole models; otherwise it makes mixers."""
    maker = load(place)
    if _is_configuration(maker):
        return True
    if not callable(maker):
        raise BadInput(f"{place}: expected a model, a mixer or a Hugging Face configuration, found {type(maker).__name__}")
    known = parameters(maker)
    if any(name in known for name in NAMES["vocabulary"]):
        return True
    return not inspect.isclass(maker) and not any(name in known for name in WIDTHS)


def whole_model(place: str, given: Mapping[str, Any]) -> nn.Module:
    """The model, made after torch's generator was set to the seed, so that its weights depend on nothing else."""
    maker, what, sizes = load(place), f"model {place}", dict(given)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(sizes.get("seed", 0)))
        make = _hugging_face if _is_configuration(maker) else _made
        model = make(maker, what, sizes)
    if not isinstance(model, nn.Module):
        raise BadInput(f"{what}: expected a torch module, found {type(model).__name__}")
    return model


def _made(maker: Any, what: str, sizes: Mapping[str, Any]) -> Any:
    return maker(**typed(maker, _named(maker, what, sizes), what))


def _named(maker: Any, what: str, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes of the task under the names that the maker has for them, and what was set besides."""
    known, given = parameters(maker), {key: value for key, value in sizes.items() if key not in NAMES}
    for size in NAMES.keys() & sizes.keys():
        given |= {name: sizes[size] for name in NAMES[size] if name in known}
    for parameter in known.values():
        if parameter.required and parameter.name not in given:
            raise BadInput(f"{what} needs {parameter.name}, which no task says: set it, or write a function of vocabulary and targets")
    return given


def _is_configuration(thing: Any) -> bool:
    return not inspect.isclass(thing) and hasattr(thing, "model_type") and hasattr(thing, "vocab_size")


def _hugging_face(configuration: Any, what: str, sizes: Mapping[str, Any]) -> nn.Module:
    """The causal language model of a configuration, with as many words as the task has tokens or answers."""
    try:
        from transformers import AutoModelForCausalLM
    except ImportError as error:
        raise BadInput(f"{what} is a Hugging Face configuration: install separatrix[hf] to make its model") from error
    sized = deepcopy(configuration)
    sized.vocab_size = max(int(sizes["vocabulary"]), int(sizes["targets"]))
    for name in ("bos_token_id", "eos_token_id", "pad_token_id"):  # words of its own vocabulary, which this is not
        if getattr(sized, name, None) is not None:
            setattr(sized, name, None)
    model: nn.Module = AutoModelForCausalLM.from_config(sized)  # type: ignore[no-untyped-call]
    return model
