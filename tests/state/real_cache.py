"""What transformers really holds: a small model with random weights on the CPU, run once, and every tensor of its cache."""

from __future__ import annotations

import importlib
import inspect
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

CLOCKS = ("_sliding_window_tensor", "cumulative_length", "seqlen_offset")  # integers that count tokens


def load_config(document: dict[str, Any]) -> Any:
    """The config as `from_pretrained` reads it from a folder."""
    from transformers import AutoConfig

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(document))
        return AutoConfig.from_pretrained(folder)


def build(document: dict[str, Any], dtype: torch.dtype) -> Any:
    """A model with random weights."""
    from transformers import AutoModel, AutoModelForCausalLM

    config = load_config(document)
    config._experts_implementation = "eager"
    options = {"dtype": dtype, "attn_implementation": "eager"}
    torch.manual_seed(0)
    for maker in (AutoModelForCausalLM, AutoModel):
        if type(config) in maker._model_mapping:
            return _as_loaded(maker.from_config(config, **options))
    return _as_loaded(_text_model(config)._from_config(config, **options))


def _as_loaded(model: Any) -> Any:
    """Inkling 2 does not run unless its router is in float32, as `from_pretrained` leaves it."""
    if model.config.model_type == "inkling2_text":
        for name, parameter in model.named_parameters():
            if any(f".{kept}." in f".{name}." for kept in model._keep_in_fp32_modules_strict):
                parameter.data = parameter.data.float()
    return model.eval()


def _text_model(config: Any) -> Any:
    """The language model inside a larger one, by the class of its config."""
    from transformers import PreTrainedModel

    module = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    models = [
        entry
        for name, entry in vars(module).items()
        if inspect.isclass(entry) and issubclass(entry, PreTrainedModel) and entry.config_class is type(config) and "PreTrained" not in name
    ]
    return next((entry for entry in models if entry.__name__.endswith("CausalLM")), models[0])


def cache_tensors(model: Any, length: int, batch: int = 1) -> list[torch.Tensor]:
    """The tensors that one call on `length` tokens leaves behind; two names for one piece of memory count once."""
    tokens = torch.randint(5, 50, (batch, length), generator=torch.Generator().manual_seed(length))
    with torch.no_grad():
        if model.config.model_type == "recurrent_gemma":  # fills a cache that it does not hand out, and its own layers
            tensors = list(_recurrent_gemma(model, tokens))
        else:
            output = model(input_ids=tokens, use_cache=True)
            names = [name for name in ("past_key_values", "cache_params", "state") if output.get(name) is not None]
            tensors = [tensor for name in names for tensor in _tensors(output[name])]
    places = {(t.untyped_storage().data_ptr(), t.storage_offset(), t.shape, t.stride()) if t.numel() else id(t): t for t in tensors}
    return list(places.values())


def _recurrent_gemma(model: Any, tokens: torch.Tensor) -> Iterator[torch.Tensor]:
    from transformers import DynamicCache

    cache = DynamicCache(config=model.config)
    model(input_ids=tokens, use_cache=True, past_key_values=cache)
    yield from _tensors(cache)
    for module in model.modules():
        for name in ("recurrent_states", "conv1d_state"):
            if isinstance(getattr(module, name, None), torch.Tensor):
                yield getattr(module, name)


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for entry in value.values():
            yield from _tensors(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _tensors(entry)
    elif hasattr(value, "__dict__") and not hasattr(value, "model_type") and not isinstance(value, torch.dtype):
        yield from _tensors({name: entry for name, entry in vars(value).items() if name not in CLOCKS})


def held(tensors: list[torch.Tensor]) -> int:
    """Bytes of the tensors: shape times bytes of a number."""
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def allocated(tensors: list[torch.Tensor]) -> int:
    """Bytes of the storages behind them."""
    return sum({tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors if tensor.numel()}.values())
